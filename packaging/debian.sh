#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian packages of a release: debian.sh wend-VERSION.tar.xz OUT. Needs dpkg-dev and debhelper; where lintian is, what it
# says counts, too. `DEB_BUILD_OPTIONS=nocheck` leaves the tests out. The symbols of each library are in debian/*.symbols,
# which tests/repo/exports.sh keeps true.
set -eu
archive=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
recipe=$(cd "$(dirname "$0")" && pwd)/debian
release=$(basename "$archive" .tar.xz)
version=$(echo "${release#wend-}" | tr - '~') # so that a candidate is before its release
[ "$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$recipe/changelog")" = "$version" ] || { echo "debian/changelog is not of $version" >&2; exit 1; }
cp "$archive" "$out/wend_$version.orig.tar.xz"
rm -rf "$out/$release"
tar xf "$archive" -C "$out"
cp -r "$recipe" "$out/$release/debian"
cd "$out/$release"
dpkg-buildpackage -us -uc
if command -v lintian >/dev/null; then
    # A first upload to Debian closes the wish for the package there: nobody has filed one.
    lintian --allow-root --no-cfg --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning "$out"/wend_"$version"-*.changes
fi
