#!/bin/sh
# SPDX-License-Identifier: MIT
# README.md and pages of docs say nothing that is not so: each ```c block of README.md, players.md and saving.md stands in
# examples/first.c, server.c or save_game.c as it is, the script is the one in examples/, the commands in ```console
# blocks print what is shown, each file that formats.md shows is read, plots.md plots, and README.md is short.
set -u
source=${WEND_SRCDIR:-$(dirname "$0")/../..}
build=$(cd "${WEND_BUILDDIR:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 99
. "$source/tests/repo/needs.sh"
needs server lab extra
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

# Each block of C, as one string in which a newline is a \001, is part of an example in the same form.
flat() { tr '\n' '\001' <"$1"; }
check_blocks() { # document, least number of blocks
    blocks=0
    rm -f "$work"/block*
    awk -v work="$work" '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > (work "/block" n) }' "$1"
    for block in "$work"/block*; do
        [ -e "$block" ] || continue
        blocks=$((blocks + 1))
        found=0
        for example in examples/first.c examples/server.c examples/save_game.c; do
            case $(flat $example) in *"$(flat "$block")"*) found=1 ;; esac
        done
        [ $found -eq 1 ] || { complain "$1 shows lines that no example has:"; cat "$block"; }
    done
    [ $blocks -ge "$2" ] || complain "$1 has $blocks blocks of C"
}
check_blocks README.md 4
check_blocks docs/players.md 2
check_blocks docs/saving.md 1
awk '/^```sh$/ { on = 1; text = ""; next } /^```/ { if (on && text ~ /scouts/) printf "%s", text; on = 0 } on { text = text $0 "\n" }' \
    docs/program.md >"$work/scouts.wend"
diff "$work/scouts.wend" examples/scouts.wend || complain 'docs/program.md does not show examples/scouts.wend as it is'

# Commands print what is shown, run in a folder.
. "$source/tests/repo/blocks.sh"
mkdir "$work/bin" && printf '#!/bin/sh\nexec "%s" "$@"\n' "$build/wend" >"$work/bin/wend" && chmod +x "$work/bin/wend" || exit 99
PATH=$work/bin:$PATH
check_console docs/program.md .
[ "$commands" -gt 0 ] || complain 'no commands found in docs/program.md'

write_files docs/formats.md "$work/files"
check_console docs/formats.md "$work/files"
# docs/astar.md: its other commands run, too.
write_files docs/astar.md "$work/astar"
check_console docs/astar.md "$work/astar"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' docs/astar.md >"$work/lines"
while IFS= read -r line; do
    commands=$((commands + 1))
    # shellcheck disable=SC2086
    (cd "$work/astar" && "$build/wend" ${line#wend }) >"$work/out" 2>&1 </dev/null || complain "$line: exit $?"
done <"$work/lines"
grep -A 9 '^step 2' "$work/out" | grep -q '2,2 .* cheaper' || complain 'docs/astar.md: 2,2 does not become cheaper'
# docs/plots.md: the run and, where gnuplot is installed, its plots.
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' docs/plots.md >"$work/plots.sh"
awk -v work="$work" '/^```gnuplot$/ { on = 1; n++; next } /^```/ { on = 0 } on { print >(work "/plot" n ".gp") }' docs/plots.md
mkdir "$work/plots" && (cd "$work/plots" && sh -e "$work/plots.sh" >"$work/out" 2>&1) || complain 'docs/plots.md: no run'
for plot in "$work"/plot?.gp; do
    command -v gnuplot >"$work/out" || break
    (cd "$work/plots" && gnuplot "$plot") >"$work/out" 2>&1 && [ ! -s "$work/out" ] || { complain 'docs/plots.md:'; cat "$work/out"; }
done
for picture in frames waits; do
    ! command -v gnuplot >"$work/out" || grep -q '<path' "$work/plots/$picture.svg" || complain "docs/plots.md: no $picture.svg"
done
files=0
for file in "$work/files"/*; do
    files=$((files + 1))
    case $file in
    *scen) "$build/wend" scen "$file" >"$work/out" 2>&1 ;;
    */run.wend) "$build/wend" run "$file" >"$work/out" 2>&1 ;;
    *.co) "$build/wend" info "${file%co}gr" >"$work/out" 2>&1 && grep -q '^coordinates *yes' "$work/out" ;;
    *) "$build/wend" info "$file" >"$work/out" 2>&1 ;;
    esac || { complain "docs/formats.md: ${file##*/}:"; cat "$work/out"; }
done
[ $files -ge 11 ] || complain "docs/formats.md has $files files"

echo "$commands commands, $bad complaints"
[ "$bad" -eq 0 ]
