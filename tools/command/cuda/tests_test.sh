#!/bin/sh
# switchyard cuda tests lists the tests that there are, each with what it shows.
set -eu
listed=$("$1" cuda tests | sed -n 's/^\(GpuOnly[A-Za-z]*\.[A-Za-z]*\)$/\1/p' | sort)
there=$("$2" --gtest_list_tests | awk '/^[^ ]/ { suite = $1 } /^ / { print suite $1 }' |
  grep '^GpuOnly' | sort)
[ -n "$listed" ] && [ "$listed" = "$there" ] || {
  printf 'listed:\n%s\nthere are:\n%s\n' "$listed" "$there" >&2
  exit 1
}
if "$1" cuda tests | grep -qE '^ {4}$'; then
  echo "a test has no comment that says what it shows" >&2
  exit 1
fi
