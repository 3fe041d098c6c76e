#!/bin/sh
# SPDX-License-Identifier: MIT
# bindings/packages.sh where every tool fails: each is named, what needs none is made, and the build folder stays as it is.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need_made
mkdir "$work/bin" "$work/build" "$work/out"
for tool in cc gcc clang make python3 npm cargo wasm-ld; do
    printf '#!/bin/sh\necho "%s fails" >&2\nexit 1\n' $tool >"$work/bin/$tool" && chmod +x "$work/bin/$tool" || exit 99
done
printf '#!/bin/sh\necho CC=cc\n' >"$work/build/config.status" && chmod +x "$work/build/config.status" || exit 99
PATH=$work/bin:$PATH sh "$srcdir/bindings/packages.sh" "$work/build" "$work/out" >"$work/said" 2>&1
status=$?
[ $status -eq 1 ] || { echo "exit $status, not 1"; bad=$((bad + 1)); }
for words in 'the library' 'the wheel' 'the package for npm' 'the crates' 'clang cannot build for wasm32-wasi' 'cargo fails'; do
    grep -q "$words" "$work/said" || { echo "says nothing of $words:"; cat "$work/said"; bad=$((bad + 1)); }
done
[ "$(ls "$work/build")" = config.status ] || { echo "the build folder changed: $(ls "$work/build")"; bad=$((bad + 1)); }
for name in lua csharp; do
    set -- "$work/out/wend-$name"-*.tar.gz
    tar tzf "$1" >"$work/list" && grep -q README.md "$work/list" || { echo "no package for $name"; bad=$((bad + 1)); }
done
finish
