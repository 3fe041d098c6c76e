#!/bin/sh
# SPDX-License-Identifier: MIT
# The town of examples/sdl_town.c: it compiles without a warning, draws each body, between updates too, obeys the mouse,
# and prints what an update and a drawing take. PICTURE=FILE.png keeps a screenshot.
. "${WEND_SRCDIR:-.}/tests/hosts/lib.sh"
need_packages 'imagemagick libsdl2-dev pkg-config xdotool xvfb' Xvfb xdotool import convert compare pkg-config
pkg-config sdl2 || skip 'no SDL 2 here; Debian: libsdl2-dev'
most_lines 250 "$srcdir/examples/sdl_town.c"
# shellcheck disable=SC2046,SC2086 # several words
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -I"$srcdir/include" "$srcdir/examples/sdl_town.c" -o "$work/town" \
    $(pkg-config --cflags --libs sdl2) -L"$libs" -lwend -lm || exit 1
open_screen
blue='#3C78E6' yellow='#FFC800' house='#6A5544'
for frames in 58 59 60; do # two drawings after one update, and one after the next
    "$work/town" $frames "$work/$frames.bmp" >"$work/said" 2>"$work/stderr" || { cat "$work/stderr"; exit 1; }
done
cat "$work/said"
case $(cat "$work/said") in '1000 bodies: '*' an update, '*' a drawing; '[1-9]*' arrivals in 21 updates') ;; *) echo 'other figures'; bad=$((bad + 1)) ;; esac
blues=$(pixels "$work/60.bmp" $blue) yellows=$(pixels "$work/60.bmp" $yellow)
echo "pixels: $blues blue, $yellows yellow"
# A disc has some 30 pixels of its colour, the others are its rim and its line.
{ [ "$blues" -gt 20000 ] && [ "$yellows" -gt 2000 ]; } || { echo 'discs are missing'; bad=$((bad + 1)); }
for pair in '58 59' '59 60'; do
    off=$(compare -metric AE "$work/${pair% *}.bmp" "$work/${pair#* }.bmp" null: 2>&1)
    [ "$off" -gt 5000 ] || { echo "drawings $pair are alike: $off pixels differ"; bad=$((bad + 1)); }
done
"$work/town" >"$work/said" 2>"$work/stderr" &
game=$!
comes 'the window' find_window 'wend: a town'
comes 'the town' shows 1300 $yellow
to 600 400 && xdotool click 1
drag 3 605 5 615 5
comes 'a wall' shows 180 $house "20x10+$((X + 600))+$Y"
comes 'the guards in the square' shows 1000 $yellow "240x200+$((X + 480))+$((Y + 300))"
kill -TERM $game
wait $game || { echo "sdl_town: exit $?"; bad=$((bad + 1)); }
game=
cat "$work/said"
[ -z "${PICTURE-}" ] || convert "$work/now.png" -crop "1200x800+$X+$Y" +repage -resize 960x -colors 64 "PNG8:$PICTURE"
finish
