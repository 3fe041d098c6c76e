#!/bin/sh
# SPDX-License-Identifier: MIT
# The binding for LuaJIT.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need luajit
need_made
from=$srcdir/bindings/luajit
LUA_PATH="$from/?.lua" WEND_LIBRARY=$libs/libwend.so
export LUA_PATH WEND_LIBRARY
expect "$hello" luajit "$from/hello.lua"
expect "$village" luajit "$from/village.lua"
expect "$gate" luajit "$from/gate.lua"
make_town
code_block "$from/README.md" lua 1 >"$work/readme.lua"
expect found env -C "$work" luajit readme.lua
passes luajit "$from/test.lua" "$map" "$misuse"
most_lines 15 "$from/hello.lua"
most_lines 120 "$from/village.lua"
finish
