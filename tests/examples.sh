#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples, run as a reader would: they do what they say and end well.
set -u
build=${WEND_BUILDDIR:-.}
source=${WEND_SRCDIR:-.}
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

out=$("$build/hello" "$source/data/problem1.txt") || complain "hello: exit $?"
echo "$out"
[ "$(echo "$out" | sed -n 1p)" = 3,1 ] || complain 'hello: does not begin at A'
[ "$(echo "$out" | tail -n 2 | head -n 1)" = 0,3 ] || complain 'hello: does not end at B'
# Round the wall's left end: 5 straight steps and 1 diagonal, or what costs the same.
[ "$(echo "$out" | tail -n 1)" = 'found, cost 64' ] || complain 'hello: not the shortest path'
error=$("$build/hello" "$source/tests/examples.sh" 2>&1) && complain 'hello: takes anything for a map'
case $error in *examples.sh:[0-9]*:*) ;; *) complain "hello: does not say where: $error" ;; esac
"$build/hello" "$source/nowhere.txt" 2>/dev/null && complain 'hello: takes a file that is not there'

out=$("$build/game_loop" 60) || complain "game_loop: exit $?"
echo "$out"
case $out in *'frames 60,'*) ;; *) complain 'game_loop: not 60 frames' ;; esac
"$build/game_loop" 0 2>/dev/null && complain 'game_loop: takes 0 frames'
[ "$bad" -eq 0 ]
