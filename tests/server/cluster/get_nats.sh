#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts Debian's newest nats-server, which is fit for three replicas, into a folder, and prints its path. Nothing is
# installed: the program runs on Debian 12 as it is. What is there already is not fetched again.
# Usage: get_nats.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
program=$folder/usr/sbin/nats-server
if [ ! -x "$program" ]; then
    mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/preferences.d"
    mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)*\([^ ]*\) .*/\2/p' /etc/apt/sources.list \
        /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null | grep '/debian/*$' | head -n 1)
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} unstable main" \
        >"$folder/unstable.list"
    set -- -q -o "Dir::Etc::SourceList=$folder/unstable.list" -o Dir::Etc::SourceParts=- \
        -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache::archives=$folder/archives" -o Dir::Cache::pkgcache= \
        -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root
    apt-get "$@" update >&2
    (cd "$folder" && apt-get "$@" download nats-server >&2)
    dpkg -x "$folder"/nats-server_*.deb "$folder"
    rm -rf "$folder/lists" "$folder/archives" "$folder/preferences.d"
fi
"$program" --version >&2
echo "$program"
