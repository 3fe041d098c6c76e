#!/bin/sh
# SPDX-License-Identifier: MIT
# The golden hashes on other machines: machines.sh. Each is cross-compiled; those whose compiler or emulator is missing are
# named and left out. Windows runs under wine.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
flags="-O1 -std=c11 -fno-strict-aliasing -ffp-contract=off -I$srcdir/include -I$srcdir/src"
run=0
try() { # name, compiler, flags and libraries, runner...
    name=$1 compiler=$2 more=$3 libraries=$4
    shift 4
    command -v "$compiler" >/dev/null || { echo "$name: not run: no $compiler here"; return; }
    [ $# -eq 0 ] || command -v "$1" >/dev/null || { echo "$name: not run: no $1 here"; return; }
    mkdir -p "$work/$name"
    { sh "$srcdir/bindings/sources.sh" && echo bindings/golden/golden.c; } | (cd "$srcdir" && xargs -P "$(getconf _NPROCESSORS_ONLN)" \
        -I{} sh -c "$compiler $flags $more -c {} -o $work/$name/\$(echo {} | tr / _).o") || { bad=$((bad + 1)); return; }
    # shellcheck disable=SC2086 # words
    $compiler -static "$work/$name"/*.o -o "$work/golden-$name.exe" $libraries || { bad=$((bad + 1)); return; }
    said=$("$@" "$work/golden-$name.exe" "$map" 2>"$work/stderr" | tr -d '\r' | tr '\n' ' ')
    run=$((run + 1))
    [ "$said" = 'requests 08a1e302 crowd b932dc31 ' ] && { echo "$name: equal"; return; }
    echo "$name: '$said'"
    tail -n 3 "$work/stderr"
    bad=$((bad + 1))
}
try i386 i686-linux-gnu-gcc -Wno-psabi '-lm -lpthread'
try aarch64 aarch64-linux-gnu-gcc '' '-lm -lpthread' qemu-aarch64
try s390x s390x-linux-gnu-gcc '' '-lm -lpthread' qemu-s390x
WINEDEBUG=-all WINEPREFIX=$work/wine
export WINEDEBUG WINEPREFIX
try windows x86_64-w64-mingw32-gcc -D__USE_MINGW_ANSI_STDIO=1 -lpthread wine
[ $run -gt 0 ] || [ $bad -gt 0 ] || skip 'no cross compiler here'
finish
