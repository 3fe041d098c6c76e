#!/bin/sh
# SPDX-License-Identifier: MIT
# wend stress must find out when the service breaks a promise: stress_broken is the same program with a liar in between
# (tests/lab/stress/broken_service.c). Each way of breaking raises the count of the promise that it breaks; none raises none.
set -u
cd "${WEND_BUILDDIR:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# A 64 x 64 map with scattered walls and a walled-in room of its own.
awk 'BEGIN {
    print "type octile"; print "height 64"; print "width 64"; print "map"
    for (y = 0; y < 64; y++) {
        line = ""
        for (x = 0; x < 64; x++) {
            wall = (x * 7 + y * 13) % 5 == 0 && (x * y) % 3 != 1
            if (x >= 40 && x <= 48 && y >= 40 && y <= 48) wall = x == 40 || x == 48 || y == 40 || y == 48
            line = line (wall ? "@" : ".")
        }
        print line
    }
}' >"$work/map" || exit 99

failed=0
complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}
run() { # mode [option...]; more is asked for than the budget can do, so that requests wait
    broken=$1
    shift
    WEND_BROKEN=$broken "${WEND_PROGRAMS:-.}/stress_broken" "$work/map" --agents 200 --frames 60 --scenario far --engine astar --budget 100 --lanes 2 \
        --slice 10 --seed 7 --json "$@" >"$work/out" 2>"$work/err"
}
count() { sed -n "s/.*\"$1\":{\"checked\":[0-9]*,\"broken\":\([0-9]*\)}.*/\1/p" "$work/out"; }

expect() { # mode promise [option...]
    mode=$1
    promise=$2
    shift 2
    run "$mode" "$@"
    status=$?
    violations=$(sed -n 's/.*"violations":\([0-9]*\),.*/\1/p' "$work/out")
    found=$(count "$promise")
    echo "$mode: exit $status, violations ${violations:-none}, $promise ${found:-none}: $(head -n 1 "$work/err")"
    [ "$status" -eq 1 ] || complain "$mode: exit $status, not 1"
    [ "${violations:-0}" -gt 0 ] || complain "$mode: no violations"
    [ "${found:-0}" -gt 0 ] || complain "$mode: promise $promise is not found broken"
    grep -q "promise broken: $promise " "$work/err" || complain "$mode: nothing said about $promise"
}

# The real service, through the same wrapper: nothing is found, and every promise was looked at.
run none --cancels 1 --unreachable 5 --edits 40
status=$?
[ "$status" -eq 0 ] || complain "none: exit $status: $(cat "$work/err")"
grep -q '"violations":0,' "$work/out" || complain "none: violations: $(cat "$work/out")"
promises=$(grep -o '"[a-z_]*":{"checked":[0-9]*' "$work/out" | wc -l)
[ "$promises" -ge 15 ] || complain "only $promises promises are told"
for line in $(grep -o '"[a-z_]*":{"checked":0' "$work/out"); do complain "none: never checked: $line"; done

expect overspend budget
expect idle spending
expect overspend_hush accounts
expect unbooked accounts
expect busy accepting
expect twice one_completion
expect lost one_completion
expect stranger one_completion
expect ticket one_completion
expect number one_completion
expect order order
expect urgency urgency
expect late timing
expect deaf cancelling --cancels 1
expect gloomy cancelling
expect stubborn cancelling --scenario rivals
expect no_path no_way
expect not_exact status
expect wall walkable
expect corner walkable
expect jump walkable
expect short_of_goal walkable
expect cost cost
expect detour optimum
expect boast figures
expect allocate memory

# Edits in flight.
expect unchecked walkable --edits 40
expect old_no_path no_way --edits 40 --unreachable 20
expect in_vain status --unreachable 20
expect in_vain status --edits 40 --unreachable 20
expect old_cost cost --edits 40
expect old_epoch versions --edits 40
expect false_epoch versions --edits 40
expect gives_up pieces --edits 40
expect overrun walkable --edits 40
expect lost_edit editing --edits 40
expect two_epochs editing --edits 40
expect hoard memory --edits 40
expect allocate memory --edits 40
expect no_path no_way --edits 40
expect detour optimum --edits 40

# Promises about load, each in its scenario.
expect starve fair_wait --scenario overload
expect idle burst_ends --scenario burst --frames 1
expect detour horde_cost --scenario horde
expect alone horde_spent --scenario horde --agents 1000 --corners always --engine auto
expect again siege_restarts --scenario siege --edits 40
expect in_vain islands_free --scenario islands
expect lag islands_delay --scenario islands
expect deaf clicks_stop --scenario clicks --frames 220
expect rooted pursuit_moves --scenario pursuit
expect stay walkable --scenario pursuit
expect idle overload_spent --scenario overload
expect swell overload_memory --scenario overload
expect urgency overload_first --scenario overload --frames 200
expect urgency overload_urgent --scenario overload --frames 200
echo "$failed failed"
[ "$failed" -eq 0 ]
