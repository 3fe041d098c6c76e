#!/bin/sh
# SPDX-License-Identifier: MIT
# libwend in one file: it compiles without a warning (with clang in .ci/run), has no names but its own, and gives the
# answers of the library: an example, and the golden hashes.
set -u
source=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
build=$(cd "${WEND_BUILDDIR:-.}" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
strict='-std=c11 -Wall -Wextra -Werror -O0 -fno-strict-aliasing -ffp-contract=off'

sh "$source/bindings/single/amalgamate.sh" . || exit 1
[ "$(ls)" = 'wend.c
wend.h' ] || complain "made: $(ls)"
for word in include line; do
    grep -n "^# *$word \"" wend.c wend.h | grep -v '#include "wend.h"' && complain "a #$word is left"
done

# Warnings; of the core alone, too.
for compiler in cc x86_64-w64-mingw32-gcc; do
    command -v $compiler >/dev/null || { echo "$compiler: not here"; continue; }
    case $compiler in *mingw*) more=-D__USE_MINGW_ANSI_STDIO=1 ;; *) more= ;; esac
    # One object is needed; the rest is read for warnings.
    [ $compiler = cc ] || more="$more -fsyntax-only"
    # shellcheck disable=SC2086 # words
    $compiler $strict $more -c wend.c -o $compiler.o || complain "$compiler: the library"
    # shellcheck disable=SC2086
    $compiler $strict $more -fsyntax-only -DWEND_WITHOUT_FAST -c wend.c || complain "$compiler: the core"
done
[ -f cc.o ] || { echo 'no compiler'; exit 1; }
# shellcheck disable=SC2086 # it may have options
${NM:-nm} -g --defined-only cc.o | awk '{ print $NF }' >names
grep -v '^wend_' names && complain "names that are not the library's own"
grep -qx wend_find_path names || complain 'no wend_find_path'

# Programs that include <wend/NAME.h>.
mkdir wend
for header in "$source"/include/wend/*.h; do
    case $header in */uv.h | */live.h | */extra.h | */ground.h) ;; *) echo '#include "../wend.h"' >wend/"${header##*/}" ;; esac
done
link() { # object, program, sources and libraries...
    object=$1 program=$2
    shift 2
    cc -std=c11 -O0 -D_GNU_SOURCE -I. "$@" $object -o $program -lm -lpthread || complain "$program: does not build"
}
answers() { # what it prints, program, arguments...
    wanted=$1
    shift
    got=$("$@" 2>&1 | tr '\n' ' ')
    case $got in *"$wanted"*) ;; *) complain "$*: '$got', not '$wanted'" ;; esac
}
cd "$source" || exit 99 # examples open data/
(cd "$work" && link cc.o hello "$source/examples/hello.c")
answers 'found, cost 64' "$work/hello"
cd "$work" || exit 99
link cc.o golden "$source/bindings/golden/golden.c"
answers 'requests 08a1e302 crowd b932dc31 group 21b0b51b ' ./golden "$source/data/caves512.map"
echo "$bad complaints"
[ "$bad" -eq 0 ]
