# What scripts that check an installation have in common, for sourcing. Before it, `work` is set to a
# folder of the script's own; afterwards `passed` and `failed` count.
# shellcheck shell=sh disable=SC2154  # work is the script's
passed=0
failed=0
check() { # WHAT COMMAND…: its output is shown where it fails
  what=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok     $what"
  else
    failed=$((failed + 1))
    echo "FAILED $what"
    cat "$work/log"
  fi
}
fails() { # COMMAND…
  ! "$@"
}
says() { # TEXT COMMAND…: prints it, whatever the status
  text=$1
  shift
  "$@" > "$work/said" 2>&1
  cat "$work/said"
  grep -q -e "$text" "$work/said"
}
