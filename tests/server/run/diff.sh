#!/bin/sh
# SPDX-License-Identifier: MIT
# `wend run --hash-frames` and `wend diff`: hashes of a run that went back, of one with workers; scripts, recordings and
# saves that differ; and what is refused. check_diff changes values of all kinds.
set -u
wend=${WEND_PROGRAMS:-${WEND_BUILDDIR:-.}}/wend
. "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/repo/needs.sh"
needs extra
case $wend in /*) ;; *) echo "WEND_BUILDDIR must be absolute"; exit 99 ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
bad=0
complain() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

cat >a <<'S'
grid 30 20
fill 10,2 10,19 blocked
layer danger values
agent walker 2,10 speed=300
agent disc 2,4 radius=300
go walker disc to 25,10
request r 0,0 29,19 urgency=3
frame 6 budget=40
request late 0,19 29,0
frame 8 budget=40
walk
S

# ---- hashes
"$wend" run a --hash-frames >a.out || complain 'hashes: a run failed'
grep '"hash"' a.out >a.hashes
frames=$(wc -l <a.hashes)
[ "$frames" -gt 20 ] || complain "only $frames hashes"
grep -vqE '^\{"frame":[0-9]+,"hash":"[0-9a-f]{16}"\}$' a.hashes && complain "$(head -n 1 a.hashes)"
[ "$(sort -t, -k2 -u a.hashes | wc -l)" -gt 20 ] || complain 'hashes: all the same'
grep -v '"hash"' a.out >a.rest
"$wend" run a | cmp -s - a.rest || complain 'hashes: they change the run'
"$wend" run a --hash-frames --workers 2 | grep '"hash"' | cmp -s - a.hashes || complain 'hashes: workers change them'
{ sed -n '1,8p' a; echo 'mark here'; sed -n '9,$p' a; echo 'rewind here'; sed -n '9,$p' a; } >twice
"$wend" run twice --hash-frames | grep '"hash"' >twice.hashes
{ cat a.hashes; tail -n +7 a.hashes; } | cmp -s - twice.hashes || complain 'hashes: the way back changes them'

# ---- what differs
says() { # status, beginning of the line, arguments
    wanted=$1 text=$2
    shift 2
    "$wend" diff "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || complain "$*: exit $status: $(cat out err)"
    case $(cat out err) in "$text"*) ;; *) complain "$*: $(cat out err)" ;; esac
}
says 0 "{\"same\":true,\"frames\":$frames}" a a
sed 's/speed=300/speed=301/' a >b
says 1 '{"frame":1,"what":"agent","name":"walker","a":{"speed":300' a b
grep -q '"b":{"speed":301' out || complain "$(cat out)"
sed '8s/$/\nset 20,3 blocked/' a >b
says 1 '{"frame":7,"what":"cell","name":"20,3","a":{"class":1},"b":{"class":0}}' a b
sed '8s/$/\npaint danger 20,3 radius=0 peak=7/' a >b
says 1 '{"frame":7,"what":"layer","name":"danger 20,3","a":{"value":0},"b":{"value":7}' a b
sed 's/urgency=3/urgency=4/' a >b
says 1 '{"frame":1,"what":"request","name":"r","a":{"urgency":3},"b":{"urgency":4}}' a b
sed '9d' a >b
says 1 '{"frame":7,"what":' a b
sed '$d' a >b
says 1 '{"frame":15,"what":' a b

# Recordings are scripts, with names of their own for agents and requests, which are compared in their order.
"$wend" run a --record a.record >/dev/null && sed 's/speed=300/speed=301/' a >b && "$wend" run b --record b.record >/dev/null ||
    complain 'no recordings'
says 0 '{"same":true,"frames":' a.record a.record
says 0 "{\"same\":true,\"frames\":$frames}" a a.record
says 1 '{"frame":1,"what":"agent","name":"walker","a":{"speed":300' a b.record
says 1 '{"frame":1,"what":"agent","name":"a0","a":{"speed":301' b.record a
says 1 '{"frame":1,"what":"agent","name":"' a.record b.record
if [ -f a.record.0.wendmap ]; then mkdir -p away && cp a.record* away && says 0 '{"same":true' a.record away/a.record; fi

# ---- saves
sed '9s/^/save a.save\n/' a >m && "$wend" run m >/dev/null || complain 'no save'
sed '9s/^/occupy 7,7\nsave b.save\n/' a >m && "$wend" run m >/dev/null || complain 'no other save'
says 0 '{"same":true,"frames":6}' a.save a.save
says 1 '{"frame":6,"what":"unit","name":"7,7","a":{"units":0},"b":{"units":1}}' a.save b.save

# ---- refused
says 2 'wend: diff: which two? (usage: wend diff A B' a
says 2 'wend: diff: one is a save, and one is not' a a.save
says 2 'missing: No such file' a missing
echo 'frame x' >wrong
says 2 'wrong:1:' a wrong
head -c 100 a.save >cut.save
says 2 'cut.save: ' a.save cut.save
echo 'grid 3 3' >short
says 0 '{"same":true,"frames":0}' short short
: >empty
says 2 'empty:1:1: the end comes before the map' empty short
echo "$frames frames, $bad failures"
[ "$bad" -eq 0 ]
