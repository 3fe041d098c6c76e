# SPDX-License-Identifier: MIT
# What the tests of bindings share. They run in the build folder, on the library there; where a language is not installed,
# they say so and are skipped. CONTRIBUTING.md names the packages that they need.
set -u
srcdir=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
cd "${WEND_BUILDDIR:-.}" || exit 99
libs=$PWD/.libs
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
map=$srcdir/data/caves512.map
misuse=$srcdir/tests/bindings/misuse.txt
village='400 frames: 164 walks, 12 guards at the well, the player at 62,38'
gate='500 agents, saved in frame 150: 46395283, and after a restore 46395283'
hello='found, cost 60, 7 cells'
bad=0
skip() { # reason
    echo "skipped: $*"
    exit 77
}
need() { # command...
    for tool; do command -v "$tool" >/dev/null 2>&1 || skip "no $tool here"; done
}
[ -f "$libs/libwend.so" ] || skip 'no shared library here'
! grep -q '^INSTRUMENT_FLAGS = .*fsanitize' Makefile || skip 'the library is built with a sanitizer, which other programs do not have'
LD_LIBRARY_PATH=$libs
export LD_LIBRARY_PATH
expect() { # what it says, command...: the last line
    wanted=$1
    shift
    said=$("$@" 2>"$work/stderr" | tail -n 1)
    [ "$said" = "$wanted" ] && return
    echo "$*: '$said', not '$wanted'"
    tail -n 5 "$work/stderr"
    bad=$((bad + 1))
}
passes() { # command...: prints a line a case, "ok NAME"
    "$@" >"$work/cases" 2>&1 && ! grep -q '^not ok' "$work/cases" && [ "$(grep -c '^ok' "$work/cases")" -ge 5 ] && return
    echo "failed: $*"
    grep -v '^ok' "$work/cases" | tail -n 20
    bad=$((bad + 1))
}
most_lines() { # number, file...
    most=$1
    shift
    for file; do
        [ "$(wc -l <"$file")" -le "$most" ] || { echo "$file: more than $most lines"; bad=$((bad + 1)); }
    done
}
finish() {
    echo "$bad failures"
    [ "$bad" -eq 0 ]
    exit
}
