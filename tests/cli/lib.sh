# SPDX-License-Identifier: MIT
# What the tests of the program share. They run in the build folder and write to $work only.
set -u
srcdir=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
. "$srcdir/tests/repo/needs.sh"
cd "${WEND_BUILDDIR:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
data=$srcdir/data
wend=${WEND_PROGRAMS:-$PWD}/wend
failed=0

complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}

# Runs wend with its input from $input; leaves out, err and status.
input=/dev/null
run() {
    "$wend" "$@" >"$work/out" 2>"$work/err" <"$input"
    status=$?
}

expect() { # status word...
    wanted=$1
    shift
    run "$@"
    [ "$status" -eq "$wanted" ] || complain "$*: exit $status, not $wanted: $(cat "$work/err")"
}

expect_refused() { # words word...: exit 2, the words on stderr, nothing on stdout
    words=$1
    shift
    expect 2 "$@"
    grep -q -e "$words" "$work/err" || complain "$*: says '$(cat "$work/err")', not '$words'"
    [ ! -s "$work/out" ] || complain "$*: prints '$(head -n 1 "$work/out")'"
}

expect_out() { # text: all that was printed
    [ "$(cat "$work/out")" = "$1" ] || complain "prints '$(cat "$work/out")', not '$1'"
}

# The value of a JSON field that is a number, a word or true or false.
field() { sed -n "s/.*[{,]\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$work/out" | tail -n 1; }

expect_field() { # name value
    [ "$(field "$1")" = "$2" ] || complain "$1 is '$(field "$1")', not '$2'"
}

finish() {
    echo "$failed failed"
    [ "$failed" -eq 0 ]
    exit
}
