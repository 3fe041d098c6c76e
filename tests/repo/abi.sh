#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that were linked with the library of the dump keep working: functions stay as they are, and structs grow at their ends.
# libwend.abi.xz is what abidw says of its library; ACCEPT=1 writes it anew, which says that they do not.
set -u
build=${WEND_BUILDDIR:-.}
source=${WEND_SRCDIR:-.}
here=$source/tests/repo
library=$build/.libs/libwend.so
for tool in abidw abidiff xz readelf; do
    command -v $tool >/dev/null || { echo "abi: there is no $tool"; exit 77; }
done
[ "$(uname -m)" = x86_64 ] || { echo 'abi: not x86-64'; exit 77; }
[ -z "${INSTRUMENT_FLAGS:-}" ] || { echo 'abi: not with sanitizers'; exit 77; }
readelf --debug-dump=info --dwarf-depth=1 "$library" | grep -q 'DW_AT_producer.*GNU C' || { echo 'abi: not by gcc with -g'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
abidw --no-show-locs --headers-dir "$source/include" --drop-private-types "$library" >"$work/now.abi" || exit 1
if [ -n "${ACCEPT:-}" ]; then xz -9 <"$work/now.abi" >"$here/libwend.abi.xz"; fi
xz -dc "$here/libwend.abi.xz" >"$work/first.abi" || exit 1
changes() { # library: what has changed beside new functions, and fields that structs got at their ends
    abidiff --leaf-changes-only --no-added-syms "$work/first.abi" "$1" | grep -vE "^$|summary: |^'struct .* changed:\$" |
        grep -vE "^  (type size changed|[0-9]+ data member insertions?:|  '[^']*', at offset )"
}
changes "$work/now.abi" && { echo 'abi: the above differs from libwend.abi.xz'; exit 1; }
# A field that moved is seen, or this test could not fail.
sed "/class-decl name='wend_cell'/,/class-decl>/ { s/size-in-bits='96'/size-in-bits='128'/; s/in-bits='64'/in-bits='96'/ }" \
    "$work/now.abi" >"$work/other.abi"
changes "$work/other.abi" | grep -q "'int32_t z' offset changed" || { echo 'abi: a field that moved was not seen'; exit 1; }
echo "abi: as in the dump, but for what was added"
