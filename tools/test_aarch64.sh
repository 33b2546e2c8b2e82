#!/bin/sh
# Builds the command for aarch64 and replays the reference cases on its cpu and meta devices, on this
# x86-64 machine: programs run under qemu. Ends with the line "N passed, N failed".
#
#   tools/test_aarch64.sh [TEST…]      labels of tests to run there too: those that start no program
#
# SWITCHYARD_AARCH64_SYSROOT: the folder for Debian's arm64 libraries (third_party/aarch64/sysroot.sh).
set -u
cd "$(dirname "$0")/.." || exit 1
sysroot=${SWITCHYARD_AARCH64_SYSROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/switchyard/aarch64}
tools/setup.sh && tools/setup.sh tools/packages_aarch64.txt || exit 1
third_party/aarch64/sysroot.sh "$sysroot" || exit 1
sysroot=$(cd "$sysroot" && pwd)
options="--config=aarch64 --repo_env=SWITCHYARD_AARCH64_SYSROOT=$sysroot"
qemu="qemu-aarch64 -L $sysroot"
status=0
log=$(mktemp)
totals=$(mktemp)

# shellcheck disable=SC2086  # one word an option
bazel build $options //tools:switchyard || exit 1
# shellcheck disable=SC2086
command=$(bazel info $options bazel-bin)/tools/switchyard
$qemu "$command" version || status=1
limit=600  # seconds a case: qemu takes many times as long as a processor
for folder in tests/conformance/data/*; do
  for device in cpu meta; do
    $qemu "$command" replay "$folder" --device "$device" --limit $limit --verbose > "$log" || {
      status=1
      cat "$log"
    }
    # total  native  fallback  failed  missing: of operators that tests/conformance/missing.txt names
    tail -n 1 "$log" | awk -v name="${folder##*/} on $device" '
      $1 == "total" { print name " (" $5 " missing): " $2 + $3 " passed, " $4 " failed"; found = 1 }
      END { if (!found) print name ": 0 passed, 1 failed" }' | tee -a "$totals"
  done
done
if [ $# -gt 0 ]; then
  # shellcheck disable=SC2086
  bazel test $options --keep_going --run_under="$qemu" -- "$@" || status=1
  python3 tools/test_totals.py tests "$@" | tee -a "$totals" || status=1
fi
awk '{ passed += $(NF - 3); failed += $(NF - 1) }
     END { print passed " passed, " failed " failed"; exit (failed > 0) }' "$totals" || status=1
rm -f "$log" "$totals"
exit $status
