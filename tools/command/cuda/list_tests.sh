#!/bin/sh
# list_tests.sh FILE…: the tests in the files as a C++ table: names, and what the comments above them
# say.
set -eu
cat <<'EOF'
// Tests that need a GPU (list_tests.sh).
struct ListedTest {
  const char *suite, *name, *shows;
};
constexpr ListedTest kListedTests[] = {
EOF
awk '
  /^\/\/ / { shows = shows (shows ? " " : "") substr($0, 4); next }
  /^TEST(_F)?\(/ {
    split($0, part, /[(,) ]+/)
    gsub(/["\\]/, "\\\\&", shows)
    printf "    {\"%s\", \"%s\",\n     \"%s\"},\n", part[2], part[3], shows
  }
  { shows = "" }' "$@"
echo "};"
