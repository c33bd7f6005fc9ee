package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"hush/core/warehouse"
)

// postgres is a connection to PostgreSQL. Passwords come from the address, PGPASSWORD, .pgpass or
// pg_service.conf, as in libpq.
type postgres struct {
	conn    *pgconn.PgConn
	address string // host, port and database, if the server does not identify itself
}

// farewell is how long a server is given to learn that nobody waits any more.
const farewell = 3 * time.Second

func openPostgres(ctx context.Context, address string) (Database, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = "hush"
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: farewell}
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, ended(ctx, err)
	}
	p := &postgres{conn, fmt.Sprintf("%s %s", net.JoinHostPort(config.Host,
		strconv.Itoa(int(config.Port))), config.Database)}
	// The counts are of the state that was looked at, however long either takes, and cells that are
	// dates are texts of one form.
	_, err = p.rows(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "+
		"SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 1; "+
		"SET LOCAL bytea_output = 'hex'; SET LOCAL IntervalStyle = 'postgres'")
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *postgres) Dialect() warehouse.Dialect { return warehouse.PostgreSQL }

func (p *postgres) Close() {
	ctx, stop := context.WithTimeout(context.Background(), farewell)
	defer stop()
	p.conn.Close(ctx)
}

// rows runs statements, and returns the results of all.
func (p *postgres) rows(ctx context.Context, sql string) ([]*pgconn.Result, error) {
	results, err := p.conn.Exec(ctx, sql).ReadAll()
	return results, ended(ctx, err)
}

// Look identifies a table independently of the server's address: by the number that the cluster
// received when it was created, unless the server hides that, and by the names of the database, the
// schema and the table. Copies of a cluster share its number.
func (p *postgres) Look(ctx context.Context, table string) ([]string, string, error) {
	quoted, err := warehouse.PostgreSQL.Quoted(table)
	if err != nil {
		return nil, "", err
	}
	described, err := p.conn.Prepare(ctx, "", "SELECT * FROM "+quoted, nil)
	if err != nil {
		return nil, "", ended(ctx, err)
	}
	var columns []string
	for _, field := range described.Fields {
		columns = append(columns, field.Name)
	}
	named := p.conn.ExecParams(ctx, "SELECT current_database(), n.nspname, c.relname "+
		"FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "+
		"WHERE c.oid = pg_catalog.to_regclass($1)", [][]byte{[]byte(quoted)}, nil, nil, nil).Read()
	if named.Err != nil {
		return nil, "", ended(ctx, named.Err)
	}
	if len(named.Rows) != 1 {
		return nil, "", fmt.Errorf("PostgreSQL names no table %s", quoted)
	}
	cluster, err := p.cluster(ctx)
	return columns, fmt.Sprintf("postgresql %s %q", cluster, named.Rows[0]), err
}

// cluster returns the number of the cluster, or its address if the server hides that.
func (p *postgres) cluster(ctx context.Context) (string, error) {
	if _, err := p.rows(ctx, "SAVEPOINT hush"); err != nil {
		return "", err
	}
	found, err := p.rows(ctx, "SELECT system_identifier FROM pg_catalog.pg_control_system()")
	if err == nil {
		return string(found[0].Rows[0][0]), nil
	}
	if refused := (*pgconn.PgError)(nil); !errors.As(err, &refused) {
		return "", err
	}
	_, err = p.rows(ctx, "ROLLBACK TO SAVEPOINT hush")
	return p.address, err
}

func (p *postgres) Count(ctx context.Context, sql string) ([]byte, error) {
	var counts held
	_, err := p.conn.CopyTo(ctx, &counts,
		"COPY ("+statement(sql)+"\n) TO STDOUT (FORMAT csv, HEADER)")
	if err != nil {
		return nil, ended(ctx, err)
	}
	return counts.Bytes(), nil
}

// ended explains why something ended: the end of a context takes precedence over its consequences.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
