#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests' own tools: run-checked must fail on a sanitizer's report, and count-results must count what really happened.
set -u
tests=$(cd "${WEND_SRCDIR:-$(dirname "$0")/../..}/tests/repo" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
unset WEND_TIMES
expect() { # what wanted got
    [ "$2" = "$3" ] && return
    echo "$1: wanted '$2', got '$3'"
    bad=$((bad + 1))
}

checked() {
    sh "$tests/run-checked" "$@" >"$work/out" 2>&1
    echo $?
}
expect 'a good test' 0 "$(checked true)"
expect 'a failed test keeps its status' 3 "$(checked sh -c 'exit 3')"
expect 'a skipped test stays skipped' 77 "$(checked sh -c 'exit 77')"
checked sh -c 'i=0; while [ $((i += 1)) -lt 100000 ]; do :; done' >"$work/status"
expect 'the log ends with what the test took' 1 \
    "$(tail -n 1 "$work/out" | grep -cE '^run-checked: [0-9]+\.[0-9]+ s of processor time, [0-9]+ s on the clock$')"
expect 'a loop takes processor time' 0 "$(grep -c '^run-checked: 0\.00 s' "$work/out")"
(WEND_TIMES=$work/times; export WEND_TIMES; checked true) >"$work/status"
expect 'what it took is kept' 1 "$(grep -cE '^[0-9]+\.[0-9]+ [0-9]+ true$' "$work/times")"
for sanitizer in ASAN UBSAN TSAN; do
    expect "a report of $sanitizer" 98 "$(checked sh -c "path=\${${sanitizer}_OPTIONS##*log_path=}; echo leaked >\"\$path.123\"")"
    expect "the report of $sanitizer is shown" leaked "$(tail -n 2 "$work/out" | head -n 1)"
done

result() { # name result [log line]
    echo ":global-test-result: $2" >"$work/$1.trs"
    echo "${3-}" >"$work/$1.log"
}
count() {
    (cd "$work" && sh "$tests/count-results" "$@" | tail -n 1)
}
result suite PASS '[====] Synthesis: Tested: 5 | Passing: 5 | Failing: 0 | Crashing: 0'
result broken FAIL '[====] Synthesis: Tested: 5 | Passing: 2 | Failing: 2 | Crashing: 1'
result leaky FAIL '[====] Synthesis: Tested: 4 | Passing: 4 | Failing: 0 | Crashing: 0'
result plain PASS
result crashed FAIL
result skipped SKIP "$(printf '%s\n' 'skipped: no such device' 'run-checked: 0.01 s of processor time, 0 s on the clock' 'SKIP skipped')"
expect 'cases of a suite' '5 passed, 0 failed' "$(count suite.log)"
expect 'failed and crashed cases' '2 passed, 3 failed' "$(count broken.log)"
expect 'a report without a failed case' '4 passed, 1 failed' "$(count leaky.log)"
expect 'plain programs' '1 passed, 1 failed' "$(count plain.log crashed.log)"
expect 'skipped is neither' '1 passed, 0 failed' "$(count plain.log skipped.log)"
expect 'why it was skipped' '  skip  skipped: skipped: no such device' \
    "$(cd "$work" && sh "$tests/count-results" plain.log skipped.log | sed -n 2p)"
printf '[SKIP] topic::name: no such device\n' >>"$work/suite.log"
expect 'a skipped case is told' '  1 skipped' "$(cd "$work" && sh "$tests/count-results" suite.log | tail -n 2 | head -n 1)"
expect 'what never ran has failed' '1 passed, 1 failed' "$(count plain.log never.log)"
(cd "$work" && sh "$tests/count-results" skipped.log >/dev/null) && expect 'nothing passed' failure success
(cd "$work" && sh "$tests/count-results" suite.log plain.log >/dev/null) || expect 'all passed' success failure
echo "$bad complaints"
[ "$bad" -eq 0 ]
