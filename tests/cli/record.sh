#!/bin/sh
# SPDX-License-Identifier: MIT
# `wend run --record` on tests/cli/scripts: the recording plays back to the same completions and hash. Names become
# numbers; agents become their requests and units, so of those scripts only two playbacks are compared.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
wend=$PWD/wend
cd "$srcdir/tests/cli/scripts" || exit 99
same=0 crowds=0 refused=0

completions() { # file: names, refusals and events apart
    grep -E '"status":|"hash":' "$1" | sed -E 's/"id":"([^"\\]|\\.)*"/"id"/'
}

# A recording of a recording plays back to the same, too.
again() { # script options...
    script=$1
    shift
    "$wend" run "$work/recording" "$@" --hash --record "$work/second" >"$work/out" 2>"$work/err" &&
        "$wend" run "$work/second" "$@" --hash >"$work/twice" 2>>"$work/err" || complain "$script: $(cat "$work/err")"
    cmp -s "$work/out" "$work/twice" || complain "$script: a second playback is another: $(diff "$work/out" "$work/twice")"
}

for script in *.wend; do
    name=${script%.wend}
    arguments=$(sed -n '1s/^# args: //p' "$script")
    workers=$(echo "$arguments" | grep -o -- '--workers [0-9]*')
    reason=$(sed -n "s/^$name|//p" unrecorded.txt)
    "$wend" run "$script" $arguments --hash --record "$work/recording" >"$work/first" 2>"$work/err"
    status=$?
    if [ -n "$reason" ]; then
        [ "$status" -eq 2 ] || complain "$script: exit $status, not 2"
        grep -qF "$reason" "$work/err" || complain "$script: says '$(cat "$work/err")', not '$reason'"
        refused=$((refused + 1))
        continue
    fi
    [ "$status" -eq 0 ] || complain "$script: exit $status: $(cat "$work/err")"
    "$wend" run "$script" $arguments --hash >"$work/plain" 2>/dev/null
    cmp -s "$work/plain" "$work/first" || complain "$script: --record changes what is printed"
    again "$script" $workers
    if grep -qE '^ *agent ' "$script"; then
        crowds=$((crowds + 1))
        continue
    fi
    completions "$work/first" >"$work/wanted"
    completions "$work/out" >"$work/got"
    cmp -s "$work/wanted" "$work/got" || complain "$script plays back as: $(diff "$work/wanted" "$work/got")"
    same=$((same + 1))
done
echo "$same scripts the same, $crowds with agents, $refused refused"
[ "$same" -ge 110 ] || complain "only $same scripts"
[ "$(grep -c '^[a-z]' unrecorded.txt)" -eq "$refused" ] || complain "names without a script in unrecorded.txt"

# What cannot be written is said.
scripts=$PWD
cd "$(dirname "$wend")" || exit 99
expect_refused 'cannot be opened for writing' run "$scripts/weight.wend" --record /no/such/folder/file
finish
