#!/bin/sh
# SPDX-License-Identifier: MIT
# --help and --version everywhere; the man page has exactly the options that --help shows, command by command, and
# their defaults.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server lab

commands='solve explain scen run diff stress plan generate convert bake info'
# A build without their libraries has the names of ground and serve, and none of their options.
./wend ground --help | grep -q -e --radius && commands="$commands ground"
./wend serve --help | grep -q -e --listen && commands="$commands serve cluster"
expect 0 --version
cp "$work/out" "$work/versions" # of libwend, then of each package in this build
version=$(head -n 1 "$work/out")
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
# A mistyped word gets the one that may be meant: it differs in one place, by two letters at most.
expect_refused "no command 'sovle'; did you mean solve (see" sovle
expect_refused "no command 'pln'; did you mean plan (see" help pln
expect_refused "plan has no option --agent; did you mean --agents (see wend plan --help)" plan x --agent 5
expect_refused "stress has no option --worker; did you mean --workers (see" stress x --worker=5
grep -q 'did you mean' "$work/err" || complain 'no guess'
for word in --x --bogus --budgetssss --$(printf '%0999d' 1); do
    expect_refused "plan has no option $(echo "$word" | head -c 200)" plan x "$word"
    ! grep -q 'did you mean' "$work/err" || complain "$word: $(cat "$work/err")"
done

# A line of spaces in front goes on with the line before.
join() { awk '/^    / { sub(/^ +/, " "); all = all $0; next } { if (all != "") print all; all = $0 } END { print all }'; }
narrow() { awk -v what="$1" 'length > 80 { print what ": more than 80 columns: " $0; wide = 1 } END { exit wide }' "$2" || complain "$1 is wide"; }
narrow 'wend --help' "$work/usage"

page=$srcdir/docs/wend.1
for command in $commands; do
    expect 0 $command --version
    package=$(sed "s/^$version, //" "$work/out")
    [ "$(cat "$work/out")" = "$version" ] || { expect_out "$version, $package" && grep -q -x -F "$package" "$work/versions"; } ||
        complain "$command: $(cat "$work/out")"
    expect 0 $command --help
    grep -q "^Usage: wend $command " "$work/out" || complain "$command: no usage"
    narrow "wend $command --help" "$work/out"
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$work/out" | grep -v -x -e '--help' -e '--version' | sort >"$work/help"
    awk -v command=$command '/^\.S[SH]/ { inside = $1 == ".SS" && $2 == command }
        inside && before == ".TP" { print } { before = $0 }' "$page" |
        sed -n 's/^\.BI* \(\\-\\-[a-z\\-]*\).*/\1/p' | sed 's/\\//g' | sort >"$work/page"
    diff "$work/help" "$work/page" || complain "$command: --help (<) and the man page (>) differ"
    grep -q "^\.SS $command\$" "$page" || complain "$command is not in the man page"
    [ $command = convert ] || [ -s "$work/help" ] || complain "$command: no options"
    join <"$work/out" >"$work/joined"
    awk 'match($0, /; default [0-9.]+( \(|$)/) { name = $1; sub(/.*; default /, ""); print name, $1 }' "$work/joined" |
        grep -v ' 0$' | sort >"$work/help"
    awk -v command=$command '/^\.S[SH]/ { inside = $1 == ".SS" && $2 == command } /^\.(TP|SS|SH|PP)/ { name = "" }
        inside && before == ".TP" { name = $2; gsub(/\\/, "", name) } { before = $0 }
        inside && name ~ /^--/ && match($0, /default (is )?[0-9][0-9.,]*/) {
            number = substr($0, RSTART, RLENGTH); gsub(/[^0-9.]|\.$/, "", number); print name, number }' "$page" |
        grep -v -e ' 0$' -e '^--cost' -e '^--listen' | sort >"$work/page"
    diff "$work/help" "$work/page" || complain "$command: defaults of --help (<) and of the man page (>) differ"
    expect_refused "$command has no option --bogus" $command --bogus
    expect 0 $command --help
    cp "$work/out" "$work/help"
    for words in "help $command" "$command -h"; do
        expect 0 $words
        cmp -s "$work/out" "$work/help" || complain "wend $words is not wend $command --help"
    done
done

expect 0 orders
cmp -s "$work/out" "$srcdir/docs/orders.md" || complain 'docs/orders.md is not what wend orders prints'

# The commands of a script are printed from the catalogue; the man page has the same, and names every limit.
./wend run --help | sed -n '/^A script has/,/^WHAT is/p' | sed '1d; $d' | sed 's/^  //' | join | sed 's/ *$//' | sort >"$work/help"
awk '/^\.S[SH]/ { inside = $2 == "run" } inside && /^\.nf/ { on = 1; next } /^\.fi/ { on = 0 } on' "$page" | join |
    sed 's/ | /\n/g' | grep -v '^{' | sort >"$work/page"
diff "$work/help" "$work/page" || complain "commands of --help (<) and of the man page (>) differ"
[ "$(wc -l <"$work/help")" -gt 45 ] || complain 'few commands'
for limit in $(./wend run --help | sed -n '/^WHAT is one of/,/\.$/p' | sed 's/WHAT is one of//; s/\.//'); do
    grep -q "\b$limit\b" "$page" || complain "the man page does not name the limit $limit"
done

# Every key of the JSON that a command prints is in its --help and in the man page.
keys() { # command word...
    key_command=$1
    run "$@"
    grep -o '"[a-z_]*":' "$work/out" | tr -d '":' | sort -u >"$work/keys"
    [ -s "$work/keys" ] || complain "$*: no JSON: $(cat "$work/err")"
    ./wend $key_command --help >"$work/help"
    while read -r key; do
        # Statuses and promises are keys, too: the man page lists the first in one place, and stress names the others.
        case $key in p50 | p99 | max) continue ;; esac
        grep -q "\"$key\"" "$work/nested" && continue
        case $key in
        urgent_*) words=urgent_ ;;
        *) words=$key ;;
        esac
        grep -qw -e "$words" "$work/help" || grep -q -e "$words" "$work/help" || complain "wend $key_command --help says nothing of $key"
        sed 's/\\//g' "$page" | grep -qw -e "$key" || complain "the man page says nothing of $key"
    done <"$work/keys"
}
./wend stress "$data/problem1.txt" --agents 1 --frames 1 --json |
    sed 's/.*"statuses":{\([^}]*\)}.*"promises":{\(.*\)},"violations.*/\1 \2/; s/"checked"//g; s/"broken"//g' >"$work/nested"
printf 'Rows 1\nColumns 3\nA 1 B\n' >"$work/wall"
printf 'grid 2 1\nset 1,0 blocked\n' >"$work/half"
printf 'grid 3 1\nrequest a 0,0 2,0\nrequest b 9,9 0,0\ndrain\n' >"$work/script"
keys solve "$data/problem1.txt" --heuristic manhattan --json
keys solve "$work/half" --from 0,0 --to 1,0 --json
keys solve "$work/half" --from 0,0 --to 1,0 --snap --json
keys scen "$data/tiny.map.scen" --json
keys run "$work/script"
keys stress "$data/problem1.txt" --agents 3 --frames 3 --json
keys plan "$data/problem1.txt" --agents 3 --hz 20 --asks 10 --walk --json
keys plan "$data/problem1.txt" --agents 3 --hz 20 --within 1 --json
keys plan "$work/script" --hz 20 --json
keys info "$data/problem1.txt" --json
keys info "$data/roads.gr" --json

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
    ./wend generate random 1000x1000 --output "$work/larger.map"
    script -qec "./wend stress '$work/larger.map' --agents 50 --frames 60 --scenario far --budget 20000" /dev/null >"$work/bar" 2>&1 </dev/null
    grep -q 'frames \[#*\.*\] *[0-9]* % [0-9]*:[0-9][0-9] elapsed, [0-9]*:[0-9][0-9] left' "$work/bar" || complain "no bar: $(head -c 300 "$work/bar")"
fi
# The man page is readable before wend is installed, as docs/program.md says.
if command -v man >/dev/null; then
    man --warnings=all -E UTF-8 -l "$page" >"$work/out" 2>"$work/err" || complain "man: exit $?"
    [ ! -s "$work/err" ] || complain "the man page: $(head -n 3 "$work/err")"
    grep -q '^NAME' "$work/out" || complain 'man prints no page'
fi
finish
