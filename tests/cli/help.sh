#!/bin/sh
# SPDX-License-Identifier: MIT
# --help and --version everywhere; the man page has exactly the options that --help shows, command by command.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"

commands='solve scen run stress generate convert info'
expect 0 --version
version=$(cat "$work/out")
case $version in "wend "[0-9]*.[0-9]*.[0-9]*) ;; *) complain "version: $version" ;; esac
expect 0 --help
for command in $commands; do grep -q "^  $command " "$work/out" || complain "--help says nothing of $command"; done
cp "$work/out" "$work/usage"
for words in -h help; do
    expect 0 $words
    cmp -s "$work/out" "$work/usage" || complain "wend $words is not wend --help"
done
expect_refused 'Usage: wend COMMAND'
expect_refused "no command 'nonsense'" help nonsense
expect_refused "a word too many: 'run'" help solve run
expect_refused "no command 'nonsense'" nonsense
expect_refused "no command '--json'" --json

page=$srcdir/docs/wend.1
for command in $commands; do
    expect 0 $command --version
    expect_out "$version"
    expect 0 $command --help
    grep -q "^Usage: wend $command " "$work/out" || complain "$command: no usage"
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$work/out" | grep -v -x -e '--help' -e '--version' | sort >"$work/help"
    awk -v command=$command '/^\.S[SH]/ { inside = $1 == ".SS" && $2 == command }
        inside && before == ".TP" { print } { before = $0 }' "$page" |
        sed -n 's/^\.BI* \(\\-\\-[a-z\\-]*\).*/\1/p' | sed 's/\\//g' | sort >"$work/page"
    diff "$work/help" "$work/page" || complain "$command: --help (<) and the man page (>) differ"
    grep -q "^\.SS $command\$" "$page" || complain "$command is not in the man page"
    [ $command = convert ] || [ -s "$work/help" ] || complain "$command: no options"
    expect_refused "$command has no option --bogus" $command --bogus
    expect 0 $command --help
    cp "$work/out" "$work/help"
    for words in "help $command" "$command -h"; do
        expect 0 $words
        cmp -s "$work/out" "$work/help" || complain "wend $words is not wend $command --help"
    done
done

# Output that cannot be written is no success.
if [ -w /dev/full ] && { : >/dev/full; } 2>/dev/null; then
    ./wend info "$data/problem1.txt" >/dev/full 2>"$work/err"
    [ $? -eq 2 ] || complain 'a full disk: not exit 2'
    grep -q 'standard output' "$work/err" || complain 'a full disk: no word'
fi
# No progress bar where standard error is no terminal.
run generate random 2000x2000 --output "$work/large.map"
run solve "$work/large.map" --from 0,0 --to 1999,1999 --json
[ ! -s "$work/err" ] || complain "words where none belong: $(head -c 200 "$work/err")"
# On a terminal the bar says how long it took and how long it will take.
if script -qec true /dev/null >"$work/out" 2>&1 </dev/null; then
    ./wend generate random 3000x3000 --output "$work/larger.map"
    script -qec "./wend stress '$work/larger.map' --agents 50 --frames 200 --scenario far --budget 20000" /dev/null >"$work/bar" 2>&1 </dev/null
    grep -q 'frames \[#*\.*\] *[0-9]* % [0-9]*:[0-9][0-9] elapsed, [0-9]*:[0-9][0-9] left' "$work/bar" || complain "no bar: $(head -c 300 "$work/bar")"
fi
finish
