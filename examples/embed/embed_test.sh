#!/bin/sh
# embed_test.sh PROGRAM EXPECTED: the program prints EXPECTED.
set -eu
"$1" | diff "$2" -
