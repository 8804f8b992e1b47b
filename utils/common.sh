# What utils/run-tests and utils/run-demo share; sourced by them.

set -euo pipefail

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${LINALG_EXT_BUILD_DIR:-$repo_root/build}

# Leaves a configured build tree in $build_dir, installing what is missing. The
# arguments are those of utils/install-deps.
linalg_ext_set_up() {
  "$repo_root/utils/install-deps" "$@"
  if [[ ! -f $build_dir/build.ninja ]]; then
    (cd "$repo_root" && cmake --preset default -B "$build_dir")
  fi
}

# Builds the named targets.
linalg_ext_build() {
  cmake --build "$build_dir" -j "${LINALG_EXT_JOBS:-$(nproc)}" --target "$@"
}
