#!/bin/sh
# SPDX-License-Identifier: MIT
# The golden hashes on other machines: machines.sh. Each is cross-compiled; those whose compiler or emulator is missing are
# named and left out. Windows runs under wine.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
flags="-O1 -std=c11 -fno-strict-aliasing -ffp-contract=off -I$srcdir/include -I$srcdir/src"
run=0
# A save of this machine goes on there, and its frames are the same.
carried=
"${CC:-gcc}" $flags -I"$srcdir/tests" "$srcdir/tests/save/carried.c" "$srcdir/tests/save/save_town.c" \
    "$libs/libwendcore.a" -lm -lpthread -o "$work/carried" && carried=$("$work/carried" "$work/town.save" write) ||
    { echo 'carried: not built, or it failed'; bad=$((bad + 1)); }
carry() { # name, compiler with flags, libraries, runner...: behind try(), whose objects it links
    name=$1 compiler=$2 libraries=$3
    shift 3
    rm -f "$work/$name/bindings_golden_golden.c.o"
    # shellcheck disable=SC2086 # words
    $compiler $flags -I"$srcdir/tests" -static "$srcdir/tests/save/carried.c" "$srcdir/tests/save/save_town.c" \
        "$work/$name"/*.o -o "$work/carried-$name.exe" $libraries || { bad=$((bad + 1)); return; }
    said=$("$@" "$work/carried-$name.exe" "$work/town.save" 2>"$work/stderr" | tr -d '\r')
    [ -n "$carried" ] && [ "$said" = "$carried" ] && { echo "$name: a save from here goes on alike"; return; }
    echo "$name: a save from here: '$said', not '$carried'"
    tail -n 3 "$work/stderr"
    bad=$((bad + 1))
}
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
    if [ "$said" = 'requests 08a1e302 crowd b932dc31 group 21b0b51b ' ]; then
        echo "$name: equal"
    else
        echo "$name: '$said'"
        tail -n 3 "$work/stderr"
        bad=$((bad + 1))
    fi
    carry "$name" "$compiler $more" "$libraries" "$@"
}
# Worlds go back there: behind carry(), whose objects it links.
go_back() { # name, compiler with flags
    # shellcheck disable=SC2086 # words
    (cd "$srcdir/tests" && $2 $flags -I. -static mark/check_rewind.c models/counting.c models/dijkstra.c models/oracle.c \
        pairs/cover.c pairs/features.c pairs/happenings_of_*.c pairs/oracle.c pairs/refusals.c pairs/world.c \
        "$work/$1"/*.o -o "$work/rewind-$1.exe" -lm -lpthread) && "$work/rewind-$1.exe" 1000 || bad=$((bad + 1))
}
try i386 i686-linux-gnu-gcc -Wno-psabi '-lm -lpthread'
if [ -f "$work/golden-i386.exe" ]; then go_back i386 'i686-linux-gnu-gcc -Wno-psabi'; fi
try aarch64 aarch64-linux-gnu-gcc '' '-lm -lpthread' qemu-aarch64
try s390x s390x-linux-gnu-gcc '' '-lm -lpthread' qemu-s390x
WINEDEBUG=-all WINEPREFIX=$work/wine
export WINEDEBUG WINEPREFIX
try windows x86_64-w64-mingw32-gcc -D__USE_MINGW_ANSI_STDIO=1 -lpthread wine

# Ground from triangles: Debian's Recast fuses multiplication and addition on aarch64, and has other spans there. Built so
# on x86-64, Recast gives the hash of aarch64; built with -ffp-contract=off on aarch64, that of x86-64.
compare_ground() { # name, hash, program and what runs it...
    name=$1 wanted=$2
    shift 2
    said=$("$@")
    run=$((run + 1))
    [ "$said" = "ground $wanted" ] && { echo "ground, $name: the known hash"; return; }
    echo "ground, $name: '$said'"
    bad=$((bad + 1))
}
cross_ground() { # needs the objects of aarch64
    recast=/usr/lib/aarch64-linux-gnu/libRecast.so.1
    [ -e $recast ] && command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null ||
        { echo 'ground, aarch64: not run'; return; }
    (cd "$srcdir" && for file in ground/*.c bindings/golden/ground.c; do
        # shellcheck disable=SC2086 # words of flags
        aarch64-linux-gnu-gcc $flags -I. -c "$file" -o "$work/aarch64/$(echo "$file" | tr / _).o" || exit
    done && aarch64-linux-gnu-g++ -O1 -ffp-contract=off -Iinclude -Isrc -I. -c ground/voxels.cpp -o "$work/aarch64/voxels.o" &&
        aarch64-linux-gnu-g++ "$work"/aarch64/*.o -o "$work/ground-aarch64.exe" $recast -lpthread -lm) ||
        { bad=$((bad + 1)); return; }
    compare_ground aarch64 910f88714a99ed4f qemu-aarch64 "$work/ground-aarch64.exe"
}
if [ "$(uname -m)" = x86_64 ] && [ -e "$libs/libwend-ground.so" ]; then
    if "${CC:-gcc}" -std=c11 -I"$srcdir/include" "$srcdir/bindings/golden/ground.c" -o "$work/ground.exe" \
        -L"$libs" -lwend-ground -lwend; then
        compare_ground x86-64 b58a107e6d94756c "$work/ground.exe"
    else
        bad=$((bad + 1))
    fi
fi
cross_ground
[ $run -gt 0 ] || [ $bad -gt 0 ] || skip 'no cross compiler here'
finish
