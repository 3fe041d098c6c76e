#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzzer for a number of seconds, one after another, in a build folder of --enable-fuzzing; `make fuzz` runs this.
# What is found interesting is kept in corpus/, so that the next run goes on from it. It prints the executions of each
# target, those a second, and the sum.
#
#   sh ../fuzz/run.sh SECONDS TARGET...
set -u
source=$(cd "$(dirname "$0")/.." && pwd) || exit 99
[ $# -ge 2 ] || { echo 'usage: run.sh SECONDS TARGET...' >&2; exit 2; }
seconds=$1
shift
report=$(mktemp) || exit 99
trap 'rm -f "$report"' EXIT
trap 'exit 99' HUP INT TERM

# Random files of 300 to 2,000 bytes for the targets that make calls or changes from them.
random_files() { # folder
    for size in 300 500 800 1200 2000; do
        [ -f "$1/random-$size" ] || head -c "$size" /dev/urandom >"$1/random-$size" || exit 99
    done
}
sum=0
for target in "$@"; do
    corpus=corpus/$target
    mkdir -p "$corpus" || exit 99
    options="-max_total_time=$seconds -timeout=10 -rss_limit_mb=2048 -print_final_stats=1"
    words=$source/fuzz/${target#fuzz_}.dict
    [ ! -f "$words" ] || options="$options -dict=$words"
    seeds=$source/data
    case $target in
    fuzz_calls)
        random_files "$corpus"
        options="$options -len_control=0 -entropic=0"
        seeds=
        ;;
    fuzz_save | fuzz_saves)
        random_files "$corpus"
        seeds=
        ;;
    fuzz_script | fuzz_orders | fuzz_journal) seeds=$source/tests/server/run/scripts ;;
    fuzz_baked)
        for map in tiny.map tiny.txt tiny.3dmap; do
            [ -f "$corpus/$map.baked" ] || ./wend bake "$source/data/$map" "$corpus/$map.baked" 2>/dev/null || exit 99
        done
        seeds=
        ;;
    esac
    # Options and folders are lists of words.
    # shellcheck disable=SC2086
    "./$target" $options "$corpus" $seeds >"$report" 2>&1 || { tail -n 40 "$report"; echo "FAIL: $target"; exit 1; }
    done_here=$(sed -n 's/^stat::number_of_executed_units: *//p' "$report")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$report")
    [ -n "$done_here" ] || { tail -n 40 "$report"; echo "FAIL: $target: no count"; exit 1; }
    sum=$((sum + done_here))
    printf '%-18s %12d executions, %8d a second\n' "$target" "$done_here" "$rate"
done
printf '%-18s %12d executions\n' sum "$sum"
