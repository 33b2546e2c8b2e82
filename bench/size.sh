#!/bin/sh
# size.sh OUT WHOLE WITHOUT_CPU ADD_MATMUL FILE… -- FILE…: stripped bytes of the heart (the libraries
# among the first FILE…, linked whole into one shared object, with what they use of the others), of a
# program with everything, of the cpu backend in it, and of a program with two operators.
set -eu
out=$1
whole=$2
without_cpu=$3
add_matmul=$4
shift 4
archives="-Wl,--whole-archive"
for file in "$@"; do
  case "$file" in
    *.a | *.lo) archives="$archives $file" ;;
    --) archives="$archives -Wl,--no-whole-archive" ;;
  esac
done
stripped=$(mktemp)
# shellcheck disable=SC2086  # one word an archive
g++ -shared -s -o "$stripped" $archives
heart=$(wc -c < "$stripped")
strip -o "$stripped" "$whole"
all=$(wc -c < "$stripped")
strip -o "$stripped" "$without_cpu"
rest=$(wc -c < "$stripped")
strip -o "$stripped" "$add_matmul"
two=$(wc -c < "$stripped")
rm -f "$stripped"
printf '%9d heart\n%9d cpu backend\n%9d a program with everything\n%9d a program with add and matmul\n' \
  "$heart" $((all - rest)) "$all" "$two" > "$out"
