#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzz target is built by the Makefile, and has a row in fuzz/README.md.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
bad=0
count=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
for target in fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    grep -q LLVMFuzzerTestOneInput "$target" || continue
    count=$((count + 1))
    grep -q "^fuzz_programs += $name$" fuzz/Makefile.inc || complain "$name is not built"
    grep -q "| \`$name\` |" fuzz/README.md || complain "fuzz/README.md has no row of $name"
done
echo "$count targets, $bad complaints"
[ "$count" -gt 10 ] && [ "$bad" -eq 0 ]
