#!/bin/sh
# SPDX-License-Identifier: MIT
# wend.hpp, with each compiler for C++17 that is here, without a warning.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
from=$srcdir/bindings/cpp
found=0
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    echo 'int main() { return 0; }' >"$work/none.cpp"
    $cxx -std=c++17 "$work/none.cpp" -o "$work/none" 2>/dev/null || continue
    found=1
    for name in hello gate village test; do
        $cxx -std=c++17 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -I"$srcdir/include" "$from/$name.cpp" \
            -L"$libs" -lwend -o "$work/$name" || bad=$((bad + 1))
    done
    expect "$hello" "$work/hello"
    expect "$village" "$work/village"
    expect "$gate" "$work/gate"
    passes "$work/test" "$map" "$misuse"
done
[ $found -eq 1 ] || skip 'no compiler for C++17 here'
most_lines 15 "$from/hello.cpp"
most_lines 120 "$from/village.cpp"
finish
