#!/bin/sh
# size_test.sh REPORT: the line "heart" is at most 400 kB.
set -eu
cat "$1"
heart=$(awk '$2 == "heart" { print $1 }' "$1")
[ "$heart" -le 400000 ] || { echo "the heart has $heart bytes, more than 400000"; exit 1; }
