#!/bin/sh
# tour_test.sh TOUR EXPECTED: the tour prints EXPECTED, then lists the registry and explains a call.
set -eu
out=$(mktemp)
"$1" > "$out"
lines=$(wc -l < "$2")
head -n "$lines" "$out" | diff "$2" -
tail -n +"$((lines + 1))" "$out" > "$out.rest"
head -n 1 "$out.rest" | grep -qx '# The registry'
grep -q '^index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!) : cpu' "$out.rest"
grep -q '^index_copy_ on cpu with float32' "$out.rest"
grep -q 'taken: ' "$out.rest"
