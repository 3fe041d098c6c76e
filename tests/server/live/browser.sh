#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in a real browser: tests/server/live/browser/run.mjs with the installed Chromium and playwright-core from the package
# registry. Skipped, with a line that says why, where one of them is missing. Screenshots of failures stay in
# browser-shots/, with WEND_SHOTS=1 all of them.
# `browser.sh picture` makes docs/page.png instead (make page-picture); `browser.sh playground FILE` tests the playground.
set -u
srcdir=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
cd "${WEND_BUILDDIR:-.}" || exit 99
tests=$srcdir/tests/server/live/browser
site=$srcdir/server/live/page/site

skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip 'there is no node here'
node "$tests/palette.mjs" "$site" || exit 1

[ -z "${INSTRUMENT_FLAGS:-}" ] || skip 'the browser tests run with plain builds'
command -v npm >/dev/null || skip 'there is no npm here'
command -v timeout >/dev/null || skip 'there is no timeout here'
browser=
for name in ${WEND_BROWSER:-chromium chromium-browser google-chrome chrome}; do
    browser=$(command -v "$name") && break
done
[ -n "$browser" ] || skip 'there is no Chromium here (set WEND_BROWSER)'
./wend serve --help >/dev/null 2>&1 || skip 'wend was built without `wend serve`'

modules=$PWD/browser-modules
mkdir -p "$modules" browser-shots || exit 99
cp "$tests/package.json" "$tests/package-lock.json" "$modules/" && chmod u+w "$modules"/package*.json || exit 99
if [ ! -d "$modules/node_modules/playwright-core" ]; then
    (cd "$modules" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) ||
        skip 'the package registry cannot be reached'
fi
cp "$tests"/*.mjs "$modules/" && chmod u+w "$modules"/*.mjs || exit 99
if [ "${1:-}" = picture ]; then
    exec node "$modules/picture.mjs" "$PWD/wend" "$browser" "$srcdir/data/caves512.map" "$srcdir/docs/page.png"
fi
if [ "${1:-}" = playground ]; then
    exec timeout 1800 node "$modules/playground.mjs" "$browser" "$2" "$PWD/browser-shots"
fi
timeout 3600 node "$modules/run.mjs" "$PWD/wend" "$browser" "$PWD/browser-shots"
