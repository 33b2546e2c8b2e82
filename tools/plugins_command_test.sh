#!/bin/sh
# switchyard plugins, devices and --plugin, with the skeleton.
set -eu
command=$1
library=$2
fault=$3
folder=$(dirname "$library")

expect() { # text, then the command
  wanted=$1
  shift
  got=$("$@" 2>&1) || true
  case $got in
    *"$wanted"*) ;;
    *)
      echo "expected '$wanted' of $*, got:" >&2
      echo "$got" >&2
      exit 1
      ;;
  esac
}

expect "skeleton 1.0" "$command" plugins "$folder"
expect '"operators"' "$command" plugins "$folder" --json
expect "skeleton: 2 devices  (plugin 'skeleton')" "$command" devices --plugin "./$library"
expect '"unavailable": ""' "$command" devices --json
expect "skeleton: int32 int64 float32 float64  (plugin 'skeleton': " \
  "$command" ops --plugin "./$library" add.Tensor
expect "the kernel at plugin 'skeleton': " \
  "$command" explain --plugin "./$library" add.Tensor skeleton float32
expect "tensor([4., 6.], device='skeleton:0')" \
  "$command" run --plugin "./$library" --device skeleton add '[1., 2.]' '[3., 4.]'
SWITCHYARD_PLUGIN_PATH=$PWD/$folder expect "skeleton::scale" "$command" ops --plugin skeleton 'skeleton*'
expect "no plugin named 'nothing'" "$command" ops --plugin nothing
expect "no kernel for device skeleton" \
  "$command" run --plugin "./$library" --device skeleton neg '[1., 2.]'
expect "tensor([-1., -2.], device='skeleton:0')" \
  "$command" run --plugin "./$library" --device skeleton --fallback allow neg '[1., 2.]'

# A plugin that crashes: which, and in what, in one line; the status is the signal's.
# The shell says it, too.
crash() { # FAULT, signal, text
  status=0
  FAULT=$1 "$command" run --plugin "./$fault" --device fault full '[2]' 3. 2> crash.txt || status=$?
  wanted="switchyard: $2 in $(readlink -f "$fault"), during the $3"
  if [ "$status" -le 128 ] || [ "SIG$(kill -l $((status - 128)))" != "$2" ] ||
    [ "$(grep -v '^Segm\|^Abort' crash.txt)" != "$wanted" ]; then
    echo "expected '$wanted' and its status with FAULT='$1', got $status and:" >&2
    cat crash.txt >&2
    exit 1
  fi
}
crash "kernel crashes" SIGSEGV "call of full with [2] 3. on fault"
crash "kernel aborts" SIGABRT "call of full with [2] 3. on fault"
crash "init crashes" SIGSEGV "loading of plugin ./$fault"
