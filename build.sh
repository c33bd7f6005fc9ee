#!/usr/bin/env bash
# One script for everything; ./build.sh without a verb prints the verbs. It needs Go and Node and nothing else that it
# does not install itself: npm packages by lock file, Go modules by go.sum, Chromium and Firefox for the tests.
# Made things go to dist/ (the bundle) and .cache/ (whatever saves time the next time); both can be deleted. The command's
# chart library goes to web/hush/pictures/made/, from where Go takes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
unset GOOS GOARCH
export GOFLAGS=-buildvcs=false # the bundle depends on its sources, not on the state of a repository
GOTOOLCHAIN=$(sed -n 's/^toolchain //p' go.mod) # this one and no newer: another makes other bytes
export GOTOOLCHAIN
export GOWORK=off # until one_module
export GOEXPERIMENT=nojsonv2 # encoding/json as it was before Go 1.27 saves 142 kB of brotli, 4 % of the binary

readonly cache=.cache made=.cache/made
readonly goapp=github.com/maxence-charriere/go-app/v10
readonly staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2 # the first that reads what Go 1.27.2 writes

usage() {
  cat <<'END'
Usage: ./build.sh VERB

  build          makes the bundle in dist/, for any static host at any path; TRACES=1 keeps what stack traces show
  serve [FLAGS]  builds, then serves it at http://localhost:8000 (PORT=…, or -addr host:port)
  tool           makes the command hush for this machine, one static binary, .cache/tool/hush
  edge [FLAGS]   builds, then runs it as a Cloudflare Worker on this machine, without an account or a network
  check          format, vet, staticcheck, short tests, the browser's binary: minutes, no browser
  golden         writes anew what tests compare with, and what a new question lacks: the difference is the review
  test           all of that with the long tests, then the bundle in a real Chromium and Firefox
  proofs         has Coq check the proofs of core/proof: minutes
  bench [NAME]   measures, and never fails for being slow; NAME is one of those in .ci/bench.sh, or nothing for all
END
}

# Functions are copied into their callers only in the packages where time is spent: that saves 373 kB
# of brotli, an eighth of the binary.
readonly hot="hush/core/coin hush/core/domain hush/core/table hush/core/threshold
  bytes cmp encoding/binary math/big math/bits slices sync/atomic unicode/utf8"

# in_browser runs a command for the browser. All share the binary's flags, so that each package is
# compiled once for checks, tests and the binary.
browser_flags="$GOFLAGS -trimpath -gcflags=all=-l"
for package in $hot; do browser_flags+=" -gcflags=$package="; done
export BROWSER_GOFLAGS=$browser_flags
in_browser() { GOOS=js GOARCH=wasm GOFLAGS=$BROWSER_GOFLAGS "$@"; }

# in_node runs a package's benchmarks, named by a pattern, as a program of the browser, in Node; what follows goes to go test.
in_node() {
  local exec
  exec=$(go env GOROOT)/lib/wasm/go_js_wasm_exec
  say "$1, WebAssembly in Node"
  in_browser go test -exec "$exec" -run '^$' -bench "$2" "${@:3}" "$1"
}

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
  go mod download "$goapp" # or there is no directory to list
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
  for file in http.go resource.go; do
    { printf '//go:build !js\n\n'; cat "$from/pkg/app/$file"; } >"$new/pkg/app/$file"
  done
  cp wasm/_goapp/*.go "$new/pkg/app"
  rm "$new/pkg/app/html_gen_test.go" # ten seconds, about what is as it was
  echo 'checks = ["inherit", "-U1000"]' >"$new/pkg/app/staticcheck.conf" # a page uses less of it
  diff -rq "$new" "$copy" >/dev/null 2>&1 || { rm -rf "$copy" && mv "$new" "$copy"; }
  rm -rf "$new"
  sort -u go.sum "$from/go.sum" >"$cache/go.work.sum" # of what go-app's tests need, too
  printf '%s\n' "$(grep '^go ' go.mod)" 'use ..' "replace $goapp => ./go-app" >"$cache/go.work"
  export GOWORK=$PWD/$cache/go.work
}

binary() { in_browser go build ${GALLERY:+-tags gallery} -ldflags "-s -w -buildid=" -o "$cache/app.wasm" ./wasm; }

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
  say "bundle"
  rm -f "$cache/whole"
  go run ./web/bundle ${TRACES:+-traces} -wasm "$cache/app.wasm" -exec "$made/wasm_exec.js" \
    -static static -made "$made" -out dist -whole "$cache/whole" -texts "$cache/texts.json"
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

# pictures makes the chart library of the command, which go build puts into it.
pictures() {
  packages
  node static/still.mjs web/hush/pictures/made/charts.js.gz
}

# tool makes the command. Of the page it has the chart library, for which it takes Node.
tool() {
  command -v go >/dev/null || die "Go is missing: install Go 1.21 or later from your system or from go.dev"
  if command -v node >/dev/null && command -v npm >/dev/null; then
    pictures
  else
    say "Node is missing: hush will write tables in the place of pictures"
  fi
  CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -buildid=" -o "$cache/tool/hush" ./web/hush
  ls -l "$cache/tool/hush"
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

format() {
  say "format"
  local found
  found=$(gofmt -l core web wasm serve.go)
  [ -z "$found" ] || die "gofmt would change: ${found//$'\n'/, }"
}

vet() {
  local both
  say "vet"
  # No file is left out by these tags: each is read once, but that of the gallery, which takes another's place.
  go vet -tags browser,peer ./... "$goapp/pkg/app"
  go vet -tags gallery ./web
  # All else is the same text in the browser, and the binary below compiles it.
  both="$(in_browser go list -f '{{if .IgnoredGoFiles}}{{.ImportPath}}{{end}}' ./...) ./wasm"
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
  format
  vet
  pictures
  say "readers"
  node --test static/readers
  say "ledger and client"
  node --test static/ledger.test.mjs static/ledgerfile.test.mjs static/answers.test.mjs static/hush.test.mjs static/forms.test.mjs static/rows.test.mjs
  say "tests"
  # The two that take longest begin first, so that none of them runs alone at the end. It was vetted above.
  go test -vet=off -timeout 60m "$@" ./core/task ./core/internal/replay ./... "$goapp/pkg/app"
  say "kernels, WebAssembly in Node"
  in_browser go test -vet=off -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -short \
    -run 'Kernels|FindRows|PlainASCII|RowsOfBatch|RowsInAnyWrapping|Quick|Careful' ./core/table
  say "binary"
  binary
}

# The tests that write golden files, by package, without Test before their names. TestGolden finds one that is missing.
readonly goldens="
  core/internal/replay EveryQuestionHasALine
  core/task EveryQuestionHasVectors VerdictDocument
  core/internal/doctest Index Systems
  core/warehouse Questions
  web PageInEveryPhase
  web/chart ChartOptions ContactsGraph WishFindsEpsilon
  web/chart/finding ProofCharts
  web/gallery Components
  web/publish/answer Comparison
  web/report Edition PictureHoldsShapesOnly Report
  web/state/session ExampleHolds
"

# golden writes anew what tests compare with. Claims (AUDIT.md), what is measured and what was released before are not
# among it: who changes those says which.
golden() {
  need_tools
  one_module
  say "golden files"
  local packages names
  packages=$(awk 'NF { print "./" $1 }' <<<"$goldens")
  names=$(awk 'NF { for (i = 2; i <= NF; i++) print $i }' <<<"$goldens" | paste -sd '|')
  # shellcheck disable=SC2086 # a list of packages
  go test -vet=off $packages -run "^Test($names)\$" -update
}

# --- test ------------------------------------------------------------------------------------------------------------

# races looks for a race where core is used from two goroutines, if there is a C compiler, which -race needs.
races() {
  if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; then
    say "races"
    go test -race -run TestTwoLanguagesAtOnce ./core/task
  fi
}

# failed_tests prints the names of the tests that a log says have failed, one a line.
failed_tests() { sed -n 's/^--- FAIL: \([A-Za-z0-9_]*\) .*/\1/p' "$1" | sort -u; }

# browser_tests runs them all, and those that fail once more, alone: a browser on a busy machine may
# not answer in time. What fails twice in a row is broken. The last lines tell what was tried again.
browser_tests() {
  source .ci/browsers.sh
  need_chromium
  need_firefox
  say "browser tests with $CHROMIUM and $FIREFOX"
  in_browser go build -tags gallery -ldflags "-s -w -buildid=" -o "$cache/gallery.wasm" ./wasm
  # The first start reads Firefox from the disk, which may take a minute: no test waits for that.
  local profile
  profile=$(mktemp -d)
  timeout 180 "$FIREFOX" --headless --no-remote --profile "$profile" --screenshot "$profile/blank.png" about:blank >/dev/null 2>&1 ||
    echo "$FIREFOX takes no picture of an empty page: its tests will say why"
  rm -rf "$profile"
  # Each wait of a test has its own limit; this one is for a test that hangs, on a machine with other work too.
  local limit=4h log=$cache/browser-tests.log again=$cache/browser-tests-again.log retried="" broken=""
  if ! go test -tags browser -count=1 -timeout "$limit" ./web/browsertest | tee "$log"; then
    retried=$(failed_tests "$log")
    if [ -z "$retried" ] || grep -qE '^(panic|fatal error): ' "$log"; then # others have not run
      die "the browser tests ended early, see above"
    fi
    say "once more: ${retried//$'\n'/, }"
    if ! go test -tags browser -count=1 -timeout "$limit" -run "^(${retried//$'\n'/|})\$" ./web/browsertest | tee "$again"; then
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

# npm_package tests the package of the bundle, as npm installs it.
npm_package() {
  say "package, in Node"
  node --test static/package.test.mjs
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

# --- main ------------------------------------------------------------------------------------------------------------

bench() {
  need_tools
  one_module
  source .ci/browsers.sh
  source .ci/bench.sh
  measure "$@"
}

main() {
  local verb=${1:-}
  [ $# -eq 0 ] || shift
  case $verb in
    build) build ;;
    serve) serve "$@" ;;
    edge) edge "$@" ;;
    tool) tool ;;
    check) checks -short ;;
    golden) golden ;;
    proofs)
      source .ci/browsers.sh
      source .ci/proofs.sh
      need_coq
      proofs "$@"
      ;;
    test)
      source .ci/browsers.sh
      source .ci/warehouses.sh
      need_warehouses
      checks
      source .ci/proofs.sh
      if has_coq; then proofs; else say "Coq is not installed: the proofs of core/proof were not checked by it"; fi
      races
      build
      npm_package
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
