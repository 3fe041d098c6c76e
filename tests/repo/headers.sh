#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles on its own, as strict C11 and, where there is a C++ compiler, as C++.
set -u
source=${WEND_SRCDIR:-.}
cc=${CC:-cc}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
uv_cflags=$(pkg-config --cflags libuv 2>/dev/null)
cxx=
for candidate in "${CXX:-c++}" c++ g++ clang++; do # CXX may be several words, as in "ccache g++"
    command -v "${candidate%% *}" >/dev/null && { cxx=$candidate; break; }
done
bad=0
for header in "$source"/include/wend/*.h; do
    name=$(basename "$header")
    std=-std=c11
    case $name in uv.h | live.h) std=-std=gnu11 ;; esac # libuv's own header asks for POSIX
    printf '#include <wend/%s>\n#include <wend/%s>\nint main(void) { return 0; }\n' "$name" "$name" >"$work/alone.c"
    $cc $std -pedantic -Wall -Wextra -Werror -I"$source/include" $uv_cflags -c "$work/alone.c" -o "$work/alone.o" || bad=$((bad + 1))
    [ -n "$cxx" ] || continue
    cp "$work/alone.c" "$work/alone.cc"
    $cxx -std=c++11 -Wall -Wextra -Werror -I"$source/include" $uv_cflags -c "$work/alone.cc" -o "$work/alone.o" || bad=$((bad + 1))
done
# wend.h takes each header in, or says in its list what it is for.
for header in "$source"/include/wend/*.h; do
    name=$(basename "$header")
    [ "$name" = wend.h ] && continue
    taken=$(grep -c "#include <wend/$name>" "$source/include/wend/wend.h")
    left=$(grep -c "^ \*   $name  " "$source/include/wend/wend.h")
    [ $((taken + left)) -eq 1 ] || { echo "wend.h takes in $name, or says what it is for: neither or both"; bad=$((bad + 1)); }
done
echo "C: $cc; C++: ${cxx:-none}; $bad failures"
[ "$bad" -eq 0 ]
