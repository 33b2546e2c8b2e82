#!/bin/sh
# tour_test.sh TOUR EXPECTED: the tour prints EXPECTED, then an overload packet of the registry,
# explains a call, and uses the accelerator if there is one.
set -eu
out=$(mktemp)
"$1" > "$out"
lines=$(wc -l < "$2")
head -n "$lines" "$out" | diff "$2" -
tail -n +"$((lines + 1))" "$out" > "$out.rest"
head -n 1 "$out.rest" | grep -qx '# The registry'
grep -Eqx '[0-9]{4} operators in [0-9]{3,4} packets' "$out.rest"
grep -q '^index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor : cpu' "$out.rest"
[ "$(wc -l < "$out.rest")" -lt 60 ] || { echo "the tour prints too much"; exit 1; }
grep -Eqx 'Sorry, CPU only.|We have an accelerator!' "$out.rest"
grep -q '^index_copy_ on cpu with float32' "$out.rest"
grep -q 'taken: ' "$out.rest"
