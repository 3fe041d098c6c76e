#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as WebAssembly: build.sh OUT.wasm [FOLDER]; FOLDER gets its objects, too. Needs clang, lld and wasi-libc
# (Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32); wasm-opt (binaryen) makes it smaller where it is installed.
set -eu
out=$1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc="clang --target=wasm32-wasi --sysroot=/nowhere -isystem /usr/include/wasm32-wasi -std=c11 -fvisibility=hidden
    -fno-strict-aliasing -ffp-contract=off -I$root/include -I$root/src"
link() { # objects...
    clang --target=wasm32-wasi --sysroot=/usr -nostdlib -mexec-model=reactor /usr/lib/wasm32-wasi/crt1-reactor.o "$@" \
        -L/usr/lib/wasm32-wasi -lc "$(clang --print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" \
        -Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,--export-dynamic -Wl,--export=malloc -Wl,--export=free -Wl,--strip-all \
        -o "$work/wend.wasm"
}
# A file first: what is missing is known before all are compiled.
echo '#include <stdlib.h>' >"$work/first.c"
# shellcheck disable=SC2086 # words of flags
{ $cc -c "$work/first.c" -o "$work/first.o" && link "$work/first.o"; } || {
    echo 'build.sh: clang cannot build for wasm32-wasi here: are wasi-libc and libclang_rt for wasm32 installed?' >&2
    exit 1
}
rm "$work/first.o"
sh "$root/bindings/sources.sh" >"$work/sources"
# What searches and decides is made fast (-O2 gives no more speed in V8), and all else small.
# shellcheck disable=SC2086 # words of flags
(cd "$root" && cat "$work/sources" && echo bindings/js/shim.c) | (cd "$root" && xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} sh -c \
    "level=-Oz
    case {} in src/fast/far/*|src/fast/stops/*|src/search/enclosed/*|src/search/store/*|src/fast/routes/*|src/fast/landmarks/*|src/fast/tables/*|src/search/request/*|src/search/general/*|src/search/engines.c|src/search/search.c|src/search/prefix.c|src/fast/acceleration.c|src/field/field_create.c|src/field/field_doubt.c|src/agents/manners/boxes.c|src/search/graph/*|src/search/voxel/*|src/agents/manners/blockers.c|src/agents/manners/traffic.c|src/agents/manners/push.c) ;; src/search/*|src/fast/*|src/field/*|src/agents/manners/*) level=-Os ;; esac
    $(echo $cc) \$level -c {} -o $work/\$(echo {} | tr / _).o || exit 255")
link "$work"/*.o
if command -v wasm-opt >/dev/null; then wasm-opt -O3 "$work/wend.wasm" -o "$work/wend.wasm"; fi
cp "$work/wend.wasm" "$out"
[ $# -lt 2 ] || cp "$work"/*.o "$2"
