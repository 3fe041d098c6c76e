#!/bin/sh
# SPDX-License-Identifier: MIT
# wend.hpp, with each compiler for C++17 that is here, without a warning; and all functions from C++.
# shellcheck disable=SC2010,SC2046,SC2086 # flags and headers are words
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
from=$srcdir/bindings/cpp
found=0
strict='-Wall -Wextra -Wpedantic -Werror' uv_cflags=$(pkg-config --cflags libuv 2>/dev/null)
make_calls calls calls.inc && called=1 || called=0
declared() { # header...: the functions
    (cd "$srcdir/include/wend" && cat "$@") | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' | sed -nE 's/.*[ *](wend_[a-z0-9_]+)\($/\1/p'
}
links() { # library, header...: each function of the headers has its name of C in the library
    library=$1
    shift
    [ -f "$libs/$library.so" ] || return
    {
        printf '#include <wend/%s>\n' "$@"
        echo 'typedef void function();' && echo 'extern function *const each[];' && echo 'function *const each[] = {'
        declared "$@" | sed 's/.*/    reinterpret_cast<function *>(&),/'
        echo '};' && echo 'int main() { return each[0] ? 0 : 1; }'
    } >"$work/each.cpp"
    for std in 11 17; do
        $cxx -std=c++$std $strict -I"$srcdir/include" $uv_cflags "$work/each.cpp" -L"$libs" \
            "-l${library#lib}" -lwend -o "$work/each" && "$work/each" && continue
        echo "$library does not link as C++$std"
        bad=$((bad + 1))
    done
}
make_town
printf '%s\n' '#include <cstdio>' '#include <wend/wend.hpp>' 'int main() {' "$(code_block "$from/README.md" cpp 1)" '}' >"$work/readme.cpp"
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    echo 'int main() { return 0; }' >"$work/none.cpp"
    $cxx -std=c++17 "$work/none.cpp" -o "$work/none" 2>/dev/null || continue
    found=1
    for name in hello gate village test; do
        [ $name = test ] && extra=${WEND_EXTRA:+-DWITH_EXTRA -lwend-extra} || extra=
        $cxx -std=c++17 $strict -Wconversion -Wshadow -I"$srcdir/include" "$from/$name.cpp" \
            -L"$libs" $extra -lwend -o "$work/$name" || bad=$((bad + 1))
    done
    expect "$hello" "$work/hello"
    expect "$village" "$work/village"
    expect "$gate" "$work/gate"
    $cxx -std=c++17 $strict -I"$srcdir/include" "$work/readme.cpp" -L"$libs" -lwend -o "$work/readme" || bad=$((bad + 1))
    expect found env -C "$work" ./readme
    passes "$work/test" "$map" "$misuse"
    links libwend $(ls "$srcdir/include/wend" | grep -vE '^(uv|extra|ground|live)\.h$|\.hpp$')
    for name in uv extra ground live; do links "libwend-$name" "$name.h"; done
    [ $called -eq 1 ] || continue
    $cxx -std=c++17 $strict -Wconversion -Wshadow -I"$srcdir/include" "$calls/calls.cpp" -L"$calls" -lecho -L"$libs" -lwend \
        -o "$calls/calls" || bad=$((bad + 1))
    passes_calls "$calls/calls"
done
[ $found -eq 1 ] || skip 'no compiler for C++17 here'
most_lines 15 "$from/hello.cpp"
most_lines 120 "$from/village.cpp"
finish
