#!/bin/sh
# SPDX-License-Identifier: MIT
# All C has the layout that .clang-format decides. clang-format 14 reads C as C++, so names that are words of C++ (`class`)
# are replaced by others of the same length for its eyes only.
#
#   tests/repo/format.sh          lists what has another layout
#   tests/repo/format.sh fix    changes it
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
case $(clang-format --version 2>/dev/null) in
*'version 14.'*) ;;
*) echo 'format: skipped, as there is no clang-format 14, which has the last word'; exit 77 ;;
esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
hide='s/\bclass\b/kLass/g; s/\bnew\b/nEw/g; s/\btry\b/tRy/g'
show='s/\bkLass\b/class/g; s/\bnEw\b/new/g; s/\btRy\b/try/g'

sources=$(find include src server lab extra ground tests bench fuzz examples -name '*.[ch]' | sort)
cp .clang-format "$work"
# shellcheck disable=SC2086 # one word a file
tar cf - $sources | tar xf - -C "$work" || exit 99
(cd "$work" && echo "$sources" | xargs sed -i "$hide" && echo "$sources" | xargs clang-format -i && echo "$sources" | xargs sed -i "$show") || exit 99
bad=0
for file in $sources; do
    cmp -s "$file" "$work/$file" && continue
    bad=$((bad + 1))
    if [ "${1-}" = fix ]; then
        cat "$work/$file" >"$file"
        echo "$file: changed"
    else
        diff -u "$file" "$work/$file" | sed -n '4,12p'
        echo "$file: another layout"
    fi
done
echo "$(echo "$sources" | wc -l) files, $bad complaints"
[ "${1-}" = fix ] || [ "$bad" -eq 0 ]
