# What has Coq check core/proof. build.sh sources it, and browsers.sh before it.
# shellcheck shell=bash

has_coq() {
  local theories
  command -v coqc >/dev/null && command -v coqchk >/dev/null || return 1
  theories=$(coqc -where)/user-contrib/mathcomp/algebra/rat.vo
  [ -f "$theories" ]
}

# need_coq installs Coq with MathComp's algebra; Debian's 8.16 and 1.15 are what the proofs are written for.
need_coq() {
  has_coq || install Coq "coq libcoq-mathcomp-algebra" coq coq coq
  has_coq || die "Coq was installed, and coqc, coqchk or MathComp's algebra still is not found: install them"
}

# proofs has Coq check core/proof; with -update it writes anew what is compared.
proofs() {
  say "proofs, by $(coqc --version | head -n 1)"
  HUSH_PROOFS=1 go test -count=1 -v -timeout 30m ./core/proof "$@"
}
