#!/bin/sh
# sanitize_cuda.sh SWITCHYARD CASES [REPLAY-OPTION…]: replays reference cases on a GPU under NVIDIA's
# compute-sanitizer, one tool after another: memory, races in shared memory, barriers.
#   TOOLS="memcheck" tools/sanitize_cuda.sh bazel-bin/tools/switchyard cases --op 'index*'
# Status 3: there is no compute-sanitizer, or no GPU; 1: something was found; cases that fail are
# shown and do not count here.
set -eu
[ $# -ge 2 ] || { sed -n 2p "$0" >&2; exit 2; }
program=$1 cases=$2
shift 2
sanitizer=$(command -v compute-sanitizer || echo "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer")
[ -x "$sanitizer" ] || { echo "compute-sanitizer was not found" >&2; exit 3; }
"$program" devices | grep -q 'cuda:0' || { echo "there is no GPU here" >&2; exit 3; }
# Blocks of the size asked for, each of its own: what lies beyond one's end is nobody's.
export SWITCHYARD_CUDA_CACHING=0
found=9 status=0
for tool in ${TOOLS:-memcheck racecheck synccheck}; do
  echo "== $tool"
  code=0
  "$sanitizer" --tool "$tool" --error-exitcode $found --print-limit 20 \
    "$program" replay "$cases" --device cuda --fallback forbid --limit 0 "$@" || code=$?
  [ $code -ne $found ] || status=1
done
exit $status
