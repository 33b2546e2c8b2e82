#!/bin/sh
# The suites of tests/faults in their long form: hours where tools/test.sh takes minutes.
#
#   tools/faults.sh [SECONDS]     SECONDS: of fuzzing for each target, 600 unless given
#
# A plugin of one's own: switchyard conform --check 'faults.*' --places 0 (docs/write-a-backend.md).
set -u
cd "$(dirname "$0")/.."
tools/setup.sh || exit 1
seconds=${1:-600}
status=0
long="--test_env=SWITCHYARD_LONG=1 --test_timeout=36000 --nocache_test_results --keep_going"
echo "== everything, long"
# shellcheck disable=SC2086  # one word an option
bazel test $long //tests/faults/... || status=1
echo "== plugins whose memory and drivers fail at every place, and that are loaded 100,000 times"
for name in skeleton worker; do
  plugin=examples/plugins/$name/lib$name.so
  bazel build "//tools:switchyard" "//${plugin%/*}:${plugin##*/}" || status=1
  for check in 'faults.*' lifecycle.cycles; do
    bazel-bin/tools/switchyard conform --plugin "bazel-bin/$plugin" --device "$name" \
      --check "$check" --places 0 --cycles 100000 --limit 36000 || status=1
  done
done
echo "== threads, under the thread sanitizer"
# shellcheck disable=SC2086
bazel test $long --config=tsan //tests/faults/threads/... || status=1
[ ! -x tools/fuzz.sh ] || tools/fuzz.sh all "$seconds" || status=1
exit $status
