#!/bin/sh
# SPDX-License-Identifier: MIT
# Documents name only what is there: paths of this repository in backticks, links between documents, public functions,
# functions and constants of the sources, options of the program, targets of make. And tests name what headers promise.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
bad=0
complain() {
    echo "$1: $2 is not there"
    bad=$((bad + 1))
}
makefiles=$(find Makefile.am src server lab extra ground bindings tests bench fuzz examples docs -name 'Makefile.*')
documents=$(find README.md CONTRIBUTING.md SECURITY.md src server lab extra ground docs fuzz tests -name '*.md' | sort)
# All words of the sources, one a line.
words=$(mktemp) || exit 99
trap 'rm -f "$words"' EXIT
find src server lab extra ground include tests bench fuzz examples -name '*.[ch]' -exec cat {} + | grep -oE '[A-Za-z_][A-Za-z0-9_]+' | sort -u >"$words"
headings() { # document: the anchors of its headings
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
named=0
for document in $documents; do
    folder=$(dirname "$document")
    for link in $(grep -oE '\]\([^)]*\)' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -v ':'); do
        named=$((named + 1))
        [ -e "$folder/$link" ] || complain "$document" "$link"
    done
    for link in $(grep -oE '\]\([^)]*#[^)]*\)' "$document" | sed 's/^](//; s/)$//' | grep -v ':'); do
        named=$((named + 1))
        target=${link%%#*}
        headings "$folder/${target:-$(basename "$document")}" | grep -qx -- "${link#*#}" || complain "$document" "$link"
    done
    for path in $(grep -oE '`(src|server|lab|extra|ground|tests|bench|fuzz|include|examples|data|docs)/[A-Za-z0-9_./-]*`' "$document" | tr -d '`'); do
        case $path in *ROOM* | *NAME*) continue ;; esac
        named=$((named + 1))
        [ -e "$path" ] || complain "$document" "$path"
    done
    # File names without a folder: somewhere in the sources.
    for name in $(grep -oE '`[a-z0-9_]+\.(c|h|sh|awk)`' "$document" | tr -d '`' | sort -u); do
        named=$((named + 1))
        [ -n "$(find src server lab extra ground include tests bench fuzz examples -name "$name" | head -n 1)" ] || complain "$document" "$name"
    done
    # Options: of the program, of configure, or of a tool that the line names.
    for option in $(grep -oE '`(wend|build/wend)?[^`]*--[a-z][a-z-]+[^`]*`' "$document" | grep -vE 'configure|quickstart|MOVINGAI' |
        grep -oE -- '--[a-z][a-z-]+' | grep -v '^--enable' | sort -u); do
        named=$((named + 1))
        grep -qF -- "$(echo "$option" | sed 's/-/\\-/g')" docs/wend.1 || complain "$document" "$option"
    done
    for target in $(grep -oE '`make( -[Cj] ?[a-z0-9]+)* [a-z][a-z-]+' "$document" | sed 's/.* //' | sort -u); do
        named=$((named + 1))
        case $target in install | check | distcheck | installcheck) continue ;; esac
        grep -qE "^[a-z -]*\b$target\b.*:|_PROGRAMS \+?= .*\b$target\b" $makefiles || complain "$document" "make $target"
    done
    [ "$document" = docs/migration.md ] && continue # old names, too: migration.sh compiles the new ones
    # Functions, and names with a prefix of ours, also internal ones (NAME stands for a part).
    for name in $(grep -oE '`[a-z_][a-z0-9_]+\(\)`|`(wend_|WEND_|CHECKER_|WALK_)[A-Za-z0-9_]+`' "$document" | tr -d '`()' | grep -v '_$' | sort -u); do
        case $name in *NAME | wend__x | wend_x) continue ;; esac
        named=$((named + 1))
        grep -qx "$name" "$words" || complain "$document" "$name"
    done
    for call in $(grep -oE 'wend_[a-z][a-z_]*\(\)' "$document" | tr -d '()' | sort -u); do
        named=$((named + 1))
        grep -qE "\b$call\(" include/wend/*.h || complain "$document" "$call()"
    done
done
# The questions of a stranger are answered by files, which are there (see above).
questions=$(sed -n '/^## Ten questions/,/^## Decisions/p' docs/architecture.md | awk '/^[0-9]+\. / { if (text != "") print text; text = " " }
    text != "" { text = text $0 } END { print text }')
[ "$(echo "$questions" | wc -l)" -eq 10 ] || complain docs/architecture.md 'one of ten questions'
echo "$questions" | grep -qvE '`(src|server|lab|extra)/[a-z_/]+\.[ch]`' && complain docs/architecture.md 'a file in each answer'
# A path of somebody's machine is of no use to others.
paths=$(grep -rnE '(^|[^A-Za-z0-9_.~])/(home|Users|root|work)/[A-Za-z0-9_.-]' $documents src server lab extra ground include tests bench fuzz examples bindings \
    --include='*.md' --include='*.[ch]' --include='*.sh' --include='*.py' | grep -v 'documents.sh:')
[ -z "$paths" ] || { echo "$paths"; bad=$((bad + 1)); }
echo "$named names, $bad complaints"
[ "$named" -gt 50 ] && [ "$bad" -eq 0 ]
