#!/bin/sh
# layer_test.sh DEPS FOLDER…: every label in the file DEPS lies in one of the folders.
set -eu
deps=$1
shift
[ "$(wc -l < "$deps")" -gt 1 ] || { echo "there is nothing in $deps"; exit 1; }
pattern=""
for folder in "$@"; do
  pattern="$pattern${pattern:+|}^//$folder[/:]"
done
# Labels of other repositories are the compiler's and Bazel's own; those of tools/bazel say how things
# are compiled.
if grep -E '^//' "$deps" | grep -vE "$pattern|^//tools/bazel:"; then
  echo "depends on the above, which is not allowed; allowed: $*"
  exit 1
fi
