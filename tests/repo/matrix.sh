#!/bin/sh
# SPDX-License-Identifier: MIT
# The same answers from every build, for every number of workers: builds `wend` with each compiler at -O0 and -O3 in a
# temporary folder and compares the hashes of `wend stress`, edits and cancellations on. Not part of `make check`, where
# tests/lab/stress/tool.sh holds one build against a fixed hash: this takes some minutes.
#
#   sh tests/repo/matrix.sh [ENGINE...]     astar and auto where none is named; in the environment COMPILERS, LEVELS, WORKERS
#                                      and TIMES say less or more, KEEP=FOLDER where the builds are kept for another time
set -u
source=$(cd "$(dirname "$0")/../.." && pwd) || exit 99
[ $# -gt 0 ] || set -- astar auto
compilers=${COMPILERS:-gcc clang} levels=${LEVELS:-0 3} workers=${WORKERS:-0 1 2 3 4 8 16 32} times=${TIMES:-3}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
builds=${KEEP:-$work}
failed=0 runs=0
complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}

build() { # compiler level: prints the folder
    folder=$builds/$1-O$2
    mkdir -p "$folder" && cd "$folder" || exit 99
    { [ -f Makefile ] || "$source/configure" CC="$1" CFLAGS="-O$2"; } >configure.out 2>&1 &&
        make -j "$(getconf _NPROCESSORS_ONLN)" wend >make.out 2>&1 ||
        { tail -n 20 configure.out make.out >&2; exit 99; }
}

# 96 x 80 cells: walls with gaps, trees, and a room without a door.
awk 'BEGIN {
    print "type octile"; print "height 80"; print "width 96"; print "map"
    for (y = 0; y < 80; y++) {
        line = ""
        for (x = 0; x < 96; x++) {
            c = "."
            if (y % 8 == 4 && (x * 5 + y) % 17 > 1) c = "@"
            if (x % 11 == 3 && y % 3 == 0) c = "T"
            if (x >= 10 && x <= 20 && y >= 50 && y <= 58) c = (x == 10 || x == 20 || y == 50 || y == 58) ? "@" : "."
            line = line c
        }
        print line
    }
}' >"$work/map" || exit 99

# The runs: slow ground comes and goes; only walls do; a larger map.
settings() { # number: the options after the map
    case $1 in
    1) echo "$work/map --agents 300 --frames 60 --budget 3000 --edits 20 --cancels 2 --scenario far" ;;
    2) echo "$work/map --agents 300 --frames 120 --budget 2000 --slice 60 --lanes 8 --edits 10 --cancels 2 --scenario walls" ;;
    3) echo "$source/data/caves512.map --agents 200 --frames 40 --budget 60000 --edits 20 --cancels 2 --scenario walls" ;;
    4) echo "$source/data/caves512.map --agents 200 --frames 40 --budget 60000 --cost 1000,1414 --edits 5 --cancels 1 --scenario far" ;;
    esac
}

run() { # options...: leaves hash
    ./wend stress "$@" --json >"$work/out" 2>"$work/err" || complain "$*: exit $?: $(cat "$work/err")"
    grep -q '"violations":0,' "$work/out" || complain "$*: violations"
    hash=$(sed -n 's/.*"hash":"\([0-9a-f]\{16\}\)".*/\1/p' "$work/out")
    runs=$((runs + 1))
}

for compiler in $compilers; do
    command -v "$compiler" >/dev/null || { complain "no $compiler here"; continue; }
    for level in $levels; do (build "$compiler" "$level") || { complain "$compiler -O$level does not build"; exit 1; }; done
done
for engine do
    for number in 1 2 3 4; do
        first=
        for compiler in $compilers; do
            for level in $levels; do
                cd "$builds/$compiler-O$level" || exit 99
                for count in $workers; do
                    time=0
                    while [ "$((time += 1))" -le "$times" ]; do
                        # shellcheck disable=SC2046 # words of a simple command
                        run $(settings $number) --engine "$engine" --workers "$count"
                        [ -n "$hash" ] && [ "$hash" = "${first:=$hash}" ] ||
                            complain "$engine, run $number, $compiler -O$level, $count workers: $hash, not $first"
                    done
                done
            done
        done
        echo "$engine, run $number: $first"
    done
done
echo "$runs runs, $failed failed"
[ "$failed" -eq 0 ]
