#!/bin/sh
# SPDX-License-Identifier: MIT
# Figures that docs/program.md, docs/figures/settings.md and docs/settings.md show, against what the programs print now: all but times, which differ from
# machine to machine. Where one differs, run the command again and put its output into the document.
set -u
source=${WEND_SRCDIR:-$(dirname "$0")/../..}
build=$(cd "${WEND_BUILDDIR:-.}" && pwd)
if [ -n "${INSTRUMENT_FLAGS:-}" ]; then echo 'figures: not with sanitizers, where it takes long'; exit 77; fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 99
. "$source/tests/repo/needs.sh"
needs server lab extra
bad=0
same() { # document
    [ "$(wc -l <"$work/wanted")" -ge "$2" ] || { echo "$1: figures not found"; bad=$((bad + 1)); }
    diff "$work/wanted" "$work/got" || { echo "$1 shows (<) what is not printed (>)"; bad=$((bad + 1)); }
}

# docs/program.md's table of `wend stress`.
awk '/^```text$/ { getline; on = /^\$ wend stress / } /^```/ { on = 0 } on' docs/program.md >"$work/shown"
command=$(sed -n 's/^\$ wend \(stress .*\)/\1/p' "$work/shown")
timeless() { grep -vE '^ +(A frame takes|of processor time|ticking|publishing a batch|Throughput|Expansions|Memory) |^\$ ' "$1"; }
timeless "$work/shown" >"$work/wanted"
# shellcheck disable=SC2086 # words of a simple command
"$build/wend" $(echo "$command" | sed "s|--output |&$work/|") >"$work/printed" || bad=$((bad + 1))
timeless "$work/printed" >"$work/got"
same docs/program.md 15

# The tables of docs/figures/settings.md: `./settings`, without the column of nanoseconds.
"$build/settings" >"$work/printed" || bad=$((bad + 1))
awk -F'|' 'NF > 8 && /^\| (walls|rooms|dust) / {
    gsub(/,/, "")
    split($2, name, " ")
    print name[1], $3 + 0, $5 + 0, $6 + 0, $7 + 0, $8 + 0
}' docs/figures/settings.md >"$work/wanted"
awk '/^(walls|rooms|dust) / { print $1, $2, $4, $5, $6, $7 }' "$work/printed" >"$work/got"
same docs/figures/settings.md 12

# Bytes, to a twentieth: structs grow. What wend plan prints, to a quarter: what crowds search changes with them.
near() { # document, lines, part
    [ "$(wc -l <"$work/wanted")" -ge "$2" ] || { echo "$1: figures not found"; bad=$((bad + 1)); }
    paste "$work/wanted" "$work/got" | awk -v part="$3" 'NF != 2 || $1 > $2 * (1 + part) || $2 > $1 * (1 + part) { print; far = 1 }
        END { exit far }' || { echo "$1 shows what is not printed (second)"; bad=$((bad + 1)); }
}
if [ "$(getconf LONG_BIT)" -eq 64 ]; then
    sed -nE 's/^\| (all defaults|a place in the queue|a place in a long queue|a search in flight|a node|room for a further goal|a cell of the longest path).*\| ([0-9,.]+) \|$/\2/p' \
        docs/figures/settings.md | tr -d , | awk '{ print $1 + 0 }' | sort -n >"$work/wanted"
    sed -nE 's/.* ([0-9.]+) bytes.*/\1/p' "$work/printed" | awk '{ print $1 + 0 }' | sort -n >"$work/got"
    near docs/figures/settings.md 7 0.05
    # The table of presets is what they give; its bytes, to a twentieth.
    table() { sed -nE "s/^\| \`?($1)\`?[^|]*\| ([0-9,]+) \| ([0-9,]+) \| ([0-9,]+) \|.*/\1 \2 \3 \4/p" docs/settings.md | tr -d ,; }
    presets() { sed -n 's/^preset //p' "$work/printed" | awk -v names="$1" '$1 ~ "^(" names ")$" { print $1, $2, $3, $4 }'; }
    table 'agents|path_bytes|queue|nodes|max_path_cells' >"$work/wanted"
    presets 'agents|path_bytes|queue|nodes|max_path_cells' >"$work/got"
    same docs/settings.md 5
    table 'service|crowd' | tr ' ' '\n' | grep '^[0-9]' >"$work/wanted"
    presets 'service|crowd' | tr ' ' '\n' | grep '^[0-9]' >"$work/got"
    near docs/settings.md 6 0.05
fi
rows() { sed -nE 's/^(budget|queue|nodes|max_path_cells|the service|the crowd) +([0-9,]+).*/\2/p' "$1" | tr -d ,; }
awk '/^```text$/ { getline; on = /^\$ wend plan / } /^```/ { on = 0 } on' docs/settings.md >"$work/shown"
rows "$work/shown" >"$work/wanted"
sed -n 's/^\$ wend \(plan .*\)/\1/p' "$work/shown" >"$work/commands"
while read -r command; do
    # shellcheck disable=SC2086 # words of a simple command
    "$build/wend" $command || bad=$((bad + 1))
done <"$work/commands" >"$work/printed"
rows "$work/printed" >"$work/got"
near docs/settings.md 6 0.25

echo "$bad complaints"
[ "$bad" -eq 0 ]
