#!/usr/bin/env bash
# One script for everything; ./build.sh without a verb prints the verbs. It needs Go and Node and nothing else that it
# does not install itself: npm packages by lock file, Go modules by go.sum, Chromium and Firefox for the tests.
# Made things go to dist/ (the bundle) and .cache/ (whatever saves time the next time); both can be deleted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
unset GOOS GOARCH
export GOFLAGS=-buildvcs=false # the bundle depends on its sources, not on the state of a repository
GOTOOLCHAIN=$(sed -n 's/^toolchain //p' go.mod) # this one and no newer: another makes other bytes
export GOTOOLCHAIN
export GOWORK=off # until one_module
export GOEXPERIMENT=nojsonv2 # encoding/json as it was before Go 1.27 is 4 % of the binary smaller

readonly cache=.cache made=.cache/made
readonly goapp=github.com/maxence-charriere/go-app/v10 uuid=github.com/google/uuid
readonly staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2 # the first that reads what Go 1.27.2 writes

usage() {
  cat <<'END'
Usage: ./build.sh VERB

  build          makes the bundle in dist/, for any static host at any path; TRACES=1 keeps what stack traces show
  serve [FLAGS]  builds, then serves it at http://localhost:8000 (PORT=…, or -addr host:port)
  edge [FLAGS]   builds, then runs it as a Cloudflare Worker on this machine, without an account or a network
  check          format, vet, staticcheck, boundaries, short tests, the browser's binary: minutes, no browser
  golden         writes the golden files, the catalogue of texts and the index of proofs anew: the difference is the review
  test           all of that with the long tests, then the bundle in a real Chromium and Firefox
  bench [NAME]   measures, and never fails for being slow; NAME is table, coin, meter, growth, density, query, classify, selection, peers, persons, tab, kinds, or nothing for all
END
}

# Functions are copied into their callers only in the packages where time is spent: that saves 8 % of the
# binary. The collector is the one before Go 1.26, and memory is given out as before Go 1.27: that
# takes 1 % less, and is as fast here.
readonly hot="hush/core/coin hush/core/domain hush/core/table hush/core/threshold
  bytes cmp encoding/binary math/big math/bits slices sync/atomic unicode/utf8"
readonly lean=nogreenteagc,nosizespecializedmalloc

# in_browser runs a command for the browser. All share the binary's flags, so that each package is
# compiled once for checks, tests and the binary.
browser_flags="$GOFLAGS -trimpath -gcflags=all=-l"
for package in $hot; do browser_flags+=" -gcflags=$package="; done
export BROWSER_GOFLAGS=$browser_flags BROWSER_GOEXPERIMENT=$GOEXPERIMENT,$lean
in_browser() { GOOS=js GOARCH=wasm GOFLAGS=$BROWSER_GOFLAGS GOEXPERIMENT=$BROWSER_GOEXPERIMENT "$@"; }

say() { printf '\n== %s\n' "$*"; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# need_tools stops with a plain message where a tool is missing or too old.
need_tools() {
  command -v go >/dev/null ||
    die "Go is missing: install Go 1.21 or later from your system or from go.dev; it loads $GOTOOLCHAIN by itself"
  go version >/dev/null ||
    die "this takes $GOTOOLCHAIN, which Go 1.21 or later loads by itself: install it, or let Go reach its module proxy"
  command -v node >/dev/null || die "Node is missing: install Node 20.12 or later"
  command -v npm >/dev/null || die "npm is missing: it comes with Node on most systems, or as the package npm"
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || a === 20 && b >= 12 ? 0 : 1)' ||
    die "Node $(node --version) is too old: install Node 20.12 or later"
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

# one_module has every go command below use one workspace, in which go-app is a copy with the files of
# wasm/_goapp: what is shipped is what is vetted, checked and tested. It stops where those do not fit
# go-app any more. (staticcheck does not bear -modfile in GOFLAGS, which would do the same.)
one_module() {
  local list=wasm/_goapp/README.md copy=$cache/go-app new=$cache/go-app.new version from file
  [ "$GOWORK" = off ] || return 0
  local start='^func (e \*engineX) Start(framerate int) {$'
  mkdir -p "$cache"
  go mod download "$goapp" "$uuid" # or there is no directory to list
  version=$(go list -m -f '{{.Version}}' "$goapp")
  from=$(go list -m -f '{{.Dir}}' "$goapp")
  grep -qxF "Made for go-app $version" "$list" ||
    die "wasm/_goapp is not made for go-app $version: do what $list says of an upgrade"
  for file in wasm/_goapp/*.go; do
    [[ $file = *_test.go ]] || grep -qF "\`${file##*/}\`" "$list" ||
      die "$list does not say why ${file##*/} is there"
  done
  rm -rf "$new"
  mkdir -p "$new/pkg"
  cp "$from/go.mod" "$from/LICENSE" "$new"
  cp -R "$from/pkg/app" "$from/pkg/errors" "$from/pkg/logs" "$new/pkg"
  chmod -R u+w "$new"
  for file in http.go resource.go route.go route_test.go; do
    [ -f "$new/pkg/app/$file" ] || die "go-app has no $file to replace any more: see $list"
  done
  [ "$(grep -c "$start" "$new/pkg/app/engine.go")" = 1 ] ||
    die "go-app's engine.go has no Start to replace any more: see $list"
  sed -i "/$start/s/Start/startWhole/" "$new/pkg/app/engine.go"
  # go-app makes identifiers with google/uuid; the rest of that is left out.
  cp -R "$(go list -m -f '{{.Dir}}' "$uuid")" "$new/uuid"
  chmod -R u+w "$new/uuid"
  for file in null.go sql.go; do
    rm "$new/uuid/$file" || die "google/uuid has no $file to leave out any more: see $list"
  done
  sed -i -n '/^package/p; s/^\tNil  */var Nil /p' "$new/uuid/hash.go"
  rm "$new"/uuid/*_test.go
  for file in http.go resource.go; do
    { printf '//go:build !js\n\n'; cat "$from/pkg/app/$file"; } >"$new/pkg/app/$file"
  done
  cp wasm/_goapp/*.go "$new/pkg/app"
  rm "$new/pkg/app/html_gen_test.go" # ten seconds, about what is as it was
  echo 'checks = ["inherit", "-U1000"]' >"$new/pkg/app/staticcheck.conf" # a page uses less of it
  diff -rq "$new" "$copy" >/dev/null 2>&1 || { rm -rf "$copy" && mv "$new" "$copy"; }
  rm -rf "$new"
  sort -u go.sum "$from/go.sum" >"$cache/go.work.sum" # of what go-app's tests need, too
  printf '%s\n' "$(grep '^go ' go.mod)" 'use ..' "replace $goapp => ./go-app" "replace $uuid => ./go-app/uuid" >"$cache/go.work"
  export GOWORK=$PWD/$cache/go.work
}

binary() { in_browser go build ${GALLERY:+-tags gallery} -ldflags "-s -w -buildid=" -o "$cache/app.wasm" ./wasm; }

# plain_binary makes the same for browsers that cannot take 16 bytes at once.
plain_binary() {
  in_browser go build -tags "plain${GALLERY:+,gallery}" -ldflags "-s -w -buildid=" -o "$cache/app-plain.wasm" ./wasm
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
  one_module
  packages
  say "charts and licences"
  rm -rf "$made" # with it scripts that are no more
  node static/build.mjs "$PWD/$made" "$(go env GOROOT)/lib/wasm/wasm_exec.js"
  licences >"$made/licences-go.txt"
  say "binary"
  binary
  plain_binary
  say "bundle"
  rm -f "$cache/whole"
  go run ./wasm ${TRACES:+-traces} -wasm "$cache/app.wasm" -plain "$cache/app-plain.wasm" -exec "$made/wasm_exec.js" \
    -static static -made "$made" -out dist -whole "$cache/whole"
}

build() {
  bundle
  local why=${TRACES:+"TRACES=1 keeps what stack traces show"}
  why=${GALLERY:+"GALLERY=1 adds every part in every state"}$why
  [ ! -f "$cache/whole" ] || why=$(cat "$cache/whole")
  node static/pack.mjs dist "$cache/packed" ${why:+"$why"}
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
  local broken=0 go='--include=*.go' code='--exclude=*_test.go' third large
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
  forbid "go-app in what the page knows, or in its charts: both are plain Go, tested without a page" \
    '"github.com/maxence-charriere/go-app' "$go" "$code" web/state web/chart web/report web/film web/engine
  forbid "an arrow that runs back up: places stand on parts and charts, these on the state" \
    '"hush/web(/(publish|ledger|learn|proof|help|frame|gallery)(/[a-z]+)?)?"' "$go" "$code" web/state web/chart web/report web/film web/engine web/parts
  forbid "an arrow between places: what two of them need is a part, a chart or state" \
    '"hush/web/(publish|ledger|learn|proof|help)"' "$go" "$code" web/publish web/ledger web/learn web/proof web/help
  forbid "a step of publishing in another place: what two of them need is a part, a chart or state" \
    '"hush/web/publish/' "$go" "$code" web/ledger web/learn web/proof web/help
  forbid "an arrow that runs back up in publishing: question and answer stand on the data" \
    '"hush/web/publish/(question|answer)"' "$go" "$code" web/publish/{data,question,answer,explore}
  forbid "a chart's shape that knows an answer: it is drawn from numbers and names, and charts stand on it" \
    '"hush/(core/task|web/(state|chart))[/"]' "$go" "$code" web/chart/plot web/chart/svg
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
  large=$(find web -name '*.go' ! -name '*_test.go' -exec wc -l {} + | awk '
    $2 != "total" { sub("/[^/]*$", "", $2); lines[$2] += $1 }
    END { for (d in lines) if (lines[d] > 2600) print d ": " lines[d] " lines without tests" }')
  if [ -n "$large" ]; then
    printf 'a room that holds too much to be read: make what a visitor meets apart a package of its own\n  %s\n\n' \
      "${large//$'\n'/$'\n  '}" >&2
    broken=1
  fi
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
  local both
  say "vet"
  # No file is left out by these tags: each is read once, but that of the gallery, which takes another's place.
  go vet -tags browser,peer ./... "$goapp/pkg/app"
  go vet -tags gallery ./web
  # All else is the same text in the browser, and the binary below compiles it.
  both=$(in_browser go list -f '{{if .IgnoredGoFiles}}{{.ImportPath}}{{end}}' ./...)
  # shellcheck disable=SC2086 # a list of packages
  in_browser go vet $both "$goapp/pkg/app"
  say "staticcheck"
  GOBIN=$PWD/$cache/bin go install "$staticcheck"
  "$cache/bin/staticcheck" -tags browser,peer ./...
  # shellcheck disable=SC2086
  in_browser "$cache/bin/staticcheck" $both "$goapp/pkg/app" # as it is shipped
}

# checks runs what needs no browser; its arguments go to the native tests.
checks() {
  need_tools
  one_module
  mkdir -p "$cache"
  boundaries || die "a boundary is crossed, see above"
  format
  vet
  packages
  say "readers"
  node --test static/readers
  say "ledger"
  node --test static/ledger.test.mjs
  say "tests"
  go test -timeout 20m "$@" ./... "$goapp/pkg/app"
  say "kernels, WebAssembly in Node"
  in_browser go test -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -short \
    -run 'Kernels|FindRows|PlainASCII|RowsOfBatch|RowsInAnyWrapping|Quick|Careful' ./core/table
  say "binary"
  binary
}

# golden writes anew what tests compare with. Claims (AUDIT.md) and vectors are not among it: who changes
# those says which.
golden() {
  need_tools
  one_module
  local with='{{if eq . "hush/web/webtest"}}{{$path}} {{end}}' pages
  pages=$(go list -f "{{\$path := .ImportPath}}{{range .TestImports}}$with{{end}}{{range .XTestImports}}$with{{end}}" ./web/...)
  say "catalogue of texts"
  go test ./core/message -run '^TestCatalogue$' -update
  say "index of proofs"
  go test ./core/internal/doctest -run '^TestIndex$' -update
  say "golden files"
  # shellcheck disable=SC2086 # a list of packages
  go test $pages -update
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

# install NAME APT APK DNF PACMAN, with the packages of each: installs a browser with the system's package
# manager, as root or through sudo.
install() {
  local root=() name=$1
  say "no $name found: installing one"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "$name is missing, and installing it needs root: install it, or name a browser in ${name^^}"
    root=(sudo)
  fi
  # shellcheck disable=SC2086 # lists of packages
  if command -v apt-get >/dev/null; then
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $2
  elif command -v apk >/dev/null; then
    "${root[@]}" apk add $3
  elif command -v dnf >/dev/null; then
    "${root[@]}" dnf install -y $4
  elif command -v pacman >/dev/null; then
    "${root[@]}" pacman -Sy --noconfirm $5
  else
    die "$name is missing, and this system has none of apt-get, apk, dnf, pacman: install one, or name a browser in ${name^^}"
  fi
}

need_chromium() {
  CHROMIUM=$(find_chromium) ||
    { install Chromium "chromium fonts-dejavu-core" "chromium font-dejavu" chromium chromium; CHROMIUM=$(find_chromium); } ||
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

need_firefox() {
  FIREFOX=$(find_firefox) ||
    { install Firefox firefox-esr firefox-esr firefox firefox; FIREFOX=$(find_firefox); } ||
    die "Firefox was installed and still is not found: name the browser in FIREFOX"
  "$FIREFOX" --version >/dev/null 2>&1 || die "$FIREFOX does not start: install another, or name one in FIREFOX"
  export FIREFOX
}

# failed_tests prints the names of the tests that a log says have failed, one a line.
failed_tests() { sed -n 's/^--- FAIL: \([A-Za-z0-9_]*\) .*/\1/p' "$1" | sort -u; }

# browser_tests runs them all, and those that fail once more, alone: a browser on a busy machine may
# not answer in time. What fails twice in a row is broken. The last lines tell what was tried again.
browser_tests() {
  need_chromium
  need_firefox
  say "browser tests with $CHROMIUM and $FIREFOX"
  in_browser go build -tags gallery -ldflags "-s -w -buildid=" -o "$cache/gallery.wasm" ./wasm
  local log=$cache/browser-tests.log again=$cache/browser-tests-again.log retried="" broken=""
  if ! go test -tags browser -count=1 -timeout 35m ./web/browsertest | tee "$log"; then
    retried=$(failed_tests "$log")
    if [ -z "$retried" ] || grep -qE '^(panic|fatal error): ' "$log"; then # others have not run
      die "the browser tests ended early, see above"
    fi
    say "once more: ${retried//$'\n'/, }"
    if ! go test -tags browser -count=1 -timeout 35m -run "^(${retried//$'\n'/|})\$" ./web/browsertest | tee "$again"; then
      broken=$(failed_tests "$again")
      if [ -z "$broken" ] || grep -qE '^(panic|fatal error): ' "$again"; then broken=$retried; fi
    fi
  fi
  tell_retried "$retried" "$broken"
}

# tell_retried RETRIED BROKEN, names of tests, one a line: prints what became of each as the last lines
# of all, and fails where one is broken.
tell_retried() {
  local name
  [ -n "$2" ] || say "all tests passed"
  if [ -z "$1" ]; then
    echo "no browser test was tried again"
    return 0
  fi
  printf 'browser tests that were tried again: %d\n' "$(grep -c . <<<"$1")"
  while read -r name; do
    if grep -qxF "$name" <<<"$2"; then
      printf '  %s: failed twice in a row\n' "$name"
    else
      printf '  %s: failed once, then passed\n' "$name"
    fi
  done <<<"$1"
  [ -z "$2" ] || die "browser tests failed twice in a row: ${2//$'\n'/, }"
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

# in_node runs a package's benchmarks, named by a pattern, as a program of the browser, in Node; what follows goes to go test.
in_node() {
  local exec
  exec=$(go env GOROOT)/lib/wasm/go_js_wasm_exec
  say "$1, WebAssembly in Node"
  in_browser go test -exec "$exec" -run '^$' -bench "$2" "${@:3}" "$1"
}

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
# adult.csv, pums.csv and dpbench-1d/*.csv. Libraries of Python go below .cache; what cannot be installed is left out.
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
  say "core/internal/peer"
  go test -tags peer -run '^(TestPeers|TestWorkedRelease)$' -count=1 -timeout 120m -v ./core/internal/peer -args -update -python "$python" -tables-python "$tables" ${COLUMNS:+-data "$(realpath "$COLUMNS")"}
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

bench() {
  need_tools
  one_module
  case ${1:-} in
    table | coin | meter | growth | density | query | classify | selection | peers | persons | tab | kinds) "bench_$1" ;;
    "")
      bench_coin
      bench_meter
      bench_growth
      bench_table
      bench_density
      bench_query
      bench_classify
      bench_selection
      bench_peers
      bench_persons
      bench_tab
      bench_kinds
      ;;
    *) die "there is no benchmark $1: table, coin, meter, growth, density, query, classify, selection, peers, persons, tab or kinds" ;;
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
    golden) golden ;;
    test)
      checks
      races
      build
      reproducible
      edge_worker
      browser_tests # the last: it says which were tried again
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
