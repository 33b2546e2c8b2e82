#!/bin/sh
# public_headers_test.sh PATTERN HEADER…: no header includes a third-party header, and every header
# opens with a comment that says what it is.
set -eu
pattern=$1
shift
status=0
[ $# -gt 20 ] || { echo "expected more headers than $#"; exit 1; }
for header in "$@"; do
  if grep -nE "#include [<\"]($pattern)" "$header"; then
    echo "$header: a public header must not show that library"
    status=1
  fi
  case "$(head -1 "$header")" in
    "// "*) ;;
    *) echo "$header: opens without a comment"; status=1 ;;
  esac
done
exit $status
