#!/bin/sh
# SPDX-License-Identifier: MIT
# wend explain: the cells taken are those that solve expands; each step follows from the one before; films; refusals.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs lab

# Each step takes the first of the open list, which has the least f; f is g + w h, and h the octile distance to the goal.
# The closed cells are those taken, in order. Prints how many steps.
check_steps() { # weight goal-x goal-y
    awk -v w="$1" -v gx="$2" -v gy="$3" '
        function bad(what) { print "line " NR ": " what; failed = 1; exit }
        function node(i) { # cell "from" parent g=G h=H f=F
            split($i, at, ","); dx = at[1] - gx; dy = at[2] - gy
            if (dx < 0) dx = -dx; if (dy < 0) dy = -dy
            g = substr($(i + 3), 3) + 0; h = substr($(i + 4), 3) + 0; f = substr($(i + 5), 3) + 0
            if (h != 10 * (dx > dy ? dx - dy : dy - dx) + 14 * (dx > dy ? dy : dx)) bad("h")
            if (f != g + w * h) bad("f is not g + w h")
        }
        /^step/ { steps++; if ($2 != steps) bad("number") }
        /^  take/ {
            node(2)
            if (steps > 1 && $2 != first) bad("took " $2 ", not " first)
            if (steps > 1 && f > least) bad("not the least f")
            taken = taken " " $2; was[$2] = g; now = $2; first = ""; least = 1e18
            if (steps > 1) {
                split($4, from, ","); split($2, at, ",")
                step = from[1] != at[1] && from[2] != at[2] ? 14 : 10
                if (!($4 in was) || was[$4] + step != g) bad("g is not its parent" "s and a step")
            }
        }
        /^  open/ { if ($2 != "-") { node(2); first = $2; if (f < least) least = f } }
        /^          / { node(1); if (f < least) least = f }
        /^  closed/ { sub(/^  closed /, ""); if ($0 != taken) bad("closed" $0 ", taken" taken) }
        END { if (!failed) print steps + 0 }' "$work/out"
}

# Many maps: the same count of cells and the same cost as solve.
compared=0
for seed in 1 2 3 4; do
    for kind in random caves rooms maze; do
        map=$work/$kind.map
        "$wend" generate $kind 20x20 --seed $seed --density .25 --output "$map" 2>/dev/null ||
            "$wend" generate $kind 20x20 --seed $seed --output "$map" || complain "generate $kind"
        for options in '' '--heuristic zero' '--neighbours 4' '--weight 2' '--corners always' '--cost 100,150'; do
            # shellcheck disable=SC2086
            run explain "$map" --from 1,1 --to 18,17 $options
            [ "$status" -le 1 ] || complain "$kind $seed $options: $(cat "$work/err")"
            shown=$status steps=$(grep -c '^  take' "$work/out") cost=$(sed -n 's/^cost *\([0-9]*\) .*/\1/p' "$work/out")
            case $options in '' | '--weight 2' | '--corners always')
                weight=1
                [ "$options" = '--weight 2' ] && weight=2
                counted=$(check_steps $weight 18 17)
                [ "$counted" = "$steps" ] || complain "$kind $seed $options: $counted"
                ;;
            esac
            # shellcheck disable=SC2086
            run solve "$map" --from 1,1 --to 18,17 --engine astar --json $options
            [ "$status" = "$shown" ] || complain "$kind $seed $options: solve exits with $status, explain with $shown"
            [ "$(field expanded)" = "$steps" ] || complain "$kind $seed $options: $(field expanded) cells, but $steps steps"
            [ "$status" -ne 0 ] || [ "$(field cost)" = "$cost" ] || complain "$kind $seed $options: cost $cost"
            compared=$((compared + (status == 0 && steps > 20)))
        done
    done
done
[ "$compared" -gt 30 ] || complain "only $compared searches of more than 20 steps"

# Slow ground counts twice as work, and is one step.
cat >"$work/slow.wend" <<'END'
grid 7 5
fill 2,0 4,4 5
set 3,2 blocked
END
expect 0 explain "$work/slow.wend" --from 0,2 --to 6,2
steps=$(grep -c '^  take' "$work/out")
grep -q cheaper "$work/out" || complain 'no cell became cheaper'
expect 0 solve "$work/slow.wend" --from 0,2 --to 6,2 --engine astar --json
expect_field expanded "$steps"

# A part of it, and a film of each kind: well-formed, with one frame more than steps, without script in the SVG.
expect 0 explain "$data/problem1.txt" --steps 3
[ "$(grep -c '^step' "$work/out")" = 3 ] || complain '--steps 3'
grep -q 'goes on' "$work/err" || complain 'it does not say that the search goes on'
! grep -q '^path' "$work/out" || complain 'a path of half a search'
expect 0 explain "$data/problem1.txt" --film "$work/film.svg"
grep -q '^cost    64 after 9 steps$' "$work/out" || complain 'problem 1'
[ "$(grep -c 'class="closed"' "$work/film.svg")" = 9 ] || complain 'film: not nine closed cells'
[ "$(grep -c 'class="open"' "$work/film.svg")" = 13 ] || complain "film: $(grep -c 'class="open"' "$work/film.svg") open ones"
[ "$(grep -c 'class="wall"' "$work/film.svg")" = 3 ] || complain 'film: not three walls'
! grep -q '<script' "$work/film.svg" || complain 'film: a script'
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/film.svg" || complain 'film: XML'
fi
expect 0 explain "$data/problem1.txt" --film "$work/film.html"
grep -q 'type="range" min="0" max="9"' "$work/film.html" || complain 'page: no slider of nine steps'

# No path; answered without a search.
printf '%s\n' 'Rows 3' 'Columns 5' 'A 0 1 0 B' '0 0 1 0 0' '0 0 1 0 0' >"$work/no.txt"
expect 1 explain "$work/no.txt"
expect_out no_path

# Refusals.
expect_refused 'no start' explain "$work/slow.wend" --to 1,1
expect_refused 'no goal' explain "$work/slow.wend" --from 1,1
expect_refused 'not on the map' explain "$work/slow.wend" --from 9,9 --to 1,1
expect_refused 'flat grids' explain "$data/tiny.3dmap" --from 0,0,0 --to 1,0,0
expect_refused 'flat grids' explain "$data/roads.gr" --from 1 --to 2
expect_refused 'ends with .svg' explain "$data/problem1.txt" --film "$work/film.png"
expect_refused 'at most 4096 cells' explain "$data/caves512.map" --from 9,9 --to 10,10 --film "$work/film.svg"
expect_refused '/nowhere/film.svg' explain "$data/problem1.txt" --steps 0 --film /nowhere/film.svg
cat >"$work/link.wend" <<'END'
grid 9 9
link 0,0 8,8 10
END
expect_refused 'without links' explain "$work/link.wend" --from 0,0 --to 7,8
expect_refused 'which map' explain
finish
