#!/bin/sh
# SPDX-License-Identifier: MIT
# `wend run` on tests/server/run/scripts: each script against its expected output, each bad line against its message, scripts made
# bad at random places, world files, and one long script against the clock. Options of a script stand in a first line
# "# args: ...". ACCEPT=1 writes what is printed as what is expected.
set -u
wend=${WEND_PROGRAMS:-${WEND_BUILDDIR:-.}}/wend
. "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/repo/needs.sh"
needs extra
cd "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/server/run/scripts" || exit 99
case $wend in /*) ;; *) echo "WEND_BUILDDIR must be absolute"; exit 99 ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cases=0
bad=0
complain() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

# status arguments...: runs wend; its output is in $work/out and $work/err
expect() {
    wanted=$1
    shift
    cases=$((cases + 1))
    "$wend" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] && return 0
    complain "wend $*: exit status $status, not $wanted"
    cat "$work/err"
    return 1
}
says() { # file text
    grep -qF -- "$2" "$work/$1" || { complain "'$2' is not in what was printed:"; cat "$work/$1"; }
}
silent() {
    [ ! -s "$work/$1" ] || { complain "printed on $1 by $2:"; cat "$work/$1"; }
}

# ---- what scripts print
for script in *.wend; do
    arguments=$(sed -n '1s/^# args: //p' "$script")
    expect 0 run "$script" $arguments
    if grep -q '"status":"cancelled"' "$work/out" && [ -s "$work/err" ]; then
        grep -qE "^$script: the script ended with [0-9]+ requests? pending, now cancelled; drain answers them first$" "$work/err" || silent err "$script"
    else
        silent err "$script"
    fi
    [ "${ACCEPT:-0}" = 1 ] && cp "$work/out" "${script%.wend}.out"
    cmp -s "$work/out" "${script%.wend}.out" || { complain "$script:"; diff "${script%.wend}.out" "$work/out"; }
done
scripts=$cases
[ "$scripts" -ge 95 ] || complain "only $scripts scripts"

# ---- what is wrong with a line, and where
while IFS='|' read -r place piece script; do
    case $place in '' | '#'*) continue ;; esac
    cases=$((cases + 1))
    printf '%b' "$script" >"$work/script"
    "$wend" run - <"$work/script" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq 2 ] || complain "exit status $status, not 2: $script"
    read -r message <"$work/err"
    case $message in
    "<stdin>:$place: "*"$piece"*) ;;
    *) complain "expected $place: $piece"; echo "  got: $message" ;;
    esac
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one line of message: $script"
done <errors.txt
errors=$((cases - scripts))
[ "$errors" -ge 250 ] || complain "only $errors bad lines"

# Each list of classes to avoid is a mover, of which a map has 64; of these links name 32.
{ echo 'grid 4 4'; for i in $(seq 2 65); do echo "request r$i 0,0 3,3 avoid=$i;1"; done; } >"$work/script"
expect 2 run "$work/script"
says err "$work/script:65:21: the map has 64 movers, the most that it can have"
{ echo 'grid 4 4'; for i in $(seq 1 32); do echo "mover m$i"; done; echo 'link 0,0 2,2 5 movers=m31;m32'; } >"$work/script"
expect 2 run "$work/script"
says err "$work/script:34:16: links are for movers up to number 31, and 'm32' is 32"

# What is pending when the script ends is said, and how many.
printf 'grid 5 1\nrequest a 0,0 1,0\nrequest b 0,0 4,0\nframe\nrequest c 0,0 4,0\n' >"$work/script"
expect 0 run "$work/script"
says err "$work/script: the script ended with 1 request pending, now cancelled; drain answers them first"
says out '"id":"c","status":"cancelled"'
printf 'request d 0,0 4,0\n' >>"$work/script"
expect 0 run - <"$work/script"
says err '<stdin>: the script ended with 2 requests pending'
printf 'drain\n' >>"$work/script"
expect 0 run "$work/script"
silent err "$work/script"

# An answer that is not what `expect` names ends the script with exit status 1, and its line is named.
expect_mismatch() { # place message script-lines
    printf "$3" >"$work/script"
    expect 1 run "$work/script"
    says err "$work/script:$1: $2"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one line of message: $3"
}
expect_mismatch 4:10 "'a' is found, not no_path" 'grid 5 1\nrequest a 0,0 4,0\ndrain\nexpect a no_path\nrequest b 0,0 1,0\ndrain\n'
[ "$(wc -l <"$work/out")" -eq 1 ] || complain 'lines after a mismatch run'
expect_mismatch 3:10 "'a' is pending, not found" 'grid 5 1\nrequest a 0,0 4,0\nexpect a found\n'
expect_mismatch 4:16 "'a' costs 40, not 41" 'grid 5 1\nrequest a 0,0 4,0\ndrain\nexpect a found cost=41\n'
expect_mismatch 3:10 "'a' is out_of_range, not found" 'grid 5 1\nrequest a 0,0 9,0\nexpect a found\n'

# What was printed before the error stays; what was pending is not printed; nothing behind it runs.
printf 'grid 5 1\nrequest a 0,0 1,0\ndrain\nrequest b 0,0 1,0\nrequest c 9,9 0,0\noops\ndrain\n' >"$work/script"
expect 2 run "$work/script"
says err "$work/script:6:1: there is no command 'oops'"
[ "$(wc -l <"$work/out")" -eq 2 ] || complain "not two lines before the error"
says out '"id":"a","status":"found"'
says out '{"frame":1,"id":"c","error":"out_of_range"}'

# ---- a hundred scripts that went wrong somewhere
mutate() { # number script
    awk -v seed="$1" '
        function random(n) { state = state * 16807 % 2147483647; return state % n }
        { line[NR] = $0; if ($0 !~ /#/ && NF > 0) usable[++count] = NR }
        END {
            state = seed * 7919 + 1
            for (i = 0; i < 9; i++) random(2)
            at = usable[random(count) + 1]
            split(line[at], word, /[ \t\r]+/)
            command = word[1] == "" ? word[2] : word[1]
            kind = random(5)
            junk = sprintf("%c%c%c", 33 + random(2), 58 + random(60), 1 + random(8))
            if (kind == 0) line[at] = junk
            else if (kind == 1) line[at] = line[at] " " junk
            else if (kind == 2) line[at] = command ~ /^(frame|drain)$/ ? command " " junk : command
            else if (kind == 3) line[at] = toupper(substr(line[at], 1, 7)) substr(line[at], 8)
            else if (command ~ /^(grid|set|fill|cost|limit)$/) sub(/[0-9]/, junk, line[at])
            else line[at] = line[at] "\n" command junk " " junk
            for (i = 1; i <= NR; i++) print line[i]
        }' "$2"
}
set -- frame_numbers.wend budget_zero.wend edits_before.wend classes.wend cost.wend statuses.wend urgency.wend names.wend \
    mover_default.wend limits_all.wend refusals.wend deadline.wend many_frames.wend weight.wend crlf.wend
number=1
while [ "$number" -le 120 ]; do
    eval "base=\${$((number % $# + 1))}"
    mutate "$number" "$base" >"$work/script"
    if ! expect 2 run "$work/script" || ! grep -qE "^$work/script:[0-9]+:[0-9]+: " "$work/err"; then
        complain "number $number, from $base:"
        cat "$work/script" "$work/err"
    fi
    number=$((number + 1))
done

# ---- world files
expect 0 info --json worlds/flat.wend
says out '"width":5,"height":2,'
says out '"open":7,'
expect 0 solve worlds/flat.wend --from 0,0 --to 2,1 --json
says out '"cost":220,' # its own settings, its own mover
expect 0 solve - --from 0,0 --to 2,0 --json <<'END'
grid 3 1
set 1,0 blocked
set 1,0 5
END
says out '"cost":60,'
expect 1 solve worlds/flat.wend --json # markers of the map file below: A and B
expect 0 info worlds/deep8.wend
expect 2 info worlds/deep9.wend
says err "worlds/deep1.wend:1:5: 'worlds/deep0.wend' is a world file in more than 8 others"
expect 2 run worlds/deep9.wend
printf '# round and round\nmap round.wend\n' >"$work/round.wend"
expect 2 info "$work/round.wend"
says err "$work/round.wend:2:5: '$work/round.wend' is a world file in more than 8 others"
for line in 'request a 0,0 1,1' 'frame' 'frame 0' 'drain' 'cancel a' 'urgency a 1' 'accelerate'; do
    printf 'grid 4 4\nlimit queue 5\n%s\n' "$line" >"$work/world"
    expect 2 info "$work/world"
    says err "$work/world:3:1: a world file has no ${line%% *}"
done
for line in 'go a to 1,1' 'halt a' 'positions' 'walk'; do
    printf 'grid 4 4\nagent a 0,0\n%s\n' "$line" >"$work/agents"
    expect 2 info "$work/agents"
    says err "$work/agents:3:1: a world file has no ${line%% *}"
done
printf 'grid 4 4\nagent a 0,0\nagent b 1,1 speed=1000\nremove a\n' >"$work/agents"
expect 0 info "$work/agents"
printf 'map agents\nagent a 3,3\ngo b to 2,1\npositions\nwalk\n' >"$work/script"
expect 0 run "$work/script"
says out '{"frame":0,"agents":{"b":[1,1],"a":[3,3]}}'
says out '"agent":"b","event":"arrived","cell":[2,1]'
printf 'map agents\nset 1,1 blocked\ndrain\n' >"$work/script"
expect 2 run "$work/script"
says err "$work/script:3:1: the world's agent 'b' cannot stand where it is added"
printf 'grid 4 1\nagent a 1,0\nsteer a 1,0\n' >"$work/agents"
printf 'map agents\nagent b 0,0 urgency=9\ngo b to 3,0\nwalk\npositions\n' >"$work/script"
expect 0 run "$work/script"
says out '"agents":{"a":[1,0],"b":[0,0]}}'
printf 'grid 4 1\nagent a 1,0\nsteer a 2,0\n' >"$work/agents"
expect 2 info "$work/agents"
says err "$work/agents:3:9: in a world file an agent is steered to its own cell"
printf 'map world\ndrain\n' >"$work/script"
expect 2 run "$work/script"
says err "$work/world:3:1: a world file has no accelerate"
printf 'grid 4 4\nset 0,0\n' >"$work/world"
expect 2 run "$work/script"
says err "$work/world:2:8: a word is missing"
printf 'hello\n' >"$work/world"
expect 2 run "$work/script"
says err "$work/world:1:1: "
says err "nor a script"
printf 'Rows 1\nColumns 2\n0 x\n' >"$work/world"
expect 2 run "$work/script"
says err "$work/world:3:3: "
printf 'c a graph\np sp 2 1\na 1 2 10\n' >"$work/world"
printf 'map world\nrequest a 1 2\nrequest b 2 1\ndrain\n' >"$work/script"
expect 0 run "$work/script"
says out '"id":"a","status":"found","cost":10,"cells":[1,2],'
says out '"id":"b","status":"no_path","cost":-1,"cells":[],'
printf 'graph # of nothing\n' >"$work/world"
expect 2 run "$work/script"
says err "$work/world:1:1: a graph without nodes is not a map"
printf 'map world\ndrain\n' >"$work/script"
: >"$work/world"
expect 2 info "$work/world"
says err "$work/world:1:1: "

# ---- the command line
expect 2 run
expect 2 run no_such_file.wend
says err "no_such_file.wend: No such file or directory"
expect 2 run weight.wend urgency.wend
expect 2 run weight.wend --workers 65
says err "0 to 64"
expect 2 run weight.wend --engine dijkstra
says err "auto|astar|jump"
expect 2 run weight.wend --lanes 65
expect 2 run weight.wend --slice 0
expect 2 run weight.wend --budget x
expect 2 run weight.wend --budget 0
says err "weight.wend:7:1: with a budget of 0 a drain has no end"
expect 0 run --json --engine=auto weight.wend
cmp -s "$work/out" weight.out || complain "--json and --engine auto change something"
if [ -w /dev/full ]; then
    cases=$((cases + 1))
    "$wend" run weight.wend >/dev/full 2>"$work/err"
    [ $? -eq 2 ] || complain "a full disk goes unnoticed"
fi

# ---- large
# The largest map, from a script of three lines: nothing is asked for in proportion to it before it is used.
printf 'grid 65536 65536\nrequest a 65535,65535 65530,65535\ndrain\n' >"$work/script"
# (Not where the system counts what may be asked for.)
strict=$(cat /proc/sys/vm/overcommit_memory 2>/dev/null)
if [ "$(getconf LONG_BIT)" -ge 64 ] && [ -z "${INSTRUMENT_FLAGS:-}" ] && [ "$strict" != 2 ] &&
    [ "$(ulimit -v)" = unlimited ]; then
    expect 0 run "$work/script"
    says out '"status":"found","cost":50,'
fi
# Ten thousand lines on 512 x 512 cells.
awk 'BEGIN {
    print "grid 512 512"
    for (y = 8; y < 512; y += 16) print "fill " (y % 32 == 8 ? "0," : "4,") y " " (y % 32 == 8 ? "507," : "511,") y " blocked"
    for (i = 0; i < 10000; i++) {
        y = i * 7919 % 512; if (y % 16 == 8) y++
        print "request agent" i " " i * 31 % 512 "," y " " i * 131 % 512 "," y " urgency=" i % 100
        if (i % 50 == 49) print "frame"
    }
    print "drain"
}' >"$work/script"
expect 0 run "$work/script"
[ "$(wc -l <"$work/out")" -eq 10000 ] || complain "not 10000 completions"
[ "$(grep -c '"status":"found"' "$work/out")" -eq 10000 ] || complain "not 10000 found"
cp "$work/out" "$work/first"
expect 0 run "$work/script"
cmp -s "$work/first" "$work/out" || complain "not the same bytes in a second run"

# Ten thousand edits and ten thousand queries on 512 x 512 cells, and a frame for every so many: one, and twenty-five.
awk_edits='
function row(i) { return i * 7919 % 512 % 16 == 8 ? i * 7919 % 512 + 1 : i * 7919 % 512 }
function from(i) { return i * 31 % 512 }
function to(i) { return from(i) + 40 < 512 ? from(i) + 40 : from(i) - 40 }
BEGIN {
    print "grid 512 512"
    for (y = 8; y < 512; y += 16) print "fill " (y % 32 == 8 ? "0," : "4,") y " " (y % 32 == 8 ? "507," : "511,") y " blocked"
    for (i = 0; i < 10000; i++) {
        print "request agent" i " " from(i) "," row(i) " " to(i) "," row(i) (i % 3 ? "" : " on_stale=deliver")
        if (i % every < every - 1) continue
        print "frame budget=" 20 * every
        # in the middle of ways that are being looked for, every second time; else anywhere
        for (j = i - every + 1; j <= i; j++)
            print "set " (j % 2 ? int((from(j) + to(j)) / 2) "," row(j) " blocked" : j * 257 % 512 "," j * 4099 % 512 " open")
        print "frame budget=" 100 * every
    }
    print "drain"
}'
for every in 1 25; do
    awk -v every=$every "$awk_edits" >"$work/script"
    expect 0 run "$work/script" --engine astar
    [ "$(wc -l <"$work/out")" -eq 10000 ] || complain "not 10000 completions under edits"
    [ "$(sed 's/.*"id":"//; s/".*//' "$work/out" | sort -u | wc -l)" -eq 10000 ] || complain "not one for each name"
    [ "$(grep -c '"status":"stale"' "$work/out")" -ge 5 ] || complain "nothing was stale"
    sed -n 's/.*"status":"found".*"epoch":\([0-9]*\),"checked":\([0-9]*\),.*/\1 \2/p' "$work/out" >"$work/epochs"
    awk '$1 < $2 { old++ } $1 > $2 { bad++ } END { exit !(NR > 5000 && old > 100 && !bad) }' "$work/epochs" ||
        complain "few paths were found on a version before the newest"
    grep -q "\"checked\":$((10000 / every))," "$work/out" || complain "an epoch is missing at the end"
    cp "$work/out" "$work/first"
    expect 0 run "$work/script" --engine astar
    cmp -s "$work/first" "$work/out" || complain "not the same bytes in a second run with edits"
    # By jump search, which answers most before anything changes.
    expect 0 run "$work/script"
    cp "$work/out" "$work/jumps"
    [ "$(sed 's/.*"id":"//; s/".*//' "$work/out" | sort -u | wc -l)" -eq 10000 ] || complain "jump search: not one for each name"
    [ "$(grep -c '"engine":"jump"' "$work/out")" -eq 10000 ] || complain "jump search was not taken"
    expect 0 run "$work/script" --workers 2
    cmp -s "$work/jumps" "$work/out" || complain "not the same bytes with two workers under edits"
done

echo "$scripts scripts, $errors bad lines, $cases runs: $bad complaints"
[ "$bad" -eq 0 ]
