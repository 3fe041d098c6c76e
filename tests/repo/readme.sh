#!/bin/sh
# SPDX-License-Identifier: MIT
# README.md says nothing that is not so: its programs are examples/first.c and hello.c, its script is the one in examples/, the
# commands in its ```console blocks print what it shows, and the files that it links to are there.
set -u
source=${WEND_SRCDIR:-$(dirname "$0")/../..}
build=$(cd "${WEND_BUILDDIR:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 99
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$work/shown.c"
cat examples/first.c examples/hello.c | diff "$work/shown.c" - || complain 'README.md does not show examples/first.c and hello.c as they are'
awk '/^```sh$/ { on = 1; text = ""; next } /^```/ { if (on && text ~ /scouts/) printf "%s", text; on = 0 } on { text = text $0 "\n" }' \
    README.md >"$work/scouts.wend"
diff "$work/scouts.wend" examples/scouts.wend || complain 'README.md does not show examples/scouts.wend as it is'

awk '/^```console$/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$work/console"
commands=0
while IFS= read -r line; do
    case $line in
    '$ wend '*)
        commands=$((commands + 1))
        echo "$line" >>"$work/wanted"
        echo "$line" >>"$work/got"
        # shellcheck disable=SC2086 # words of a simple command
        "$build/wend" ${line#\$ wend } >>"$work/got" 2>&1 </dev/null || complain "$line: exit $?"
        ;;
    *) echo "$line" >>"$work/wanted" ;;
    esac
done <"$work/console"
[ "$commands" -gt 0 ] || complain 'no commands found in README.md'
diff "$work/wanted" "$work/got" || complain 'a command prints something else than README.md shows'

for link in $(grep -oE '\]\([A-Za-z][^):]*\)' README.md | tr -d '()]'); do
    [ -e "$link" ] || complain "README.md links to $link, which is not there"
done
echo "$commands commands, $bad complaints"
[ "$bad" -eq 0 ]
