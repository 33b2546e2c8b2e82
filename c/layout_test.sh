#!/bin/sh
# The header's layout now, compared with the frozen one.
set -eu
"$1" > "$TEST_TMPDIR/now.txt"
exec python3 "$2" "$TEST_TMPDIR/now.txt" "$3"
