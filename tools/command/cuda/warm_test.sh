#!/bin/sh
# switchyard cuda warm: kernels are compiled without a device, and are found in the cache.
set -eu
command=$1
export SWITCHYARD_CUDA_CACHE="$TEST_TMPDIR/kernels"

if ! got=$("$command" cuda warm --arch sm_90 --formula Add --formula sy::f::Relu 2>&1); then
  case $got in
    *"NVRTC, the CUDA toolkit's run-time compiler, is not installed"*)
      echo "skipped: $got"
      exit 0
      ;;
  esac
  echo "failed: $got" >&2
  exit 1
fi
wanted="9 kernels for sm_90 in $SWITCHYARD_CUDA_CACHE"
files=$(ls "$SWITCHYARD_CUDA_CACHE" | wc -l)
if [ "$got" != "$wanted" ] || [ "$files" -ne 9 ]; then
  echo "expected '$wanted' and as many files, got: '$got', $files files" >&2
  exit 1
fi
if got=$("$command" cuda warm --arch sm_90 --formula nothing 2>&1); then
  echo "a formula that there is not was taken: $got" >&2
  exit 1
fi
case $got in
  *"there is no formula 'nothing'"*) ;;
  *)
    echo "expected the formula's name, got: $got" >&2
    exit 1
    ;;
esac
