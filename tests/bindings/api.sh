#!/bin/sh
# SPDX-License-Identifier: MIT
# The layouts that bindings count on are the compiler's, and all builds have the same sources.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
cc=${CC:-cc}
if make_bindings; then
    $cc -std=c11 -I"$srcdir/include" -c "$srcdir/bindings/api/layouts.c" -o "$work/layouts.o" || bad=$((bad + 1))
else
    echo 'layouts are not compared: no python3-pycparser here'
fi
sh "$srcdir/bindings/sources.sh" | sort >"$work/sources"
make -s --no-print-directory list-sources | tr ' ' '\n' | grep '\.c$' | sort >"$work/made"
diff "$work/made" "$work/sources" || { echo 'bindings/sources.sh and the Makefile differ'; bad=$((bad + 1)); }
if command -v cmake >/dev/null; then
    cmake -S "$srcdir" -B "$work/cmake" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/log" 2>&1 || { cat "$work/log"; bad=$((bad + 1)); }
    sed -nE 's#.*"file": ".*/((src|extra)/[^"]*)".*#\1#p' "$work/cmake/compile_commands.json" | sort >"$work/built"
    if grep -q ^extra/ "$work/built"; then
        make -s --no-print-directory list-extra-sources | tr ' ' '\n' | grep '\.c$' >>"$work/made"
        sort -o "$work/made" "$work/made"
    fi
    diff "$work/made" "$work/built" || { echo 'CMakeLists.txt and the Makefile differ'; bad=$((bad + 1)); }
    # A component that was not built is not found.
    mkdir "$work/stranger" && cat >"$work/stranger/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(stranger C)
find_package(wend REQUIRED OPTIONAL_COMPONENTS live)
find_package(wend QUIET COMPONENTS live)
if(wend_FOUND OR NOT wend_NOT_FOUND_MESSAGE MATCHES "component live")
  message(FATAL_ERROR "a component that was not built is found: ${wend_NOT_FOUND_MESSAGE}")
endif()
END
    [ -f "$work/cmake/wend-targets.cmake" ] || printf 'include_guard(GLOBAL)\nadd_library(wend::wend INTERFACE IMPORTED)\n' >"$work/cmake/wend-targets.cmake"
    cmake -S "$work/stranger" -B "$work/stranger/b" -Dwend_DIR="$work/cmake" >"$work/log" 2>&1 || { cat "$work/log"; bad=$((bad + 1)); }
    [ "$(wc -l <"$srcdir/CMakeLists.txt")" -le 80 ] || { echo 'CMakeLists.txt has more than 80 lines'; bad=$((bad + 1)); }
fi
finish
