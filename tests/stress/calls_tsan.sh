#!/bin/sh
# SPDX-License-Identifier: MIT
# Many random calls from four threads under ThreadSanitizer: no race, and every accepted request completes exactly once. Builds
# a copy of the sources for it. `make check-long` runs it; by hand, in any folder:
#
#   sh tests/stress/calls_tsan.sh [ROUNDS [CALLS [SEED]]]     20, 100,000 and 1 by default; CALLS are those of each thread
set -u
sources=$(cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

fail() {
    echo "calls_tsan: $1" >&2
    tail -n 20 "$work/log" >&2
    exit 99
}

printf 'int main(void) { return 0; }\n' >"$work/empty.c"
${CC:-cc} -fsanitize=thread "$work/empty.c" -o "$work/empty" >"$work/log" 2>&1 && "$work/empty" || {
    echo 'calls_tsan: the compiler has no ThreadSanitizer here'
    exit 77
}
mkdir "$work/source" "$work/build"
(cd "$sources" && tar cf - --exclude=./.git --exclude=./build --exclude=./build-ci --exclude='*.o' .) | (cd "$work/source" && tar xf -)
rm -f "$work/source/config.status" # of a build in the folder of the sources
(cd "$work/build" && "$work/source/configure" CC="${CC:-cc}" --enable-sanitizer=thread >"$work/log" 2>&1) || fail 'configure failed'
make -s -j "$(getconf _NPROCESSORS_ONLN)" -C "$work/build" stress_calls >"$work/log" 2>&1 || fail 'stress_calls cannot be built'
TSAN_OPTIONS=halt_on_error=1 "$work/build/stress_calls" "${1:-20}" "${2:-100000}" "${3:-1}"
