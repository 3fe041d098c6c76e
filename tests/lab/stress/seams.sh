#!/bin/sh
# SPDX-License-Identifier: MIT
# wend stress and wend plan on a map with sheets: all promises are kept, and seams that get lost are found.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server extra

# A floor of 60 x 40 cells with walls, cut into two sheets that meet between columns 30 and 31, and a gallery above it.
# Stairs lead up to it at columns 9 and 50: there the floor's own steps are closed.
awk 'function at(s, x, y) { return s * 64 + x "," y }
function wall(x, y) { return (x * 7 + y * 13) % 5 == 0 && x * y % 3 != 1 && (x < 7 || x > 12 || y < 2 || y > 8) }
function seam(s, x, y, t, to, row) { print "link", at(s, x, y), at(t, to, row), "seam"; print "link", at(t, to, row), at(s, x, y), "seam" }
function join(s, x, t, to, first, last, y, row) { # the steps between two columns, straight and diagonal
    for (y = first; y <= last; y++)
        for (row = y - 1; row <= y + 1; row++)
            if (row >= first && row <= last) seam(s, x, y, t, to, row)
}
BEGIN {
    print "grid 192 64 sheets=0,0;63,63;0,0;64,0;127,63;0,0;128,0;191,63;0,0"
    print "fill 0,0 191,63 blocked"
    print "fill 1,1 30,40 open"
    print "fill " at(1, 31, 1), at(1, 60, 40), "open"
    print "fill " at(2, 10, 3), at(2, 49, 7), "open"
    print "fill " at(2, 20, 4), at(2, 24, 6), "3"
    for (x = 1; x <= 60; x++)
        for (y = 1; y <= 40; y++)
            if (wall(x, y) && x < 48) print "set", at(x > 30, x, y), "blocked"
    join(0, 30, 1, 31, 1, 40)
    join(0, 9, 2, 10, 3, 7)
    join(1, 50, 2, 49, 3, 7)
    for (y = 3; y <= 7; y++) {
        print "step", at(0, 9, y), at(0, 10, y), "blocked"; print "step", at(0, 10, y), at(0, 9, y), "blocked"
        print "step", at(1, 49, y), at(1, 50, y), "blocked"; print "step", at(1, 50, y), at(1, 49, y), "blocked"
    }
}' >"$work/floors.wend" || exit 99

expect_kept() { # option...
    expect 0 stress "$work/floors.wend" --json "$@"
    [ "$(field violations)" = 0 ] || complain "$*: violations"
}
for rules in '--corners never' '--corners one' '--corners always --engine astar' '--neighbours 4'; do
    # shellcheck disable=SC2086 # two words
    expect_kept --walk --agents 200 --frames 60 $rules
    [ "$(field arrived)" -ge 200 ] || complain "$rules: $(field arrived) arrived"
    [ "$(field unfinished)" = 0 ] || complain "$rules: $(field unfinished) goals have no end"
    # shellcheck disable=SC2086
    expect_kept --agents 100 --frames 60 --scenario far --edits 10 --seed 4 $rules
    grep -q '"optimum":{"checked":[1-9]' "$work/out" || complain "$rules: no path was compared with Dijkstra"
done
expect_kept --walk --agents 200 --frames 60 --edits 3
hash=$(field hash)
expect_kept --walk --agents 200 --frames 60 --edits 3 --workers 2
expect_field hash "$hash"

expect 0 plan "$work/floors.wend" --agents 20 --hz 20 --walk --json
grep -q '"nine_tenths_holds":false,.*"holds":true' "$work/out" || complain "plan: $(cat "$work/out")"

# Seams that edits do not bring back.
WEND_BROKEN=lost_seam "${WEND_PROGRAMS:-.}/stress_broken" "$work/floors.wend" --agents 200 --frames 60 --edits 40 >"$work/out" 2>"$work/err"
status=$?
[ "$status" -eq 1 ] || complain "lost_seam: exit $status: $(cat "$work/err")"
grep -q 'promise broken: editing ' "$work/err" || complain 'lost_seam: nothing said about editing'
finish
