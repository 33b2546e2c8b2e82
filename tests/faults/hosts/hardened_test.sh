#!/bin/sh
# hardened_test.sh ARCHIVE…: what reads files and texts of others was compiled with the flags that
# .bazelrc gives it. All of them are given on one line, so that one that can be seen shows all.
set -eu
files="elf load manifest note object trusted_file unload validate
  literal schema_parser
  checkpoint_contents gguf npy npy_header safetensors unpickler unpickler_names zip
  folder numbers recorded
  disk_cache"
guarded=$(for archive in "$@"; do nm -A "$archive"; done |
  sed -n 's/.*:\(.*\)\.pic\.o:.* U __stack_chk_fail$/\1/p')
status=0
for file in $files; do
  echo "$guarded" | grep -qx "$file" || { echo "$file.cc is not guarded"; status=1; }
done
# And what only computes is not.
if echo "$guarded" | grep -qx 'frame\|kernel\|tensor_impl\|variants'; then
  echo "the path of a call is guarded, and slower than it should be"
  status=1
fi
exit $status
