# What finds Chromium and Firefox for the tests, and installs what is missing. build.sh sources it.
# shellcheck shell=bash disable=SC2154

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
