# What several scripts share; they read it with `. scripts/common.sh`.

# install PACKAGE...: installs packages of Debian, in one run at a time; fails where that cannot be done.
install() {
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
  echo "Installing $*" >&2
  (
    flock 9
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
  ) 9>"${TMPDIR:-/tmp}/livedelta-install.lock"
}

# The parts of a run that failed, by name.
failed_parts=()

# part NAME MINUTES COMMAND...: runs a part of a run for so long at most, and not beyond the date RUN_END if there is one,
# and says what came of it. Fails if it did; the status 77 says that it was left out.
part() {
  local name="$1" seconds="$(($2 * 60))" start="$SECONDS" status=0 outcome rest
  shift 2
  if [ -n "${RUN_END:-}" ]; then
    rest="$((RUN_END - $(date +%s)))"
    [ "$seconds" -lt "$rest" ] || seconds="$((rest > 0 ? rest : 1))"
  fi
  timeout --kill-after=30 "$seconds" "$@" </dev/null || status=$?
  case "$status" in
    0) outcome="passed" ;;
    77) outcome="was left out" ;;
    124 | 137) outcome="FAILED: it did not end within $seconds seconds" ;;
    *) outcome="FAILED with the status $status" ;;
  esac
  echo "part: $name $outcome, $((SECONDS - start)) s" >&2
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || { failed_parts+=("$name"); return 1; }
}
