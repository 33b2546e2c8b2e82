#!/bin/sh
# embed.sh FILE…: a C++ source with the texts of the files, named as sources include them.
set -eu
echo '#include "backends/cuda/rtc/headers.h"'
echo 'namespace sy::cuda {'
echo 'namespace {'
echo 'constexpr Header kHeaders[] = {'
for file in "$@"; do
  # Bazel may put a folder of its own in front.
  name=$(echo "$file" | sed 's|^.*bin/||')
  printf '{"switchyard/%s", R"sy_header(' "$name"
  cat "$file"
  echo ')sy_header"},'
done
echo '};'
echo '}  // namespace'
echo 'std::span<const Header> EmbeddedHeaders() { return kHeaders; }'
echo '}  // namespace sy::cuda'
