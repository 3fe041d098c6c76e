#!/bin/sh
# SPDX-License-Identifier: MIT
# Does the exactness suite catch mistakes? Copies the sources, breaks one rule at a time on purpose, builds the suite and nothing
# else, and requires that it finds a wrong answer. `make check-long` runs it; by hand, in a build folder:
#
#   sh tests/exact/mutants.sh [NAME...]    only the mutants of tests/exact/mutants whose names have one of these words
#
#   LIST=mutants-debug sh …                the mutants of that list, which the assertions of a debug build find
#
# QUERIES (400,000), SEED (991) and JOBS (0: one a processor) are the suite's. Ends with "N mutants caught, N survived".
set -u
sources=$(cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" && pwd) || exit 99
list=$sources/tests/exact/${LIST:-mutants}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
caught=0 survived=0

fail() {
    echo "mutants: $1" >&2
    tail -n 20 "$work/log" >&2
    exit 99
}

wanted() { # name, words...
    name=$1
    shift
    [ $# -gt 0 ] || return 0
    for word do case $name in *"$word"*) return 0 ;; esac; done
    return 1
}

case $list in
*-debug) debug=1 options=--enable-debug programs='check_exact check_crowd stress_calls test_service test_crowd' ;;
*) debug=0 options='' programs=check_exact ;;
esac

# shellcheck disable=SC2086 # several words
build() { make -s -j "$(getconf _NPROCESSORS_ONLN)" -C "$work/build" $programs >"$work/log" 2>&1; }

suite() { # queries, "1" to stop at the first wrong answer
    (
        cd "$work/build" || exit 99
        if [ $debug = 0 ]; then
            timeout 1800 ./check_exact "$1" "${SEED:-991}" "${JOBS:-0}" ${2:+"$2"}
        else
            ./check_exact 4000 "${SEED:-991}" 1 && ./check_crowd 40000 "${SEED:-991}" &&
                ./stress_calls 1 2000 && ./test_service && ./test_crowd
        fi
    ) >"$work/log" 2>&1
}

# A suite that cannot pass shows nothing by failing.
prepare() {
    mkdir "$work/source" "$work/build"
    (cd "$sources" && tar cf - --exclude=./.git --exclude=./build --exclude=./build-ci --exclude='*.o' .) | (cd "$work/source" && tar xf -)
    (cd "$work/build" && "$work/source/configure" $options CC="${CC:-cc}" CFLAGS='-O1' >"$work/log" 2>&1) || fail 'configure failed'
    build || fail 'the suite cannot be built'
    suite 4000 || fail 'the suite fails without a mutant'
}

try() { # name, file, sed script
    cp "$work/source/$2" "$work/kept"
    sed "$3" "$work/kept" >"$work/source/$2"
    if cmp -s "$work/kept" "$work/source/$2" || ! build; then
        survived=$((survived + 1))
        echo "NO MUTANT $1: the script changes nothing in $2, or what it makes cannot be built"
        cp "$work/kept" "$work/source/$2"
        return
    fi
    begun=$(date +%s)
    if suite "${QUERIES:-400000}" 1; then
        survived=$((survived + 1))
        echo "SURVIVED  $1"
    else
        caught=$((caught + 1))
        echo "caught    $1 ($(($(date +%s) - begun)) s): $(grep -m 1 -e '^wrong:' -e 'assertion' "$work/log" || tail -n 1 "$work/log")"
    fi
    cp "$work/kept" "$work/source/$2"
}

prepare
while IFS='|' read -r name file script; do
    case $name in '' | '#'*) continue ;; esac
    wanted "$name" "$@" && try "$name" "$file" "$script"
done <"$list"
echo "$caught mutants caught, $survived survived"
[ "$survived" -eq 0 ] && [ "$caught" -gt 0 ]
