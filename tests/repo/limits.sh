#!/bin/sh
# SPDX-License-Identifier: MIT
# Each limit in the public headers, and each MAX_ and MIN_ of the library, is tested with one less, the limit itself and
# one past it: a test has AT_MOST(LIMIT, ...) or AT_LEAST(LIMIT, ...) of tests/limits/limits.h, or LIMIT - 1, LIMIT and
# LIMIT + 1. Below are rows for those that cannot be: the test, and why. A new limit without a test fails here.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
cat >"$work/rows" <<'ROWS'
WEND_MAX_MARCHES tests/crowd/test_march.c 33 groups at once: each of 32 keeps its formation, the last one does not
G_MAX tests/search/test_grid_jump_attack.c costs in 27 bits: A* takes over, with the same answers
WEND__STOP_G_MAX tests/search/test_grid_jump_attack.c costs in 31 bits: A* takes over, with the same answers
WEND__SIZED_MAX tests/base/test_sized.c every size of a struct from 0 to beyond it
QUOTED_BYTES_MAX tests/io/test_text.c how much of a word a text of an error shows
ROWS
{
    cat include/wend/*.h
    find src -name '*.[ch]' ! -path 'src/cli/*' | xargs cat
} >"$work/sources"
names='[A-Z0-9_]*(MAX|MIN)_[A-Z0-9_]+|[A-Z0-9_]+_(MAX|MIN)'
{
    sed -nE "s/^#define +($names) .*/\1/p" "$work/sources"
    grep -E '^ *enum \{[^}]*\}' "$work/sources" | sed 's/.*enum {//; s/}.*//' | tr ',' '\n' |
        sed -nE "s/^ *($names) *=.*/\1/p"
} | grep -vE '^(WEND_VERSION_MINOR|WEND__TAUT_MOST)$' | sort -u >"$work/limits"

# The tests without lines between a name and what follows it.
find tests \( -name '*.c' -o -name '*.h' \) >"$work/tests"
xargs cat <"$work/tests" | tr '\n' ' ' | tr -s ' ' >"$work/text"
tested() { # LIMIT
    grep -qE "AT_(MOST|LEAST)(_GIVES)?\(-?$1\b" "$work/text" && return
    grep -qE "\b$1 - 1\b" "$work/text" && grep -qE "\b$1 \+ 1\b" "$work/text" && grep -qE "\b$1\b *[^ +-]" "$work/text"
}
while read -r name; do
    file=$(awk -v name="$name" '$1 == name { print $2 }' "$work/rows")
    if [ -z "$file" ]; then
        tested "$name" || complain "$name: no test has one less, the limit and one past it, and no row of tests/repo/limits.sh"
    elif [ ! -f "$file" ]; then
        complain "$name: there is no $file"
    elif tested "$name"; then
        complain "$name needs no row any more"
    fi
done <"$work/limits"
while read -r name file why; do
    grep -qx "$name" "$work/limits" || complain "$name has a row, and is no limit"
    [ -n "$why" ] || complain "$name: its row has no reason"
done <"$work/rows"

# Limits in tables of X-macros: a test goes through the rows.
grep -q 'wend__value_range(' tests/orders/test_text.c || complain "WEND__LIMITS: no test goes through its rows"
grep -q 'WEND_LIVE_LIMITS(WEND_X)' tests/server/live/test_open.c || complain "WEND_LIVE_LIMITS: no test goes through its rows"
echo "$(wc -l <"$work/limits") limits: $(wc -l <"$work/rows") of them with a reason; $bad complaints"
[ "$(wc -l <"$work/limits")" -gt 75 ] && [ "$bad" -eq 0 ]
