# What installs the engines on which core/warehouse runs its statements. build.sh sources it, and browsers.sh before it.
# shellcheck shell=bash disable=SC2154

# need_warehouses installs PostgreSQL, and DuckDB and sqlglot below .cache; with the argument "spark" PySpark too, which takes Java.
need_warehouses() {
  local venv=$PWD/$cache/warehouses
  say "engines for core/warehouse"
  if ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
    install PostgreSQL postgresql postgresql postgresql-server postgresql
  fi
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || die "python3 makes no environment: install python3-venv"
  "$venv/bin/pip" install -q -r core/warehouse/testdata/requirements.txt
  [ "${1:-}" != spark ] || "$venv/bin/pip" install -q -r core/warehouse/testdata/requirements-spark.txt
  export HUSH_WAREHOUSES=1 # a test that finds none of them fails
}
