#!/bin/sh
# The header's layout now, compared with the frozen ones.
set -eu
layout=$1
script=$2
shift 2
"$layout" > "$TEST_TMPDIR/now.txt"
exec python3 "$script" "$TEST_TMPDIR/now.txt" "$@"
