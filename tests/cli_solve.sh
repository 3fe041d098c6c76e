#!/bin/sh
# SPDX-License-Identifier: MIT
# wend solve: the path is legal and optimal, pictures go where they should, and what is wrong is said.
. "${WEND_SRCDIR:-.}/tests/cli_lib.sh"

# What a printed path costs on a grid text of 0, 1, A, B: straight 10, diagonal 14 with both side cells open.
cost_of() { # map path
    awk 'FNR == NR { if (NF == 2) next; for (i = 1; i <= NF; i++) cell[i - 1, rows + 0] = $i; rows++; next }
        {
            split($1, at, ","); x = at[1]; y = at[2]
            if (!((x, y) in cell) || cell[x, y] == "1") { print "blocked"; exit }
            if (FNR == 1) { if (cell[x, y] != "A") { print "start"; exit } }
            else {
                dx = x - px; dy = y - py
                if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (!dx && !dy)) { print "no step"; exit }
                if (dx && dy && (cell[px, y] == "1" || cell[x, py] == "1")) { print "corner"; exit }
                cost += dx && dy ? 14 : 10
            }
            px = x; py = y
        }
        END { print cell[px, py] == "B" ? cost : "goal" }' "$1" "$2"
}

problem=$data/problem1.txt
expect 0 solve "$problem"
cp "$work/out" "$work/path"
[ "$(cost_of "$problem" "$work/path")" = 64 ] || complain "problem 1: $(cost_of "$problem" "$work/path"), not 64"
expect 0 solve "$problem" --json
expect_field status found
expect_field cost 64
expect_field exact true
expect_field engine astar
[ "$(field expansions)" -gt 0 ] || complain 'no expansions'
cells=$(sed 's/.*/[&]/' "$work/path" | paste -s -d , -)
grep -q -F "\"cells\":[$cells]" "$work/out" || complain 'JSON has other cells'
lines=$(wc -l <"$work/out")
[ "$lines" -eq 1 ] || complain "$lines lines of JSON"

# Every slice, the same path; options anywhere, values behind = too.
for slice in 1 7 64 10000; do
    expect 0 --slice=$slice solve "$problem"
    cmp -s "$work/out" "$work/path" || complain "--slice $slice: another path"
done
for heuristic in exact euclid zero; do
    expect 0 solve --heuristic $heuristic --json "$problem"
    expect_field cost 64
    expect_field exact true
done
expect 0 solve "$problem" --heuristic manhattan --json
expect_field exact false
expect 0 solve "$problem" --heuristic manhattan --neighbours 4 --json
expect_field cost 70
expect_field exact true
expect 0 solve "$problem" --weight 2.5 --json
expect_field exact false
expect_field bound 2.500
expect 0 solve "$problem" --cost 1000,1414 --json
expect_field cost 6414
expect 0 solve "$problem" --cost 10,14,17 --json
expect_field cost 64
expect 0 solve "$problem" --corners always --json
expect_field cost 52
expect 0 solve "$problem" --corners one --json
expect_field cost 52
expect 0 solve "$problem" --from 4,4 --to 0,0 --json
expect_field cost 68
expect 0 solve "$problem" --from 4,4 --to 4,4
expect_out 4,4
input=$problem
expect 0 solve -
cmp -s "$work/out" "$work/path" || complain 'standard input: another path'
input=/dev/null
printf 'Rows 2\nColumns 2\nA 1\n1 B\n' >"$work/pinch"
expect 0 solve "$work/pinch" --corners always --json
expect_field cost 14
expect 1 solve "$work/pinch" --corners one --json
expect 1 solve "$work/pinch" --corners always --neighbours 4 --json
printf 'grid 3 1\n' >"$work/world"
expect 0 solve "$work/world" --from 0,0 --to 2,0
expect_out "$(printf '0,0\n1,0\n2,0')"

# The answer is no.
printf 'Rows 1\nColumns 3\nA 1 B\n' >"$work/wall"
expect 1 solve "$work/wall"
expect_out ''
grep -q no_path "$work/err" || complain 'no word on why'
expect 1 solve "$work/wall" --json
expect_out '{"status":"no_path","cost":-1,"cells":[],"expansions":0,"exact":true,"engine":"astar"}'
expect 1 solve "$work/wall" --from 1,0 --json
expect_field status start_blocked
expect 1 solve "$work/wall" --to 1,0 --json
expect_field status goal_blocked

# Pictures.
expect 0 solve "$problem" --draw ansi
[ "$(wc -l <"$work/out")" -ge 5 ] || complain 'a picture of fewer lines than rows'
grep -q "$(printf '\033')" "$work/out" && complain 'colours where there is no terminal'
grep -q A "$work/out" && grep -q B "$work/out" || complain 'no start and goal in the picture'
expect 0 solve "$problem" --draw svg
grep -q '<svg' "$work/out" || complain 'no svg on standard output'
expect 0 solve "$problem" --draw png
[ "$(head -c 4 "$work/out" | tail -c 3)" = PNG ] || complain 'no png on standard output'
expect 0 solve "$problem" --draw svg --output "$work/picture"
cmp -s "$work/out" "$work/path" || complain 'coordinates missing beside a picture in a file'
grep -q '<svg' "$work/picture" || complain 'no svg in the file'
expect 0 solve "$problem" --json --output "$work/p.png"
expect_field cost 64
[ "$(head -c 4 "$work/p.png" | tail -c 3)" = PNG ] || complain 'no png in the file'
expect 1 solve "$work/wall" --draw ansi
grep -q A "$work/out" || complain 'no picture where there is no path'
# A picture that is refused leaves alone the file that stands there; one that cannot be written says why.
expect 0 generate empty 2049x1 --output "$work/wide.map"
echo kept >"$work/kept.svg"
expect_refused 'too large for --draw svg' solve "$work/wide.map" --from 0,0 --to 9,0 --output "$work/kept.svg"
[ "$(cat "$work/kept.svg")" = kept ] || complain 'a refused picture took a file with it'
if [ -w /dev/full ]; then
    ln -s /dev/full "$work/full.svg"
    expect_refused 'full.svg: cannot be written: No space left' solve "$problem" --output "$work/full.svg"
    [ -L "$work/full.svg" ] || complain 'a link was removed'
fi
printf 'grid 2049 1\n' >"$work/wide"
expect_refused 'too large for --draw svg: at most 2048' solve "$work/wide" --from 0,0 --to 1,0 --draw svg
[ ! -e "$work/none/p.svg" ] && expect_refused 'No such file' solve "$problem" --draw svg --output "$work/none/p.svg"
expect_refused 'too large' solve "$work/wide" --from 0,0 --to 1,0 --output "$work/left.svg"
[ ! -e "$work/left.svg" ] || complain 'half a picture is left'

# Bad usage.
expect_refused 'which map' solve
expect_refused 'a word too many' solve "$problem" "$problem"
expect_refused 'no option --bogus' solve "$problem" --bogus=1
expect_refused 'no option -x' solve "$problem" -x
expect_refused 'needs a value' solve "$problem" --from
expect_refused '--json takes no value' solve "$problem" --json=1
expect_refused 'a cell such as' solve "$problem" --from 1
expect_refused 'a cell such as' solve "$problem" --from 1,2,3,4
expect_refused 'a cell such as' solve "$problem" --from 1,x
expect_refused 'not on the map: x is from 0 to 4' solve "$problem" --from -1,0
expect_refused 'not on the map' solve "$problem" --to 5,0
expect_refused 'not on the map' solve "$problem" --to 0,0,1
expect_refused 'not on the map' solve "$problem" --to 0,999999999
expect_refused 'a cell such as' solve "$problem" --to 0,9999999999
expect_refused '--from is missing' solve "$work/world" --to 0,0
expect_refused '--to is missing' solve "$work/world" --from 0,0
expect_refused 'one of never|one|always' solve "$problem" --corners nev
expect_refused 'from 1 to 100' solve "$problem" --weight 0.999
expect_refused 'from 1 to 100' solve "$problem" --weight 100.0001
expect_refused 'from 1 to 100' solve "$problem" --weight 1e2
expect_refused 'whole number from 1' solve "$problem" --slice 0
expect_refused 'whole number from 1' solve "$problem" --slice 18446744073709551616
expect_refused 'from 1 to 1000000' solve "$problem" --cost 0,0
expect_refused 'from 1 to 1000000' solve "$problem" --cost 1000000,1000001
expect_refused '10 to 20, not 21' solve "$problem" --cost 10,21
expect_refused '10 to 20, not 9' solve "$problem" --cost 10,9
expect_refused 'S,D' solve "$problem" --cost 10
expect_refused 'No such file' solve "$work/nothing"
printf 'Rows 2\nColumns 2\n0 0\n0 x\n' >"$work/bad"
expect_refused 'bad:4:3:' solve "$work/bad"
expect_refused 'map in space\|maps in space' solve "$problem" --neighbours 6
expect_refused '--draw and --json' solve "$problem" --draw svg --json
expect_refused 'which picture' solve "$problem" --output "$work/p.gif"

# What comes later.
expect_refused '--engine jump is not available' solve "$problem" --engine jump
expect_refused '--mode nearest is not available' solve "$problem" --mode nearest
expect_refused '--reach is not available' solve "$problem" --reach 1
expect 0 solve "$problem" --reach 0
expect_refused '--smooth is not available' solve "$problem" --smooth pull
expect_refused 'several --to' solve "$problem" --to 0,0 --to 1,1
expect_refused '--mover tank is not available' solve "$problem" --mover tank
expect 0 solve "$problem" --mover default --mode exact --smooth none --engine auto
finish
