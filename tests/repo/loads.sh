#!/bin/sh
# SPDX-License-Identifier: MIT
# Every scenario of `wend stress` on maps of one's own: no promise is broken, on any of them. Run it where `wend` is built.
#
#   sh tests/repo/loads.sh MAP...     AGENTS (300), FRAMES (120), SCENARIOS and OPTIONS in the environment say other than
#                                     the defaults
set -u
[ $# -gt 0 ] || { echo 'loads: which maps?' >&2; exit 2; }
agents=${AGENTS:-300} frames=${FRAMES:-120} options=${OPTIONS:-}
scenarios=${SCENARIOS:-even bursts urgent-stream crowded far tight walls rivals crowd burst horde siege islands clicks pursuit overload}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
failed=0 runs=0 refused=0

for map do
    for scenario in $scenarios; do
        some="--agents $agents"
        [ "$scenario" != overload ] || some= # a tenth of its agents find room in the queue: 10,000 by default
        # shellcheck disable=SC2086 # words of simple options
        ./wend stress "$map" --scenario "$scenario" $some --frames "$frames" $options --json >"$work/out" 2>"$work/err"
        status=$?
        runs=$((runs + 1))
        if [ "$status" -eq 2 ] && grep -q 'can be reached from every other' "$work/err"; then
            refused=$((refused + 1))
        elif [ "$status" -ne 0 ] || ! grep -q '"violations":0,' "$work/out"; then
            echo "FAIL: $map, $scenario: exit $status: $(grep -v '^$' "$work/err" | tail -n 1)"
            failed=$((failed + 1))
        fi
    done
done
echo "$runs runs, $failed failed; in $refused every cell can be reached, and there are no islands"
[ "$failed" -eq 0 ]
