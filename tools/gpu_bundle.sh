#!/bin/sh
# gpu_bundle.sh [--emulated] FILE.tar.xz: what to take to a machine with an NVIDIA GPU and nothing to
# build with. Unpacked there, switchyard-gpu/gpu_report.sh OUT does the rest (docs/cuda.md): beside
# it lie the command, the tests of the cuda backend in one program, the benchmarks, with PyTorch's
# where TORCH_DIR names it, the recorded cases, the libraries that the programs need besides the C++
# library, and kernels compiled ahead for GPU_ARCHITECTURES ("sm_90"): the usual ones, and what the
# caches have that GPU_KERNELS_LIKE names (absolute folders, separated by blanks).
#
# --emulated: programs that run on the emulator, where there is no GPU, to try the report out
# (tools/gpu_bundle_test.sh); its kernels are those of GPU_KERNELS_LIKE alone.
set -eu
emulated=
[ "${1:-}" != --emulated ] || { emulated=1; shift; }
[ $# -eq 1 ] || { sed -n 2p "$0" >&2; exit 2; }
case $1 in /*) file=$1 ;; *) file=$PWD/$1 ;; esac
cd "$(dirname "$0")/.."
bazel=${BAZEL:-bazel}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=$scratch/switchyard-gpu
mkdir -p "$folder/lib" "$folder/cases"

if [ -n "$emulated" ]; then
  touch "$folder/emulated"
  set -- tools/command/cuda:emulated_switchyard backends/cuda:gpu_tests bench:emulated_cuda
else
  set -- tools:switchyard backends/cuda:gpu_tests backends/cuda:launch_benchmark bench:cuda
  [ -z "${TORCH_DIR:-}" ] || set -- "$@" bench/peer_torch:cuda
fi
for target in "$@"; do echo "//$target"; done | xargs "$bazel" build
for target in "$@"; do
  name=${target#*:}
  case $target in bench/peer_torch:*) name=peer_cuda ;; esac
  install -s -m 755 "bazel-bin/$(echo "$target" | tr : /)" "$folder/${name#emulated_}"
done
install -m 755 tools/gpu_report.sh "$folder/"
cp -r tests/conformance/data/* tests/conformance/gradients "$folder/cases/"

# The host's part of some calls opens these.
for library in libdnnl.so.3 libdnnl.so.2 libopenblas.so.0 libsleef.so.3 libgomp.so.1; do
  found=$(ldconfig -p | sed -n "s|.*$library .*=> ||p" | head -n 1)
  [ -z "$found" ] || cp -L "$found" "$folder/lib/"
done
# All that these and the programs link, but for what is on every machine.
for program in "$folder"/*; do [ ! -x "$program" ] || ldd "$program" 2> /dev/null || true; done |
  cat - > "$scratch/linked"
ldd "$folder"/lib/* >> "$scratch/linked"
sed -n 's|.*=> \(/[^ ]*\) .*|\1|p' "$scratch/linked" | sort -u |
  grep -Ev '/(libc|libm|libmvec|libdl|librt|libpthread|libgcc_s|libstdc[+][+])[.]so|/libtorch|/libc10' |
  xargs -I {} cp -L {} "$folder/lib/"

# Beside the programs, where they look for them.
like=
for cache in ${GPU_KERNELS_LIKE:-}; do like="$like --like $cache"; done
for architecture in ${GPU_ARCHITECTURES:-sm_90}; do
  [ -n "$emulated" ] ||
    "$folder/switchyard" cuda package "$folder/switchyard-kernels" --arch "$architecture"
  # shellcheck disable=SC2086  # words
  [ -z "$like" ] ||
    "$folder/switchyard" cuda package "$folder/switchyard-kernels" --arch "$architecture" $like
done
tar -C "$scratch" --owner=0 --group=0 -c switchyard-gpu | xz -T0 -6 > "$file"
du -h "$file"
