#!/bin/sh
# size.sh OUT WHOLE WITHOUT_CPU FILE…: stripped bytes of the heart (the libraries among FILE…, linked
# whole into one shared object), of a program with everything, and of the cpu backend in it.
set -eu
out=$1
whole=$2
without_cpu=$3
shift 3
archives=""
for file in "$@"; do
  case "$file" in *.a | *.lo) archives="$archives $file" ;; esac
done
stripped=$(mktemp)
# shellcheck disable=SC2086  # one word an archive
g++ -shared -s -o "$stripped" -Wl,--whole-archive $archives -Wl,--no-whole-archive
heart=$(wc -c < "$stripped")
strip -o "$stripped" "$whole"
all=$(wc -c < "$stripped")
strip -o "$stripped" "$without_cpu"
rest=$(wc -c < "$stripped")
rm -f "$stripped"
printf '%9d heart\n%9d cpu backend\n%9d a program with everything\n' "$heart" $((all - rest)) "$all" > "$out"
