#!/bin/sh
# SPDX-License-Identifier: MIT
# The game of examples/luanti on a Luanti server without players: luanti.sh [SECONDS [PICTURE.svg]]
case ${2-} in '' | /*) picture=${2-} ;; *) picture=$PWD/$2 ;; esac
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
PATH=$PATH:/usr/games
need minetestserver
need_made
game=$work/.minetest/games/wend
mods=$game/mods
world=$work/world
mkdir -p "$mods" "$world/worldmods" && cp -r "$srcdir/examples/luanti/." "$game" && chmod -R u+w "$game" || exit 99
cp "$srcdir/bindings/luajit/wend.lua" "$srcdir/bindings/api/wend.cdef" "$mods/wend_mobs/" || exit 99
cp -r "$srcdir/tests/hosts/luanti/wend_test" "$world/worldmods/" || exit 99
printf 'gameid = wend\nbackend = dummy\n' >"$world/world.mt"
{
    sed '/^wend_mobs.count/d; s/^secure.trusted_mods = .*/&, wend_test/' "$game/server.conf"
    echo 'server_unload_unused_data_timeout = 10'
    echo "wend_test.seconds = ${1:-60}"
    echo 'wend_test.mobs = 200'
} >"$work/server.conf"
# A port is free or not: another one is tried.
port=$((20000 + $$ % 10000))
for try in 1 2 3; do
    HOME=$work WEND_LIBRARY=$libs/libwend.so timeout 900 minetestserver --config "$work/server.conf" --world "$world" \
        --gameid wend --port $((port + try)) >"$work/log" 2>&1
    [ ! -f "$world/result.txt" ] && grep -q 'bind' "$work/log" || break
done
! grep -q "module 'ffi' not found" "$work/log" || skip 'this server has no LuaJIT'
[ -f "$world/result.txt" ] || { tail -n 20 "$work/log"; echo 'no result'; exit 1; }
cat "$world/result.txt"
[ -z "$picture" ] || cp "$world/picture.svg" "$picture" || bad=1
grep -qx 'all good' "$world/result.txt" || bad=1
most=$(cat "$srcdir"/examples/luanti/mods/wend_mobs/*.lua | wc -l)
[ "$most" -le 300 ] || { echo "wend_mobs has $most lines"; bad=1; }
finish
