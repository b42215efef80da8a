# CPU time of commands, for the benchmarks that source this file.

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
exec 3>&2 # for what a fit that failed has said

# cpu_seconds COMMAND...: user and system. Exit status 1 is a verdict, which does not matter here.
cpu_seconds() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$scratch/log" 2>&1 || test $? -eq 1 || { cat "$scratch/log" >&3; false; }; } 2>&1 |
    awk '{ print $1 + $2 }'
}

# least NUMBER...
least() {
  printf '%s\n' "$@" | sort -g | head -n 1
}
