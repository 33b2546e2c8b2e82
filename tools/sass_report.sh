#!/bin/sh
# sass_report.sh FOLDER: what the kernels that have goals ask of an H100 or H200, without one: they are
# compiled by NVRTC for sm_90 into FOLDER and looked at with nvdisasm. Prints the table of
# docs/cuda.md: registers, stack, shared memory, blocks that a multiprocessor has room for,
# instructions an element, and what all issue slots would move with that many, beside the goal.
# nvdisasm: on PATH, in CUDA_HOME, or named by NVDISASM (Python's package nvidia-cuda-nvdisasm has it).
# Status 3: there is none.
set -eu
[ $# -eq 1 ] || { sed -n 2,3p "$0" >&2; exit 2; }
nvdisasm=${NVDISASM:-$(command -v nvdisasm || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvdisasm")}
[ -x "$nvdisasm" ] || { echo "nvdisasm was not found" >&2; exit 3; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
${BAZEL:-bazel} build //backends/cuda:sass_test >&2
SWITCHYARD_SASS_FOLDER=$folder bazel-bin/backends/cuda/sass_test >&2
echo "| kernel | registers | stack | shared | blocks | instructions an element | ceiling, TB/s | goal |"
echo "|---|---|---|---|---|---|---|---|"
tab=$(printf '\t')
while IFS="$tab" read -r file name registers stack shared threads elements looped bytes goal; do
  # Instructions of the loop that loads most, where a pass is one round of it, up to the first loop
  # inside it; else of all up to the first end of the program that is not taken on a condition: what a
  # thread goes through, and what it goes around (an index out of range) with it.
  "$nvdisasm" -c "$folder/$file" |
    awk -v name="$name" -v registers="$registers" -v stack="$stack" -v shared="$shared" \
      -v threads="$threads" -v elements="$elements" -v looped="$looped" -v bytes="$bytes" -v goal="$goal" '
      /^\.L_x_[0-9]+:/ { label[substr($1, 1, length($1) - 1)] = n }
      /\/\*[0-9a-f]+\*\// {
        line = $0
        sub(/^[^*]*\*[0-9a-f]+\*\/ */, "", line)
        if (line ~ /^NOP/) next
        ++n
        loads[n] = loads[n - 1] + (line ~ /LDG.*128/ ? 4 : line ~ /LDG.*64/ ? 2 : line ~ /LDG/ ? 1 : 0)
        if (line ~ /^EXIT/ && !end) end = n
        if (match(line, /BRA `\(\.L_x_[0-9]+\)/)) {
          target = substr(line, RSTART + 6, RLENGTH - 7)
          if (target in label) {  # back to it
            begin = label[target]
            end_of_part = n
            for (i = 0; i < loops; ++i)
              if (begins[i] >= begin && begins[i] < end_of_part) end_of_part = begins[i]
            begins[loops++] = begin
            if (looped && loads[end_of_part] - loads[begin] > most) {
              loop = end_of_part - begin
              most = loads[end_of_part] - loads[begin]
            }
          }
        }
      }
      END {
        count = loop ? loop : end ? end : n
        each = count / elements
        # Registers go to warps in units of 256, shared memory in units of 1 kB with 1 kB for the system.
        warps = int((threads + 31) / 32)
        of_warp = int((registers * 32 + 255) / 256) * 256
        blocks = int(65536 / (of_warp * warps))
        room = int(233472 / (int((shared + 1023) / 1024) * 1024 + 1024))
        if (room < blocks) blocks = room
        if (int(64 / warps) < blocks) blocks = int(64 / warps)
        # 132 multiprocessors, four warps a cycle, 1.755 GHz.
        ceiling = 132 * 4 * 32 * 1.755e9 / each * bytes / 1e12
        printf "| %s | %d | %d | %d | %d | %.1f%s | %.1f | %.1f |\n", name, registers, stack, shared, blocks, each, loop ? " (loop)" : "", ceiling, goal
      }'
done < "$folder/facts.tsv"
