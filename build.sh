#!/usr/bin/env bash
# One script for everything; ./build.sh without a verb prints the verbs. It needs Go and Node and nothing else that it
# does not install itself: npm packages by lock file, Go modules by go.sum, a Chromium for the tests.
# Made things go to dist/ (the bundle) and .cache/ (whatever saves time the next time); both can be deleted.
set -euo pipefail
cd "$(dirname "$0")"
unset GOOS GOARCH GOFLAGS
export GOFLAGS=-buildvcs=false # the bundle depends on its sources, not on the state of a repository

readonly cache=.cache made=.cache/made
readonly goapp=github.com/maxence-charriere/go-app/v10
readonly staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2 # the first that knows Go 1.26 is 0.7.0

usage() {
  cat <<'END'
Usage: ./build.sh VERB

  build          makes the bundle in dist/, for any static host at any path; TRACES=1 keeps what stack traces show
  serve [FLAGS]  builds, then serves it at http://localhost:8000 (PORT=…, or -addr host:port)
  edge [FLAGS]   builds, then runs it as a Cloudflare Worker on this machine, without an account or a network
  check          format, vet, staticcheck, boundaries, short tests, the browser's binary: minutes, no browser
  test           all of that with the long tests, then the bundle in a real Chromium, and in Firefox if there is one
  bench [NAME]   measures, and never fails for being slow; NAME is table, coin, density, query, classify, selection, or nothing for all
END
}

say() { printf '\n== %s\n' "$*"; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }
in_browser() { GOOS=js GOARCH=wasm "$@"; }

# need_tools stops with a plain message where a tool is missing or too old.
need_tools() {
  command -v go >/dev/null || die "Go is missing: install Go 1.26 or later from your system or from go.dev"
  go version >/dev/null || die "Go does not start: go.mod asks for Go 1.26 or later"
  command -v node >/dev/null || die "Node is missing: install Node 20.11 or later"
  command -v npm >/dev/null || die "npm is missing: it comes with Node on most systems, or as the package npm"
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || a === 20 && b >= 11 ? 0 : 1)' ||
    die "Node $(node --version) is too old: install Node 20.11 or later"
}

# --- build -----------------------------------------------------------------------------------------------------------

# packages installs what static/package-lock.json names, unless it is there.
packages() {
  local stamp=static/node_modules/.installed
  if ! cmp -s static/package-lock.json "$stamp"; then
    say "npm packages"
    (cd static && npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
    cp static/package-lock.json "$stamp"
  fi
}

# browser_module writes a go.mod for the browser's binary in which go-app is a copy without its server and without regular
# expressions, which saves a seventh of what a visitor loads, and which draws in short tasks.
browser_module() {
  local from to=$cache/go-app
  from=$(go list -m -f '{{.Dir}}' "$goapp")
  rm -rf "$to"
  mkdir -p "$to/pkg"
  cp "$from/go.mod" "$to"
  cp -R "$from/pkg/app" "$from/pkg/errors" "$to/pkg"
  chmod -R u+w "$to"
  rm "$to/pkg/app/http.go" "$to/pkg/app/resource.go" "$to/pkg/app/static.go"
  cp wasm/_goapp/*.go "$to/pkg/app" # route.go in the place of go-app's
  sed -i 's/^func (e \*engineX) Start(/func (e *engineX) startWhole(/' "$to/pkg/app/engine.go" # frames.go has another
  cp go.sum "$cache/browser.sum"
  go mod edit -print -replace "$goapp=./$to" >"$cache/browser.mod" # a relative path, since the binary records it
}

# Functions are copied into their callers only in the packages where time is spent: that saves 8 % of the binary. The collector
# is the one before Go 1.26, which takes 1 % less and is as fast here.
readonly hot="hush/core/coin hush/core/domain hush/core/table hush/core/threshold
  bytes cmp encoding/binary math/big math/bits slices sync/atomic unicode/utf8"

binary() {
  local flags=("-gcflags=all=-l") package
  for package in $hot; do flags+=("-gcflags=$package="); done
  browser_module
  GOEXPERIMENT=nogreenteagc in_browser go build -modfile "$cache/browser.mod" -trimpath -ldflags "-s -w -buildid=" "${flags[@]}" \
    -o "$cache/app.wasm" ./wasm
}

# licences prints those of the Go code in the binary.
licences() {
  local root path version dir
  root=$(go env GOROOT)
  printf '==== Go, %s\n\n' "$(go env GOVERSION)"
  cat "$root/LICENSE" || die "the Go installation has no LICENSE file in $root; the bundle must carry it"
  in_browser go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./wasm | sort -u |
    while read -r path version dir; do
      printf '\n==== %s %s\n\n' "$path" "$version"
      cat "$dir/LICENSE" || die "$path has no LICENSE file: it cannot be shipped"
    done
}

# bundle makes dist/, without the packed variants of its files.
bundle() {
  need_tools
  mkdir -p "$made"
  packages
  say "charts and licences"
  node static/build.mjs "$PWD/$made"
  licences >"$made/licences-go.txt"
  say "binary"
  binary
  say "bundle"
  go run ./wasm ${TRACES:+-traces} -wasm "$cache/app.wasm" -exec "$(go env GOROOT)/lib/wasm/wasm_exec.js" -static static -made "$made" -out dist
}

build() {
  bundle
  node static/pack.mjs dist "$cache/packed"
}

serve() {
  build
  go build -o "$cache/serve" .
  exec "$cache/serve" "$@"
}

# edge_worker makes the Worker that serves dist/ at the edge of a network, and installs what runs it here.
edge_worker() {
  local stamp=static/edge/node_modules/.installed
  if ! cmp -s static/edge/package-lock.json "$stamp"; then
    say "npm packages for the edge"
    (cd static/edge && npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
    cp static/edge/package-lock.json "$stamp"
  fi
  say "worker"
  go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$cache/edge"
  in_browser go build -trimpath -ldflags "-s -w -buildid=" -o "$cache/edge/app.wasm" .
}

edge() {
  build
  edge_worker
  cd static/edge
  CLOUDFLARE_CF_FETCH_ENABLED=false exec node node_modules/wrangler/bin/wrangler.js dev --local "$@"
}

# --- check -----------------------------------------------------------------------------------------------------------

# forbid REASON PATTERN GREP_ARGUMENT…: fails when the pattern is found.
forbid() {
  local reason=$1 pattern=$2 found
  shift 2
  if found=$(grep -rnE --exclude-dir=node_modules -e "$pattern" "$@"); then
    printf '%s\n  %s\n\n' "$reason" "${found//$'\n'/$'\n  '}" >&2
    broken=1
  fi
}

boundaries() {
  say "boundaries"
  local broken=0 go='--include=*.go' code='--exclude=*_test.go' third
  forbid "syscall/js outside wasm: all else must run and be tested natively" \
    '"syscall/js"' "$go" core web serve.go
  forbid "go-app or net/http in core: algorithms know nothing of the page or the network" \
    '"(github.com/maxence-charriere/go-app|net/http)' "$go" core
  forbid "an algorithm imports core/message: it gives phrases, and who knows the reader says them" \
    '"hush/core/message"' "$go" core/{coin,privacy,mechanism,domain,table,basic,threshold} \
    core/{density,query,classify,selection,audit,param,phrase,codebook,sample}
  forbid "a language kept outside of web/say: two readers at once would share it, so pass it on" \
    '^var [^(]*\b(message\.)?Language\b|message\.Use\(' "$go" "$code" --exclude-dir=say core web wasm
  forbid "core imports web or wasm: arrows point one way, wasm to web to core" \
    '^[[:space:]]*(import )?([a-z]+ )?"hush/(web|wasm)' "$go" core
  forbid "web imports wasm: arrows point one way, wasm to web to core" \
    '^[[:space:]]*(import )?([a-z]+ )?"hush/wasm' "$go" web
  forbid "os or logging in core: it takes bytes and returns values" \
    '^[[:space:]]*(import )?([a-z]+ )?"(os|os/.*|log|log/.*|syscall)"' "$go" "$code" --exclude-dir=internal core
  forbid "a clock in core: durations are not private, and results must not depend on them" \
    'time\.(Now|Since|Until|Tick|After|NewTimer|NewTicker|Sleep)\b' "$go" "$code" core
  forbid "randomness outside core/coin: every decision goes through coin.Source, exactly" \
    '"(math/rand|math/rand/v2|crypto/rand)"' "$go" "$code" --exclude-dir=coin core web wasm
  forbid "distuv in core's code: it draws curves and test laws, never noise" \
    'distuv"' "$go" "$code" --exclude-dir=internal core
  forbid "net/http in web's components: it would double the binary" \
    '"net/http' "$go" --exclude-dir=host --exclude-dir=browsertest web
  forbid "app.Raw: no text may become markup" \
    'app\.Raw\(' "$go" web
  forbid "inline styles: the content security policy blocks them; use a class" \
    '\.Style\(|style="|\.setAttribute\("style"|\.innerHTML' "$go" "$code" --include='*.js' --exclude-dir=browsertest web static
  forbid "an address of another origin: nothing leaves the tab, and nothing comes from elsewhere" \
    '(https?:)?//[a-z0-9-]+\.[a-z]' "$go" "$code" --include='*.js' --include='*.css' --include='*.svg' --include='*.html' \
    --exclude-dir=browsertest --exclude-dir=testdata --exclude=icon.svg --exclude=quiet.svg web static
  forbid "time.Sleep in a test: wait for what you wait for" \
    'time\.Sleep\(' --include='*_test.go' --include='*.go' core web wasm
  forbid "an example that is not in example_test.go, where readers and go doc look for it" \
    '^func Example' "$go" --exclude=example_test.go core web wasm
  forbid "an example inside of its package: nobody can copy what uses unexported names" \
    '^package [a-z]+$' --include=example_test.go core web wasm
  forbid "unfinished work" \
    '\b(TODO|FIXME|XXX)\b' "$go" --include='*.js' --include='*.mjs' --include='*.css' --include='*.sh' core web wasm static serve.go
  forbid "a path of one machine or the address of a registry" \
    '(^|[^a-z.])/(root|home|work)/|registry\.npmjs|"resolved":' core web wasm static serve.go .ci .github README.md
  third=$(git ls-files 2>/dev/null | grep -E '(^|/)(node_modules|vendor)/|\.min\.(js|css)$|(^|/)(wasm_exec|charts|axe)\.js$|\.wasm$' || true)
  if [ -n "$third" ]; then
    printf 'committed code of others: it comes from go.sum and package-lock.json\n  %s\n' "${third//$'\n'/$'\n  '}" >&2
    broken=1
  fi
  return "$broken"
}

format() {
  say "format"
  local found
  found=$(gofmt -l core web wasm serve.go)
  [ -z "$found" ] || die "gofmt would change: ${found//$'\n'/, }"
  # go doc takes a line for a heading only between empty ones.
  found=$(find core web wasm serve.go -name '*.go' -exec awk '
    FNR == 1 { last = "" }
    heading && FNR > 1 && /^[ \t]*\/\// && !/^[ \t]*\/\/$/ || /^[ \t]*\/\/ # / && last ~ /^[ \t]*\/\/./ { print FILENAME ":" FNR }
    { heading = /^[ \t]*\/\/ # /; last = $0 }' {} +)
  [ -z "$found" ] || die "a heading of a doc comment without an empty // line above or below it: ${found//$'\n'/, }"
}

vet() {
  say "vet"
  go vet ./...
  go vet -tags browser ./web/browsertest
  in_browser go vet ./...
  say "staticcheck"
  GOBIN=$PWD/$cache/bin go install "$staticcheck"
  "$cache/bin/staticcheck" ./...
  "$cache/bin/staticcheck" -tags browser ./web/browsertest
  in_browser "$cache/bin/staticcheck" ./...
}

# checks runs what needs no browser; its arguments go to the native tests.
checks() {
  need_tools
  mkdir -p "$cache"
  boundaries || die "a boundary is crossed, see above"
  format
  vet
  say "tests"
  go test -timeout 20m "$@" ./...
  say "binary"
  binary
}

# --- test ------------------------------------------------------------------------------------------------------------

# races looks for a race where core is used from two goroutines, if there is a C compiler, which -race needs.
races() {
  if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; then
    say "races"
    go test -race -run TestTwoLanguagesAtOnce ./core/task
  fi
}

find_chromium() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  return 1
}

# install_chromium uses the system's package manager, as root or through sudo.
install_chromium() {
  local root=()
  say "no Chromium found: installing one"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "Chromium is missing, and installing it needs root: install the package chromium, or name a browser in CHROMIUM"
    root=(sudo)
  fi
  if command -v apt-get >/dev/null; then
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium fonts-dejavu-core
  elif command -v apk >/dev/null; then
    "${root[@]}" apk add chromium font-dejavu
  elif command -v dnf >/dev/null; then
    "${root[@]}" dnf install -y chromium
  elif command -v pacman >/dev/null; then
    "${root[@]}" pacman -Sy --noconfirm chromium
  else
    die "Chromium is missing, and this system has none of apt-get, apk, dnf, pacman: install one, or name a browser in CHROMIUM"
  fi
}

need_chromium() {
  CHROMIUM=$(find_chromium) || { install_chromium; CHROMIUM=$(find_chromium); } ||
    die "Chromium was installed and still is not found: name the browser in CHROMIUM"
  "$CHROMIUM" --version >/dev/null 2>&1 || die "$CHROMIUM does not start: install another, or name one in CHROMIUM"
  export CHROMIUM
}

find_firefox() {
  local name
  for name in "${FIREFOX:-}" firefox firefox-esr; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  return 1
}

# browser_tests runs them all, and what failed again alone, twice at most: a browser on a busy machine may not answer in
# time. What fails three times is broken.
browser_tests() {
  need_chromium
  say "browser tests with $CHROMIUM"
  local log=$cache/browser-tests.log failed only=. again
  for again in yes yes no; do
    if go test -tags browser -count=1 -timeout 35m -run "$only" ./web/browsertest | tee "$log"; then break; fi
    [ "$again" = yes ] || die "browser tests failed three times"
    failed=$(sed -n 's/^--- FAIL: \([A-Za-z0-9_]*\) .*/\1/p' "$log" | sort -u | paste -sd '|')
    [ -n "$failed" ] || die "the browser tests ended early"
    say "once more: ${failed//|/, }"
    only="^($failed)\$"
  done
  if FIREFOX=$(find_firefox); then say "also tested with $FIREFOX"; else say "skipped: no Firefox; install one, or name one in FIREFOX"; fi
}

# reproducible makes the bundle once more, of a copy of the sources in another directory, and compares every file.
reproducible() {
  local copy=$cache/copy
  rm -rf "$copy"
  mkdir -p "$copy"
  tar -cf - --exclude=./dist --exclude=./.cache --exclude=./.git --exclude=./static/edge/node_modules . | tar -xf - -C "$copy"
  (cd "$copy" && bash -c 'source ./build.sh && bundle')
  say "the same bytes from another directory"
  diff dist/hashes.txt "$copy/dist/hashes.txt" || die "two builds of the same sources differ, see above"
  rm -rf "$copy"
}

# --- bench -----------------------------------------------------------------------------------------------------------

# native_and_browser runs a package's benchmarks as a program of this machine and as one of the browser, in Node.
native_and_browser() {
  local exec
  exec=$(go env GOROOT)/lib/wasm/go_js_wasm_exec
  say "$1, native"
  go test -run '^$' -bench . "$1"
  say "$1, WebAssembly in Node"
  in_browser go test -exec "$exec" -run '^$' -bench . "$1"
}

bench_table() {
  say "core/table and encoding/csv, native"
  go test -run '^$' -bench . ./core/table
  build
  need_chromium
  say "the engine and PapaParse in one tab of $CHROMIUM"
  HUSH_BENCH=1 go test -tags browser -count=1 -timeout 25m -v -run '^TestComparedWithPapaParse$' ./web/browsertest
}

bench_coin() { native_and_browser ./core/coin; }

# bench_density repeats the paper's experiments into core/density/EXPERIMENTS.md and a picture, times MERR against sorting, and compares all
# algorithms with Google's on the columns of COLUMNS, a directory with adult.csv, pums.csv and dpbench-1d/*.csv of values and counts, or else
# on made-up ones.
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
  go test -tags peer -run '^TestDensityError$' -count=1 -timeout 30m -v ./core/internal/peer -args ${COLUMNS:+-data "$(realpath "$COLUMNS")"}
}

# bench_query compares errors on the Adult data if ADULT names it (whole numbers by column, with a header), else on made-up records, and times growth.
bench_query() {
  say "core/query: errors"
  go test -run '^TestCompare$' -count=1 -timeout 30m -v ./core/query -args -compare -adult "${ADULT:+$(realpath "$ADULT")}"
  say "core/query: growth with n and d"
  go test -run '^$' -bench Growth -benchtime 1x ./core/query
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

bench() {
  need_tools
  case ${1:-} in
    table | coin | density | query | classify | selection) "bench_$1" ;;
    "")
      bench_coin
      bench_table
      bench_density
      bench_query
      bench_classify
      bench_selection
      ;;
    *) die "there is no benchmark $1: table, coin, density, query, classify or selection" ;;
  esac
}

main() {
  local verb=${1:-}
  [ $# -eq 0 ] || shift
  case $verb in
    build) build ;;
    serve) serve "$@" ;;
    edge) edge "$@" ;;
    check) checks -short ;;
    test)
      checks
      races
      build
      reproducible
      edge_worker
      browser_tests
      say "all tests passed"
      ;;
    bench) bench "$@" ;;
    help | -h | --help) usage ;;
    *)
      [ -z "$verb" ] || printf 'build.sh: unknown verb %s\n\n' "$verb" >&2
      usage >&2
      exit 2
      ;;
  esac
}

[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@" # sourced, it only lends its functions
