#!/bin/sh
# SPDX-License-Identifier: MIT
# The program without some of its packages: commands that are there work, the others say that they are not.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"

check_commands() { # package command...
    package=$1
    shift
    for command; do
        expect 0 $command --help
        if has $package; then
            grep -q 'not in this build' "$work/out" && complain "$command: $package is in this build"
        else
            grep -q 'not in this build' "$work/out" || complain "$command: its help does not say that it is missing"
            expect_refused "$command: this program was built without it" $command something
        fi
    done
}
check_commands server run
check_commands lab scen stress plan generate
expect 0 --help
cp "$work/out" "$work/help"
for command in solve info convert bake run serve cluster scen stress plan generate; do
    grep -q "^  $command " "$work/help" || complain "--help says nothing of $command"
done

expect 0 solve "$data/problem1.txt"
[ "$(head -n 1 "$work/out")" = 3,1 ] || complain "solve: $(cat "$work/out")"
expect 0 convert "$data/problem1.txt" "$work/problem.map"
expect 0 info "$work/problem.map"
printf 'grid 3 3\n' >"$work/world.wend"
if has server; then
    expect 0 solve "$work/world.wend" --from 0,0 --to 2,2
else
    expect_refused 'was built with its server' solve "$work/world.wend" --from 0,0 --to 2,2
fi
if has extra; then
    expect 0 info "$data/tutorial.tmj"
    expect 0 solve "$data/problem1.txt" --draw svg --output "$work/picture.svg"
else
    expect_refused 'without pictures and Tiled maps' info "$data/tutorial.tmj"
    expect_refused 'without pictures and Tiled maps' convert "$data/problem1.txt" "$work/problem.tmj"
    expect_refused 'without pictures and Tiled maps' solve "$data/problem1.txt" --draw svg --output "$work/picture.svg"
    [ ! -e "$work/picture.svg" ] || complain 'solve: a picture that is none'
fi
finish
