#!/bin/bash
# Fails where code that was compiled for one instruction set defines a weak symbol outside the set's
# namespace: the linker keeps one of several, and a processor without AVX-512 would run code for it.
# The baseline's copy, which runs everywhere, does no harm as long as no other set has one. DW.ref…
# is no code, but where exceptions find theirs.
# Arguments: what nm says of each set's objects, symbols_<isa>.txt.
set -euo pipefail

for list in "$@"; do
  isa=${list##*symbols_}
  isa=${isa%.txt}
  if ! grep -q "sy::cpu::$isa::" "$list"; then
    echo "$list has nothing of $isa: the test looks at the wrong file"
    exit 1
  fi
  if [ "$isa" != baseline ] && grep -E '^[0-9a-f]+ [WVu] ' "$list" | grep -vE "sy::cpu::$isa::| DW\.ref\."; then
    echo "$list: the weak symbols above lie outside sy::cpu::$isa"
    exit 1
  fi
done
