# What the shell programs of utils/ and examples/ share; sourced by them.

set -euo pipefail

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${LINALG_EXT_BUILD_DIR:-$repo_root/build}

# With --help, prints the comment at the head of the program, and ends it. Refuses
# arguments that the regular expression $1 does not match.
linalg_ext_check_arguments() {
  local expected=$1 argument
  shift
  for argument in "$@"; do
    if [[ $argument == -h || $argument == --help ]]; then
      sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
      exit 0
    elif [[ ! $argument =~ ^($expected)$ ]]; then
      echo "${0##*/}: error: unknown argument '$argument'; --help lists them" >&2
      exit 2
    fi
  done
}

# Leaves a configured build tree in $build_dir, installing what is missing. The
# arguments are those of utils/install-deps.
linalg_ext_set_up() {
  "$repo_root/utils/install-deps" "$@"
  if [[ ! -f $build_dir/build.ninja ]]; then
    (cd "$repo_root" && cmake --preset default -B "$build_dir")
  fi
}

# Runs a command, and prints how long it took: by the clock, and on all processors.
linalg_ext_timed() {
  local TIMEFORMAT="${0##*/}: $1: %0R s, and %0U s of user time"
  shift
  time "$@"
}

# Builds the named targets.
linalg_ext_build() {
  cmake --build "$build_dir" -j "${LINALG_EXT_JOBS:-$(nproc)}" --target "$@"
}
