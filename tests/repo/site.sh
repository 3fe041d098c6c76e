#!/bin/sh
# SPDX-License-Identifier: MIT
# `make site`: no link is dead, each public function has its place and its page of man3, and mandoc finds nothing wrong.
set -u
source=$(cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import markdown' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "skipped: no python3-markdown here"; exit 77; }

sh "$source/bindings/api/make.sh" --if-older || { echo "skipped: bindings cannot be made here"; exit 77; }
"$python" "$source/packaging/site/site.py" "$source" "$work/site" || complain "the site has dead links"
functions=$(grep -c '"header":' "$source/bindings/api/api.json")
pages=$(find "$work/site/man3" -name '*.3' | wc -l)
[ "$functions" -gt 200 ] && [ "$pages" -eq "$functions" ] || complain "$pages pages of man3 for $functions functions"
places=$(grep -ho '<h2 id="wend_[a-z0-9_]*"' "$work"/site/reference/*.html | sort -u | wc -l)
[ "$places" -eq "$functions" ] || complain "$places places for $functions functions"
grep -q '"wend_service_tick"' "$work/site/index.js" || complain "the search does not know wend_service_tick"
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$work"/site/man3/*.3 | grep -v 'missing date' >"$work/lint"
    [ ! -s "$work/lint" ] || complain "$(head -5 "$work/lint")"
fi

# a page that leads nowhere is found
mkdir -p "$work/tree/docs" "$work/tree/bindings/api" "$work/tree/include/wend"
cp "$source/bindings/api/api.json" "$work/tree/bindings/api"
printf '# One\n\n[gone](docs/gone.md), [no place](docs/two.md#none), [good](docs/two.md#two)\n' >"$work/tree/README.md"
printf '# Two\n' >"$work/tree/docs/two.md"
"$python" "$source/packaging/site/site.py" "$work/tree" "$work/broken" >"$work/said" && complain "dead links pass"
for link in README.html:.docs/gone.md README.html:.docs/two.html#none; do
    grep -q "^dead link: $link\$" "$work/said" || complain "not found: $link: $(cat "$work/said")"
done
grep -q 'two.html#two' "$work/said" && complain "a good link is called dead"
echo "$pages pages of man3, $bad complaints"
[ "$bad" -eq 0 ]
