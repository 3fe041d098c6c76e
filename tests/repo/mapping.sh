#!/bin/sh
# SPDX-License-Identifier: MIT
# touched.sh knows tests for each source of the packages, and names a file for which it knows none. Each test that it knows
# is a test of the suite, and each test of the suite belongs to a source, but for checks of the whole.
set -u
build=${WEND_BUILDDIR:-.}
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
touched=tests/repo/touched.sh
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
each() { # sentence, file with a line for each case
    while read -r line; do complain "$line: $1"; done <"$2"
}

find src server lab extra ground include -name '*.[ch]' >"$work/sources"
find tests -mindepth 2 -name '*.[ch]' >>"$work/sources"
files=$(wc -l <"$work/sources")
xargs sh $touched of <"$work/sources" >"$work/tests" 2>"$work/error"
each 'a source without tests' "$work/error"

sh $touched of nowhere/at_all.c >"$work/tests" 2>"$work/error" && complain 'a file without tests: the status was 0'
grep -q 'nowhere/at_all.c' "$work/error" || complain 'a file without tests: it was not named'
[ ! -s "$work/tests" ] || complain 'a file without tests: tests were named'
sh $touched of src/service/tick.c >"$work/tests" || complain 'src/service/tick.c: the status was not 0'
grep -qx test_service "$work/tests" || complain 'src/service/tick.c: test_service was not named'
[ "$(sh $touched of tests/cli/solve.sh)" = tests/cli/solve.sh ] || complain 'a script was not its own test'
sh $touched group nobody >/dev/null 2>&1 && complain 'a group that is none: the status was 0'
for group in core fast crowd server lab; do
    sh $touched group $group >"$work/tests" && [ "$(wc -l <"$work/tests")" -gt 4 ] || complain "$group: a group of too few tests"
done

# A repository of its own: what differs from a commit, and what is not committed.
if command -v git >/dev/null; then
    (
        mkdir -p "$work/tree/tests/repo" "$work/tree/src/io" "$work/tree/lab/scen" && cp $touched "$work/tree/tests/repo" && cd "$work/tree" &&
            : >src/io/one.c && git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm one &&
            : >lab/scen/two.c && WEND_SRCDIR=. sh $touched changed >../fresh &&
            git add . && git -c user.name=t -c user.email=t@t commit -qm two && WEND_SRCDIR=. sh $touched changed >../last &&
            echo >>src/io/one.c && BASE=HEAD~ WEND_SRCDIR=. sh $touched changed >../both
    ) || complain 'a tree of its own: git or touched.sh failed'
    [ "$(tr '\n' ' ' <"$work/fresh")" = 'tests/lab/scen.sh test_scenario ' ] || complain "a new file: $(cat "$work/fresh")"
    [ "$(tr '\n' ' ' <"$work/last")" = 'tests/lab/scen.sh test_scenario ' ] || complain "the last commit: $(cat "$work/last")"
    [ "$(tr '\n' ' ' <"$work/both")" = 'tests/lab/scen.sh test_scenario test_io test_detail ' ] || complain "since a base: $(cat "$work/both")"
fi

# What the rows name. A build that leaves packages out has not all of it.
sed -n "/^    cat <<'ROWS'/,/^ROWS/p" $touched | sed '1d;$d' >"$work/rows"
awk '{ for (i = 3; i <= NF; i++) print $i }' "$work/rows" | sort -u >"$work/named"
awk '{ print $1 }' "$work/rows" | sort | uniq -d >"$work/twice"
each 'two rows' "$work/twice"
awk 'NF < 3 { print $1 }' "$work/rows" >"$work/empty"
each 'a row without tests' "$work/empty"
awk '{ print $1 }' "$work/rows" | while read -r folder; do [ -d "$folder" ] || echo "$folder"; done >"$work/gone"
each 'a row for a folder that is gone' "$work/gone"
unset MAKEFLAGS MAKELEVEL # of the make that runs this test
make -s -C "$build" Makefile >/dev/null 2>&1
make -s --no-print-directory -C "$build" list-tests >"$work/list" || complain 'make list-tests failed'
if grep -qx test_live "$work/list" && grep -qx test_extra "$work/list" && grep -qx test_ground "$work/list" &&
    grep -qx test_stress "$work/list"; then
    sort -u "$work/list" >"$work/all"
    comm -23 "$work/named" "$work/all" >"$work/unknown"
    each 'named by touched.sh, and no test of the suite' "$work/unknown"
    grep -v '^+' "$work/all" | grep -vE '^tests/(repo|bindings)/' | comm -23 - "$work/named" >"$work/left"
    each 'a test that no source has' "$work/left"
else
    echo 'not compared with the list of tests: this build leaves some out'
fi
echo "$files files, $bad complaints"
[ "$files" -gt 900 ] && [ "$bad" -eq 0 ]
