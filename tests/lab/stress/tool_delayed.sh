#!/bin/sh
# SPDX-License-Identifier: MIT
# Whichever threads run the lanes, and however long they stop between, each scenario gives the same bytes: stress_delayed
# is wend stress with threads that stop at random (tests/lab/stress/delayed_service.c). Each worker runs slices in some
# scenario; in one of few frames a busy machine may leave it asleep.
set -u
cd "${WEND_BUILDDIR:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
programs=${WEND_PROGRAMS:-$PWD}

"$programs/wend" generate caves 160x160 --seed 3 --output "$work/caves.map" || exit 99

failed=0
complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([0-9a-f]*\).*/\1/p" "$work/out"; }

# Enough work for all lanes. With so many, an urgent search alone in one takes longer than overload promises.
for scenario in even bursts urgent-stream crowded far tight walls rivals burst horde siege islands clicks pursuit overload; do
    set -- "$work/caves.map" --agents 1500 --budget 12000
    first=
    for workers in 0 2 8; do
        "$programs/stress_delayed" "$@" --scenario $scenario --frames 12 --lanes 16 --slice 60 --engine astar --workers $workers \
            --log "$work/log$workers" --json >"$work/out" 2>"$work/err"
        ! grep -v 'broken: overload_urgent ' "$work/err" || complain "$scenario, $workers workers: exit $?"
        hash=$(field hash)
        [ -n "$hash" ] && [ "${first:=$hash}" = "$hash" ] || complain "$scenario, $workers workers: hash $hash, not $first"
        cmp -s "$work/log0" "$work/log$workers" || complain "$scenario, $workers workers: another log"
        slices=$(sed -n 's/.*"worker_slices":\[\([0-9,]*\)\].*/\1/p' "$work/out")
        echo "$slices" >>"$work/slices$workers"
    done
    echo "$scenario: hash $first, slices with 8 workers $slices"
done
for workers in 0 2 8; do
    sums=$(awk -F, '{ for (i = 1; i <= NF; i++) sum[i] += $i } END { for (i = 1; i <= NF; i++) print sum[i] }' \
        "$work/slices$workers")
    [ "$(echo "$sums" | grep -vc '^0$')" -eq $((workers + 1)) ] || complain "$workers workers: slices" $sums
done
echo "$failed complaints"
[ "$failed" -eq 0 ]
