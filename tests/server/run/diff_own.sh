#!/bin/sh
# SPDX-License-Identifier: MIT
# Worlds that are the same have the same hashes after each frame: a script and its own recording; a script, and that
# script with more lines behind it, up to these. With the scripts of tests/server/run/scripts.
set -u
wend=${WEND_PROGRAMS:-${WEND_BUILDDIR:-.}}/wend
. "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/repo/needs.sh"
needs extra
case $wend in /*) ;; *) echo "WEND_BUILDDIR must be absolute"; exit 99 ;; esac
scripts=$(cd "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/server/run/scripts" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cp -R "$scripts"/. "$work" && cd "$work" || exit 99
bad=0
recorded=0
longer=0
complain() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

# Their recordings lack something that is in the world: weights and movers of questions, which change no later answer;
# a service that refused all requests. Graphs that nothing changed have version 0, which is no version's number.
lacks='link_movers nearest_places seats far_refusals'
is_long() { grep -qE '^(frame|drain|walk) [0-9]{4,}' "$1"; } # each frame is run for its hash
same_as_recording() {
    is_long "$1" && return
    name=${1%.wend}
    case " $lacks " in *" $name "*) return ;; esac
    "$wend" run "$1" --record own.record >out 2>&1 || return 0 # refused: too many frames, no recording here
    [ -s own.record ] || return 0
    "$wend" diff "$1" own.record >out 2>&1 || complain "$1 and its recording: $(head -c 300 out)"
    grep -q '"same":true' out && recorded=$((recorded + 1))
    rm -f own.record*
}
for script in *.wend; do same_as_recording "$script"; done

# Agents, routes and nodes, for which a crowd or a graph needs more room.
more() {
    case $(grep -oE '^(voxels|graph)' "$1" | head -n 1) in voxels) cell=1,1,1 ;; graph) cell=0 ;; *) cell=1,1 ;; esac
    echo
    echo 'frame'
    i=0
    while [ $i -lt 20 ]; do echo "agent more$i $cell" && i=$((i + 1)); done
    echo "route more once $cell $cell"
    [ $cell != 0 ] || echo 'node 9000 1 1'
}
hashes() { "$wend" run "$1" --hash-frames 2>/dev/null | grep '"hash"'; }
same_before_more() {
    is_long "$1" && return
    hashes "$1" >first
    count=$(wc -l <first)
    [ "$count" -gt 0 ] || return 0
    { cat "$1" && more "$1"; } >longer.wend
    hashes longer.wend | head -n "$count" | cmp -s - first || complain "$1: later lines change its hashes"
    longer=$((longer + 1))
}
# Not `nearest` on a graph: it goes over numbers without a node, too, and they count as expansions.
for script in agents_*.wend graph.wend graph_[!n]*.wend routes*.wend bodies.wend walker_crowd.wend; do
    same_before_more "$script"
done

# A route that movers of two kinds take is copied, behind all others.
cat >copies.wend <<'S'
grid 40 20
mover m 2=3
fill 10,2 10,19 2
route r loop 1,1 30,1 30,15
agent a 1,1
agent b 2,1 mover=m
take a r
take b r
frame 30
S
same_before_more copies.wend

[ $recorded -gt 150 ] || complain "only $recorded recordings"
[ $longer -gt 40 ] || complain "only $longer scripts with more lines"
echo "$recorded recordings, $longer scripts with more lines, $bad failures"
[ "$bad" -eq 0 ]
