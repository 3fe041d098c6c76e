#!/bin/sh
# SPDX-License-Identifier: MIT
# What documents count is what the tree has: each row is a file, the sentence with the number (N), how near it must be in
# percent, and the command that counts. And each row of docs/semantics.md has tests.
set -u
cd "${WEND_SRCDIR:-.}" || exit 99
bad=0
claims=0
claim() { # file, sentence, percent, command...
    file=$1 sentence=$2 near=$3
    shift 3
    claims=$((claims + 1))
    said=$(tr '\n' ' ' <"$file" | sed 's/,\([0-9][0-9][0-9]\)/\1/g' | grep -oE -- "$(echo "$sentence" | sed 's/(N)/([0-9]+|[A-Za-z]+)/')" |
        head -n 1 | sed -E "s/$(echo "$sentence" | sed 's/(N)/(.*)/')/\\1/" | tr A-Z a-z)
    case $said in one) said=1 ;; two) said=2 ;; three) said=3 ;; four) said=4 ;; five) said=5 ;; six) said=6 ;; seven) said=7 ;;
    eight) said=8 ;; nine) said=9 ;; ten) said=10 ;; esac
    count=$(eval "$*")
    case $said in '' | *[!0-9]*)
        echo "$file: no number in '$sentence'"
        bad=$((bad + 1))
        return
        ;;
    esac
    off=$((100 * (said - count)))
    [ "${off#-}" -le $((near * count)) ] && return
    echo "$file: '$sentence' has $said, but $count are there"
    bad=$((bad + 1))
}
way() { sed -n '/way of a request/,/^After that/p' src/README.md | grep -o '`src/[a-z_/]*\.[ch]`' | tr -d '`'; }

claim README.md 'server at 20 Hz in (N) lines' 0 'wc -l <examples/server.c'
claim README.md 'examples\/live_server.c`. in (N) lines' 0 'wc -l <examples/live_server.c'
claim src/README.md 'who yields\? (N) folders' 0 'ls -d src/agents/*/ | wc -l'
claim src/README.md 'way of a request. (N) files' 0 'way | wc -l'
claim src/README.md 'files and (N) lines' 5 'way | xargs cat | wc -l'
claim docs/design/search.md '(N) engines share' 0 "sed -n '/wend__engines\\[\\] = {/,/^}/p' src/fast/engine_table.c | grep -o '&wend__[a-z_]*' | wc -l"
claim bindings/README.md 'Each has `hello`. in (N) lines' 25 'for file in bindings/*/hello.* bindings/rust/wend/examples/hello.rs; do wc -l <"$file"; done | sort -n | tail -n 1'

for row in $(grep -oE '^\| S[0-9]+' docs/semantics.md | grep -oE '[0-9]+'); do
    claims=$((claims + 1))
    grep -rqE "^Test\([a-z_]+, s${row}_" tests --include='*.c' && continue
    echo "docs/semantics.md: S$row has no test that is named s${row}_..."
    bad=$((bad + 1))
done

# Each reason that the library gives has a row in a table of docs/semantics.md, and a test in C.
reasons() { # header, prefix, heading of the table, file of the tests
    sed -n "/^## $3\$/,/^## /p" docs/semantics.md | grep '^| `' | cut -d'|' -f2 >"$rows"
    for value in $(grep -oE "\bWEND_$2_[A-Z_]+ = [0-9]+" "$1" | grep -v _COUNT | cut -d' ' -f1); do
        claims=$((claims + 1))
        word=$(echo "${value#"WEND_$2_"}" | tr A-Z a-z)
        [ "$value" = WEND_WHY_NONE ] || grep -q "\`$word\`" "$rows" || complain "docs/semantics.md: no row for $value in '$3'"
        grep -rqw "$value" $4 || complain "$4: no test of $value"
    done
}
complain() {
    echo "$1"
    bad=$((bad + 1))
}
rows=$(mktemp) || exit 99
trap 'rm -f "$rows"' EXIT
reasons include/wend/crowd.h WAIT 'Why an agent does not go on' tests/crowd/test_waits.c
reasons include/wend/crowd.h WHY 'When a goal ends as gave_up' tests/crowd
reasons include/wend/explain.h GENERAL 'Why the general A. answered' tests/service/test_figures.c
echo "$claims claims; $bad complaints"
[ "$claims" -gt 40 ] && [ "$bad" -eq 0 ]
