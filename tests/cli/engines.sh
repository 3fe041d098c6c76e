#!/bin/sh
# SPDX-License-Identifier: MIT
# --engine in every command that searches: which engine answers, and that the ways cost the same.
. "${WEND_SRCDIR:-$(dirname "$0")/../..}/tests/cli/lib.sh"
needs server lab

answers() { # engine word...: wend solve, by that engine
    answering=$1
    shift
    expect 0 solve "$@" --json
    [ "$(field engine)" = "$answering" ] || complain "$*: $(field engine) answers, not $answering"
}

# ---- solve ----
problem=$data/problem1.txt
for cost in 10,14 1000,1414; do
    answers astar "$problem" --cost $cost --engine astar
    wanted_cost=$(field cost)
    for engine in jump auto; do
        answers jump "$problem" --cost $cost --engine $engine
        expect_field cost "$wanted_cost"
        expect_field exact true
    done
done
answers jump "$problem" # auto is the default
printf 'grid 3 1\n' >"$work/world"
printf 'grid 3 1\nset 1,0 3\n' >"$work/slow"
printf 'grid 3 2\nstep 0,0 1,0 blocked\n' >"$work/ledge"
printf 'grid 3 1\nlink 0,0 2,0 90\n' >"$work/link"
printf 'grid 3 1\nmover cart 7=5\nmover boat 7=1\n' >"$work/movers"
printf 'c a graph\np sp 2 1\na 1 2 10\n' >"$work/graph"
for engine in auto jump; do
    answers jump "$work/world" --from 0,0 --to 2,0 --engine $engine
    answers jump "$work/world" --from 0,0 --to 2,0 --engine $engine --corners never --neighbours 8
    for land in slow ledge link; do answers jump "$work/$land" --from 0,0 --to 2,0 --engine $engine; done
    answers jump "$work/movers" --from 0,0 --to 2,0 --engine $engine
    answers astar "$work/movers" --from 0,0 --to 2,0 --engine $engine --mover cart
    answers astar "$work/graph" --from 1 --to 2 --engine $engine
    answers astar "$data/tiny.3dmap" --from 0,0,0 --to 1,1,1 --engine $engine
    for option in '--cost 5,5' '--cost 5,10' '--reach 1' '--mode nearest' '--to 1,0' '--weight 1.5' '--neighbours 4'; do
        # shellcheck disable=SC2086 # two words
        answers jump "$work/world" --from 0,0 --to 2,0 --engine $engine $option
    done
    for option in '--corners one' '--corners always' '--heuristic euclid' '--heuristic zero'; do
        # shellcheck disable=SC2086 # two words
        answers astar "$work/world" --from 0,0 --to 2,0 --engine $engine $option
    done
done

# ---- scen ----
caves=$data/caves512.map.scen
expect 0 scen "$caves" --engine astar --json
plain=$(field expansions)
expect 0 scen "$caves" --engine jump --json
expect_field mismatches 0
jumps=$(field expansions)
expect 0 scen "$caves" --engine jump --landmarks 0 --json
expect_field mismatches 0
without=$(field expansions)
[ "$without" -lt "$plain" ] || complain "scen: jump search took $without expansions, A* $plain"
[ "$jumps" -lt "$without" ] || complain "scen: with landmarks jump search took $jumps expansions, without $without"
expect 0 scen "$caves" --engine jump --landmarks 4 --json
expect_field expansions "$jumps" # as many as there are by default
expect 0 scen "$caves" --engine astar --landmarks 8 --json
expect_field expansions "$plain" # A* does not look at them
expect_refused 'from 0 to 8' scen "$caves" --landmarks 9
for more in '' --bare '--slice 1' '--slice 7 --workers 2'; do
    # shellcheck disable=SC2086 # words
    expect 0 scen "$caves" --json $more
    expect_field mismatches 0
    expect_field expansions "$jumps"
done
expect 0 scen "$caves" --engine astar --bare --json
expect_field expansions "$plain"

# ---- run ----
printf 'grid 9 9\nrequest a 0,0 8,3\ndrain\nset 8,8 2\nrequest b 0,0 8,3 heuristic=zero\ndrain\nset 8,8 open\nrequest c 0,0 8,3\ndrain\n' >"$work/script"
for engine in astar jump auto; do
    expect 0 run "$work/script" --engine $engine
    [ "$(grep -c '"cost":92,' "$work/out")" -eq 3 ] || complain "run --engine $engine: not three times 92"
    sed 's/.*"engine":"\([a-z]*\)".*/\1/' "$work/out" | paste -s -d ' ' - >"$work/engines"
    case $engine in astar) wanted='astar astar astar' ;; *) wanted='jump astar jump' ;; esac
    [ "$(cat "$work/engines")" = "$wanted" ] || complain "run --engine $engine: $(cat "$work/engines"), not $wanted"
done
expect 0 run "$work/script"
sed 's/.*"engine":"\([a-z]*\)".*/\1/' "$work/out" | paste -s -d ' ' - >"$work/engines"
[ "$(cat "$work/engines")" = 'jump astar jump' ] || complain "run: $(cat "$work/engines")"

# ---- stress ----
set -- "$data/caves512.map" --agents 50 --frames 40 --json
expect 0 stress "$@" --engine astar
[ "$(field violations)" = 0 ] || complain 'stress --engine astar: promises broken'
plain=$(field expansions)
expect 0 stress "$@" --engine jump
hash=$(field hash)
[ "$(field violations)" = 0 ] || complain 'stress --engine jump: promises broken'
[ "$(field expansions)" -lt "$plain" ] || complain "stress: jump search took $(field expansions) expansions, A* $plain"
expect 0 stress "$@"
expect_field hash "$hash"

jumps=$(field expansions)
expect 0 stress "$@" --landmarks 4
[ "$(field violations)" = 0 ] || complain 'stress --landmarks 4: promises broken'
[ "$(field expansions)" -lt "$jumps" ] || complain "stress: with landmarks $(field expansions) expansions, without $jumps"
hash=$(field hash)
expect 0 stress "$@" --landmarks 4 --workers 2
expect_field hash "$hash"
expect 0 stress "$@" --landmarks 8 --edits 5
[ "$(field violations)" = 0 ] || complain 'stress --landmarks 8 --edits 5: promises broken'
for command in run stress; do
    expect_refused 'from 0 to 8' $command "$problem" --landmarks 9
done

for command in solve scen run stress; do
    expect_refused 'auto.astar.jump' $command "$problem" --engine dijkstra
done
finish
