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
WEND_TILED=$srcdir/data/tutorial.tmj WEND_EXTRA= # a map of Tiled, and not empty: libwend-extra is there
[ ! -f "$libs/libwend-extra.so" ] || WEND_EXTRA=1
export WEND_TILED WEND_EXTRA
village='400 frames: 158 walks, 12 guards at the well, the player at 62,38'
gate='500 agents, saved in frame 150: 84526507, and after a restore 84526507'
walk='28,8'
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
# What is made from the headers is made where it is missing or older; a release has it.
make_bindings() { sh "$srcdir/bindings/api/make.sh" --if-older >"$work/log" 2>&1; }
need_made() { make_bindings || skip "no python3-pycparser here"; }
expect() { # what it says, command...: the last line
    wanted=$1
    shift
    said=$("$@" 2>"$work/stderr" | tail -n 1)
    [ "$said" = "$wanted" ] && return
    echo "$*: '$said', not '$wanted'"
    tail -n 5 "$work/stderr"
    bad=$((bad + 1))
}
code_block() { # file, language, number: this code block of a page
    awk -v first="\`\`\`$2" -v number="$3" '$0 == first { inside = ++n == number; next } /^```/ { inside = 0 } inside' "$1"
}
passes() { # command...: prints a line a case, "ok NAME"
    "$@" >"$work/cases" 2>&1 && ! grep -q '^not ok' "$work/cases" && [ "$(grep -c '^ok' "$work/cases")" -ge 5 ] && return
    echo "failed: $*"
    grep -v '^ok' "$work/cases" | tail -n 20
    bad=$((bad + 1))
}
# Makes the library of tests/bindings/calls in $calls; $calls/stand-in has it under the names of libwend. A program that calls
# each function is linked with libwend, so that each is there, and run with that one.
make_calls() { # what emit.py writes, and its file, for the language...
    calls=$work/calls
    command -v python3 >/dev/null && make_bindings || { echo 'functions are not called: no python3-pycparser here'; return 1; }
    cp -r "$srcdir/tests/bindings/calls" "$calls" && chmod -R u+w "$calls" && mkdir "$calls/stand-in" || exit 99
    set -- echo stand-in.c "$@"
    while [ $# -gt 0 ]; do
        python3 "$srcdir/bindings/api/emit.py" "$srcdir/bindings/api/api.json" "$1" >"$calls/$2" || exit 99
        shift 2
    done
    # shellcheck disable=SC2086 # CC may be several words
    ${CC:-cc} -std=c11 -fPIC -shared "$calls/echo.c" -o "$calls/libecho.so" &&
        ${CC:-cc} -std=c11 -fPIC -shared -I"$calls" -I"$srcdir/include" "$calls/stand-in.c" -L"$calls" -lecho \
            -o "$calls/stand-in/libwend.so" || { bad=$((bad + 1)); return 1; }
    for name in "$libs"/libwend.so.*; do ln -s libwend.so "$calls/stand-in/$(basename "$name")"; done
}
passes_calls() { # command...
    passes env LD_LIBRARY_PATH="$calls/stand-in:$calls" "$@"
    count=$(grep -c '"header":' "$srcdir/bindings/api/api.json")
    [ "$(grep -c '^ok wend_.*()$' "$work/cases")" -eq "$count" ] || { echo "not each of $count functions is called"; bad=$((bad + 1)); }
}
make_town() { # town.map, all open
    awk 'BEGIN { printf "type octile\nheight 40\nwidth 64\nmap\n"; for (y = 0; y < 40; y++) { for (x = 0; x < 64; x++) printf "."; print "" } }' \
        >"$work/town.map"
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
