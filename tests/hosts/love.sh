#!/bin/sh
# SPDX-License-Identifier: MIT
# The market of examples/love: the mouse selects bodies, sends them, paints a wall, moves the slider. Then the bodies are
# where `wend run` has them after the recording. PICTURE=FILE.png keeps the second screenshot.
. "${WEND_SRCDIR:-.}/tests/hosts/lib.sh"
. "$srcdir/tests/repo/needs.sh"
needs server
need_packages 'imagemagick love xdotool xvfb' love Xvfb xdotool import convert
need_made
LUA_PATH="$srcdir/bindings/luajit/?.lua;;" WEND_LIBRARY=$libs/libwend.so
export LUA_PATH WEND_LIBRARY
most_lines 150 "$srcdir/examples/love/main.lua"
open_screen
love "$srcdir/examples/love" "$work/market.wend" >"$work/ends" 2>"$work/stderr" &
game=$!
comes 'the window' find_window 'wend: a market'
blue='#3366CC' red='#CC3333' orange='#FF9900' green='#339933' wall='#404040'
comes 'blue bodies' shows 3000 $blue
comes 'red bodies' shows 3000 $red
shoot first
select_west() { drag 1 8 8 236 592 && shows 1500 $orange; }
comes 'a selection' select_west
to 480 270 && xdotool click 1
drag 3 487 20 487 37
comes 'a wall' shows 440 $wall "15x30+$((X + 480))+$((Y + 15))"
to 720 620 && xdotool click 1
comes 'the larger budget' shows 2000 $green "200x38+$((X + 500))+$((Y + 601))"
comes 'selected bodies in the middle' shows 400 $orange "300x300+$((X + 330))+$((Y + 120))"
shoot second
drag 1 4 4 956 596
to 480 450 && xdotool click 1
to 900 620 && xdotool click 1
comes 'the largest budget' shows 2000 $green "150x38+$((X + 730))+$((Y + 601))" # the click came before
kill -TERM $game
wait $game || { echo "love: exit $?"; tail -n 20 "$work/stderr"; bad=$((bad + 1)); }
game=
echo bodies >>"$work/market.wend"
./wend run "$work/market.wend" >"$work/played" || { echo "wend run: exit $?"; bad=$((bad + 1)); }
tail -n 1 "$work/played" | grep -oE '"a[0-9]+":\{"at":\[[-0-9.]+,[-0-9.]+\]' |
    sed -E 's/"a([0-9]+)":\{"at":\[(.*),(.*)\]/\1 \2 \3/' >"$work/there"
awk '{ printf "%d %.4f %.4f\n", $1, $2 / 16384, $3 / 16384 }' "$work/ends" >"$work/here"
[ "$(wc -l <"$work/here")" -eq 120 ] || { echo 'not 120 bodies'; bad=$((bad + 1)); }
differ=$(diff "$work/here" "$work/there" | grep -c '^[<>]')
echo "120 bodies, $(grep -c '^update' "$work/market.wend") updates: $differ differ"
[ "$differ" -eq 0 ] || bad=$((bad + 1))
sent=$(grep '^go .* to 32,30' "$work/market.wend" | grep -oE 'a[0-9]+' | sort -u | wc -l)
[ "$sent" -eq 120 ] || { echo "a click sent $sent bodies"; bad=$((bad + 1)); }
for wanted in 'set 32,1 0' 'set 32,2 0' 'frame budget=3003' 'go a.* a.* to 32,18'; do
    grep -q "^$wanted" "$work/market.wend" || { echo "the recording has no '$wanted'"; bad=$((bad + 1)); }
done
[ "$(compare -metric AE "$work/first.png" "$work/second.png" null: 2>&1)" -gt 2000 ] || { echo 'the pictures are alike'; bad=$((bad + 1)); }
[ -z "${PICTURE-}" ] || convert "$work/second.png" -crop "960x640+$X+$Y" +repage -colors 64 "PNG8:$PICTURE"
finish
