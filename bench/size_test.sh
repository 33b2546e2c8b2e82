#!/bin/sh
# size_test.sh REPORT: the line "heart" is at most 600 kB.
set -eu
cat "$1"
heart=$(awk '$2 == "heart" { print $1 }' "$1")
[ "$heart" -le 600000 ] || { echo "the heart has $heart bytes, more than 600000"; exit 1; }
