#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program can check of the way this repository is written: lengths, sizes of folders, names, words that puzzle a reader.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
each_line() { # what was found, one a line
    [ -z "$1" ] && return
    while IFS= read -r line; do complain "$line: $2"; done <<LINES
$1
LINES
}

sources=$(find include src server lab extra ground tests bench fuzz examples -name '*.[ch]' | sort)
documents=$(find README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md src server lab extra ground docs tests -name '*.md' | grep -v -e '^docs/figures/' | sort)

# Code has at most 120 columns, prose 100; tables, code blocks, links and the list of orders (generated) do not wrap.
# shellcheck disable=SC2086 # one word a file
each_line "$(awk '{ line = $0; gsub(/[\200-\277]/, "", line) } length(line) > 120 { print FILENAME ":" FNR }' $sources)" 'over 120 columns'
# shellcheck disable=SC2086
each_line "$(awk 'FNR == 1 { code = 0 } /^```/ { code = !code }
    { line = $0; gsub(/[\200-\277]/, "", line) }
    length(line) > 100 && !code && !/^ *\|/ && !/https?:/ && FILENAME != "docs/orders.md" { print FILENAME ":" FNR }' $documents)" 'over 100 columns'

# Documents that are to be read in one go.
words_of() { wc -w <"$1" | tr -d ' '; }
[ "$(words_of docs/architecture.md)" -le 1500 ] || complain "docs/architecture.md: $(words_of docs/architecture.md) words, at most 1500"
[ "$(words_of CHANGELOG.md)" -le 2000 ] || complain "CHANGELOG.md: $(words_of CHANGELOG.md) words, at most 2000"
for page in docs/design/*.md; do
    [ "$(words_of "$page")" -le 1500 ] || complain "$page: $(words_of "$page") words, at most 1500"
done

# A folder is small enough to look through. The program's own top folder has a file for each command.
for folder in $(find src server lab extra ground -type d); do
    count=$(find "$folder" -maxdepth 1 -name '*.[ch]' | wc -l)
    [ "$count" -le 15 ] || [ "$folder" = src/cli ] || complain "$folder: $count files, at most 15"
done

# One struct, one name.
# shellcheck disable=SC2046
each_line "$(sed -n 's/^ *\(typedef \)\{0,1\}\(struct\|union\) \(wend__*[a-z_0-9]*\) *{.*/\3/p' $(find src server lab extra ground include -name '*.[ch]') | sort | uniq -d)" 'two structs of that name'

# A public comment of more than eight lines is a list, a line or two a case; its parameters, threads and cost do not count.
each_line "$(awk 'function end() { if (lines > 8 && !list) print FILENAME ":" begun; lines = list = rest = 0 }
    FNR == 1 { end() }
    !/^[ \t]*\/\/\// { end(); next }
    { if (!lines) begun = FNR; rest = rest || /\/\/\/ (@|Threads:|Cost:)/; list = list || /\/\/\/ - /; lines += !rest }' include/wend/*.h)" \
    'a list, please'

# Words that a reader of English papers has to guess at, and sentences that begin with their object.
puzzling='anew|whoever|of late|h(old|eld|olding) against|lying about|stands? about|that which|gives? up|giving up|given up'
# shellcheck disable=SC2086
each_line "$(grep -nEiw "$puzzling" $sources $documents docs/wend.1 | grep -v '^CHANGELOG' | cut -c1-120)" 'a plainer word, please'
# shellcheck disable=SC2086
each_line "$(grep -nE '(/\*|//|///) *(Of|Who|Whom|Whoever|What) [a-z][^?]*$' $(echo "$sources" | grep -E '^(include|src|server|lab|extra|ground)/') | cut -c1-120)" \
    'subject first: say what the thing is or does'

# Folk words in comments, where the field has a word: how many in 1,000 words, in tenths. A ceiling may only fall.
folk=nobody/somebody/whose/beside/says/hears/told/asks/knows/yet/anew/whoever/lying/dear/forsake/quest/bearings/astray/hoped/untold
folk_pairs='so many/one that/those that/of late/held against'
work=$(mktemp) || exit 99
trap 'rm -f "$work"' EXIT
folk_tenths() { # of the comments of the files named on standard input
    xargs cat | awk -v folk="$folk" -v folk_pairs="$folk_pairs" '
    BEGIN { n = split(folk, list, "/"); while (n) bad[list[n--]] = 1; n = split(folk_pairs, list, "/"); while (n) bad[list[n--]] = 1 }
    function count(text, parts, i, many) {
        many = split(tolower(text), parts, /[^A-Za-z]+/)
        for (i = 1; i <= many; i++) if (parts[i] != "") {
            words++
            if (parts[i] in bad || (last " " parts[i]) in bad) found++
            last = parts[i]
        }
    }
    {
        gsub(/"([^"\\]|\\.)*"/, "\"\"") # a string may hold //
        line = $0
        while (line != "") {
            if (inside) {
                if (!(at = index(line, "*/"))) { count(line); break }
                count(substr(line, 1, at - 1)); line = substr(line, at + 2); inside = 0
            } else {
                slashes = index(line, "//"); star = index(line, "/*")
                if (slashes && (!star || slashes < star)) { count(substr(line, slashes)); break }
                if (!star) break
                line = substr(line, star + 2); inside = 1
            }
        }
    }
    END { printf "%d\n", words ? 10000 * found / words + 0.999 : -1 }'
}
for ceiling in src=10 server=10 lab=10 extra=10 ground=10 include=10 tests=20 bench=20 fuzz=20 examples=20; do
    package=${ceiling%=*}
    tenths=$(find "$package" -name '*.[ch]' | sort | folk_tenths)
    [ "$tenths" -ge 0 ] || complain "$package: no comments found"
    [ "$tenths" -le "${ceiling#*=}" ] || complain "$package: $tenths folk words in 10,000 words of comment, at most ${ceiling#*=}"
    echo "$package: $tenths folk words in 10,000"
done
tenths=$({ echo '/*'; find README.md CONTRIBUTING.md SECURITY.md docs -name '*.md' -exec cat {} + | sed 's|\*/|* /|g; s/"//g'; } >"$work"; echo "$work" | folk_tenths)
[ "$tenths" -gt 0 ] && [ "$tenths" -le 20 ] || complain "documents: $tenths folk words in 10,000 words, at most 20"
echo "documents: $tenths folk words in 10,000"

# Assertions of what must hold: how many in 10,000 lines. In src they are for debug builds; the laboratory's are what it
# checks of the library after each frame. A floor may only rise.
for floor in src=50=WEND__DEBUG_ASSERT/WEND__ASSERT/_Static_assert server=19=MUST lab=20=EXPECT; do
    package=${floor%%=*} names=${floor##*=} least=${floor#*=} least=${least%=*}
    counted=$(find "$package" -name '*.[ch]' -exec cat {} + | awk -v names="$(echo "$names" | tr / '|')" '
        $0 ~ "(^|[^A-Za-z_])(" names ")\\(" && !/#define/ { found++ } END { printf "%d\n", 10000 * found / NR }')
    [ "$counted" -ge "$least" ] || complain "$package: $counted assertions in 10,000 lines, at least $least"
    echo "$package: $counted assertions in 10,000 lines"
done

# First words: a comment begins with a verb or with a thing in the code. A comment is a run of // lines in one column, or /* … */;
# licences and headings do not count. How many of 1,000 begin with one of these words. A ceiling may only fall; the aim is 15.
openings=It/Those/One/That
opening_thousandths() { # of the comments of the files named on standard input
    xargs cat | awk -v openings="$openings" '
    BEGIN { n = split(tolower(openings), list, "/"); while (n) bad[list[n--]] = 1 }
    function count(text, parts) {
        if (text ~ /SPDX|^[\/*< \t]*----/) return
        comments++
        gsub(/^[\/*< \t]+/, "", text)
        split(text, parts, /[^A-Za-z]+/)
        if (tolower(parts[1]) in bad) found++
    }
    function blank(text) { gsub(/./, "x", text); return text }
    {
        while (match($0, /"([^"\\]|\\.)*"/)) # a string may hold //
            $0 = substr($0, 1, RSTART - 1) blank(substr($0, RSTART, RLENGTH)) substr($0, RSTART + RLENGTH)
        line = $0; now = 0
        while (line != "") {
            if (waits && line !~ /^[* \t]*$/) { count(line); waits = 0 }
            if (inside) {
                if (!(at = index(line, "*/"))) break
                line = substr(line, at + 2); inside = 0
            } else {
                slashes = index(line, "//"); star = index(line, "/*")
                if (slashes && (!star || slashes < star)) {
                    now = length($0) - length(line) + slashes
                    if (now != column || slashes > match(line, /[^ \t]/)) count(substr(line, slashes))
                    break
                }
                if (!star) break
                line = substr(line, star + 2); inside = waits = 1
            }
        }
        column = now
    }
    END { printf "%d\n", comments ? 1000 * found / comments + 0.999 : -1 }'
}
for ceiling in src=10 server=10 lab=10 extra=10 ground=10 include=10 tests=15 bench=15 fuzz=15 examples=15; do
    package=${ceiling%=*}
    opened=$(find "$package" -name '*.[ch]' | sort | opening_thousandths)
    [ "$opened" -ge 0 ] || complain "$package: no comments found"
    [ "$opened" -le "${ceiling#*=}" ] || complain "$package: $opened of 1,000 comments begin with $openings, at most ${ceiling#*=}"
    echo "$package: $opened of 1,000 comments begin with $openings"
done

echo "$bad complaints"
[ "$bad" -eq 0 ]
