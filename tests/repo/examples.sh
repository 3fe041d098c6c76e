#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples, run as a reader would: they do what they say and end well.
set -u
build=${WEND_BUILDDIR:-.}
source=${WEND_SRCDIR:-.}
. "$source/tests/repo/needs.sh"
needs server extra
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

first=$(cd "$build" && pwd)/first
out=$(cd "$source" && "$first") || complain "first: exit $?"
[ "$(echo "$out" | sed -n '1p;7p;8p' | tr '\n' ' ')" = '3,1 0,3 ' ] || complain "first: $out"
error=$(cd "$build" && "$first" 2>&1) && complain 'first: finds a map where none is'
[ "$error" = 'first: cannot be opened: No such file or directory' ] || complain "first: does not say why: $error"

out=$("$build/hello" "$source/data/problem1.txt") || complain "hello: exit $?"
echo "$out"
[ "$(echo "$out" | sed -n 1p)" = 3,1 ] || complain 'hello: does not begin at A'
[ "$(echo "$out" | tail -n 2 | head -n 1)" = 0,3 ] || complain 'hello: does not end at B'
# Round the wall's left end: 5 straight steps and 1 diagonal, or what costs the same.
[ "$(echo "$out" | tail -n 1)" = 'found, cost 64' ] || complain 'hello: not the shortest path'
error=$("$build/hello" "$source/tests/repo/examples.sh" 2>&1) && complain 'hello: takes anything for a map'
case $error in *examples.sh:[0-9]*:*) ;; *) complain "hello: does not say where: $error" ;; esac
"$build/hello" "$source/nowhere.txt" 2>/dev/null && complain 'hello: takes a file that is not there'

out=$("$build/house") || complain "house: exit $?"
echo "$out"
# 3 diagonal and 4 straight steps to the stairs, 2 up, 7 straight back; with the lift 14 to it, 25 for it, 24 from it.
case $out in 'by the stairs: found, cost 172: 0,0,0 '*' 7,3,0 7,3,1 7,3,2 '*' 0,3,2'*) ;; *) complain 'house: stairs' ;; esac
case $out in *'by the lift: found, cost 63: 0,0,0 1,1,0 1,1,2 '*' 0,3,2') ;; *) complain 'house: lift' ;; esac

out=$("$build/bodies") || complain "bodies: exit $?"
case $out in '24 of 24 bodies have passed the door after '*) ;; *) complain "bodies: $out" ;; esac

out=$("$build/wend" run "$source/examples/village.wend") || complain "village: exit $?"
ends() { # name status cost cells-that-are-in-its-path
    line=$(echo "$out" | grep "\"id\":\"$1\"")
    case $line in *"\"status\":\"$2\",\"cost\":$3,\"cells\":["*"$4"*) ;; *) complain "village: $1: $line" ;; esac
}
ends walker found 60 '[6,6]'
ends swimmer found 70 '[6,3]'
ends cart found 152 '[3,0],[9,0]'
ends down found 50 '[11,3],[10,3]'
ends up no_path -1 ''
ends waits found 70 '[6,6]'
ends turns found 198 '[3,0],[9,0]'
ends near found 10 '[5,6]'

# A crowd: each wish ends once, in the end everybody stands where it was sent, and there is a film of it.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
out=$("$build/wend" run "$source/examples/market.wend" --animate "$work/market.svg") || complain "market: exit $?"
[ "$(echo "$out" | grep -c '"event":"arrived"')" -ge 14 ] || complain "market: $out"
echo "$out" | grep -q '"event":"gave_up"' && complain 'market: somebody gave up'
case $out in *'"agents":{"ann":[1,1],"bob":[1,8],"cay":[1,16],'*) ;; *) complain 'market: not where they were sent' ;; esac
[ "$(grep -c '<circle' "$work/market.svg")" -eq 11 ] || complain 'market: the film has not all agents'

# Bodies meet at a door, and all pass it.
out=$("$build/wend" run "$source/examples/door.wend" --animate "$work/door.svg") || complain "door: exit $?"
[ "$(echo "$out" | grep -c '"event":"arrived"')" -eq 24 ] || complain "door: $out"
[ "$(grep -c '<circle' "$work/door.svg")" -eq 24 ] || complain 'door: the film has not all bodies'
[ "$(grep -c '^<path d="M[0-9. ]*" stroke="hsl' "$work/door.svg")" -eq 24 ] || complain 'door: the film has not all trails'
[ "$(wc -c <"$work/door.svg")" -le 153600 ] || complain 'door: the film is too large for a page'

# The same with every second one a disc: at a door; in rooms and in streets, where each is sent twice.
film() { # name agents arrivals
    out=$("$build/wend" run "$source/examples/$1.wend" --animate "$work/$1.svg") || complain "$1: exit $?"
    [ "$(echo "$out" | grep -c '"event":"arrived"')" -eq "$3" ] || complain "$1: $out"
    [ "$(grep -c '<circle' "$work/$1.svg")" -eq "$2" ] || complain "$1: the film has not all agents"
    [ "$(grep -c '^<path d="M[0-9. ]*" stroke="hsl' "$work/$1.svg")" -eq $(($2 / 2)) ] || complain "$1: the film has not all trails of discs"
    [ "$(wc -c <"$work/$1.svg")" -le 153600 ] || complain "$1: the film is too large for a page"
}
film mixed_door 24 24
film mixed_rooms 24 48
film streets 48 96

out=$("$build/wend" run "$source/examples/site.wend") || complain "site: exit $?"
[ "$(echo "$out" | grep -c '"event":"clear"')" -eq 2 ] || complain "site: $out"
case $out in *'"eve":[15,4],"tom":[3,4]}}') ;; *) complain "site: not where they were sent: $out" ;; esac

out=$("$build/examples/server" 600) || complain "server: exit $?"
echo "$out"
case $out in '600 frames: '[1-9]*' arrivals; the player is at 7,6') ;; *) complain 'server: nobody arrived, or not the player' ;; esac

# Rounds 2 to 4: both go round what they learnt. At last nothing is left of the fear, and red goes straight.
out=$("$build/factions") || complain "factions: exit $?"
echo "$out"
[ "$(echo "$out" | grep -c '^round')" -eq 6 ] || complain 'factions: not six rounds'
echo "$out" | awk '/^round/ { red[++n] = $8; blue[n] = $15 }
    END { exit !(red[1] > 15 && red[2] + red[3] + red[4] < red[1] && blue[1] > 15 && blue[2] + blue[3] + blue[4] < blue[1]) }' ||
    complain 'factions: they did not learn'
[ "$(echo "$out" | tail -n 19 | grep -c '[1-9]')" -eq 0 ] || complain 'factions: fear stays'
[ "$(echo "$out" | tail -n 19 | grep -c '[*]')" -le 2 ] || complain 'factions: red goes no straight way'
[ "$(echo "$out" | head -n 23 | grep -c '[*]')" -gt 5 ] || complain 'factions: red did not go round'

out=$("$build/horde" "$work/field.svg") || complain "horde: exit $?"
echo "$out"
case $out in '100 of 100 arrived, 100 of them by a field, '*) ;; *) complain 'horde: not by a field' ;; esac

out=$("$build/village_server" 500 "$work/village.svg") || complain "village_server: exit $?"
echo "$out"
case $out in '500 frames: '*' 1'[12]' of 12 guards at the well') ;; *) complain 'village_server: the guards are elsewhere' ;; esac
grep -q '</svg>' "$work/village.svg" || complain 'village_server: no picture'

out=$("$build/click" "$source/data/problem1.txt" 16 16 150 100) || complain "click: exit $?"
echo "$out"
case $out in 'to cell 4,3, its middle at 144,112'*'straight: no '*'7 cells, '*' turns of a line, '*' points of a curve'*'there after '[1-9]*) ;; *) complain 'click: no way' ;; esac
out=$("$build/hexagons") || complain "hexagons: exit $?"
echo "$out"
case $out in 'column 0, row 0, its middle at 0.0,0.0'*'column 5, row 6, its middle at 277.0,288.0'*'found: 8 steps') ;; *) complain 'hexagons: no path' ;; esac
out=$("$build/far_legs") || complain "far_legs: exit $?"
echo "$out"
case $out in [1-9]*' crossings, at most '*'; there after '[1-9]*) ;; *) complain 'far_legs: not there' ;; esac
out=$("$build/fields") || complain "fields: exit $?"
echo "$out"
case $out in 'all are at the gate after '[1-9]*'second gate, after '[1-9]*) ;; *) complain 'fields: the horde' ;; esac

out=$("$build/roads") || complain "roads: exit $?"
[ "$(echo "$out" | tr '\n' ' ')" = 'found: harbour bridge town no_path: found: harbour ford town ' ] || complain "roads: $out"
out=$("$build/measure" "$source/data/caves512.map" 100) || complain "measure: exit $?"
echo "$out"
case $out in '100 requests, 100 by jump search; expansions: half take at most '[1-9]*) ;; *) complain 'measure: no figures' ;; esac

out=$(cd "$source" && "${first%first}take_later") || complain "take_later: exit $?"
echo "$out"
[ "$(echo "$out" | grep -c ": found, cost ")" -eq 3 ] || complain 'take_later: not three paths'

out=$("$build/rollback") || complain "rollback: exit $?"
echo "$out"
case $out in '300 frames were played with 8 back: 300 as on the server; '[1-9][0-9]' left searches unfinished') ;; *) complain 'rollback: the client differs' ;; esac

out=$("$build/late_join") || complain "late_join: exit $?"
echo "$out"
case $out in '2000 frames, 2000 with one hash on all peers; '1[0-9][0-9][0-9]' left searches unfinished') ;; *) complain 'late_join: the peers part' ;; esac

out=$("$build/gate") || complain "gate: exit $?"
echo "$out"
case $out in '500 agents, saved in frame 150: 84526507, and after a restore 84526507') ;; *) complain 'gate: another hash' ;; esac

# A save that is loaded twice goes on alike, and what is no save is refused by name.
"$build/save_game" "$work/game" 50 >/dev/null || complain "save_game: exit $?"
cp "$work/game" "$work/other"
"$build/save_game" "$work/game" 40 >"$work/loaded" || complain "save_game: exit $?"
"$build/save_game" "$work/other" 40 >"$work/again" || complain "save_game: exit $?"
cat "$work/loaded"
[ "$(sort -u "$work/loaded" | wc -l)" -eq 12 ] || complain 'save_game: not twelve guards'
cmp "$work/loaded" "$work/again" && cmp "$work/game" "$work/other" || complain 'save_game: two loaded games differ'
mkdir "$work/game.new" && cp "$work/game" "$work/kept"
"$build/save_game" "$work/game" 1 >/dev/null 2>&1 && complain 'save_game: saves where no file can be'
cmp "$work/game" "$work/kept" || complain 'save_game: a save that fails harms the last one'
error=$(head -c 500 "$work/game" >"$work/cut" && "$build/save_game" "$work/cut" 1 2>&1) && complain 'save_game: loads a cut file'
case $error in 'save_game: the save is cut: '*) ;; *) complain "save_game: $error" ;; esac

out=$("$build/journey" "$work/land" 2048 "$work/journey.svg") || complain "journey: exit $?"
echo "$out"
case $out in *'path intact; '*'in the house: found, '*'up to level 3') ;; *) complain 'journey: she is not there' ;; esac
grep -q '</svg>' "$work/journey.svg" || complain 'journey: no picture'

out=$("$build/game_loop" 60) || complain "game_loop: exit $?"
echo "$out"
case $out in *'frames 60,'*) ;; *) complain 'game_loop: not 60 frames' ;; esac
"$build/game_loop" 0 2>/dev/null && complain 'game_loop: takes 0 frames'
[ "$bad" -eq 0 ]
