#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts Debian's newest nats-server, which is fit for three replicas, into a folder, and prints its path. It comes from
# the mirror that apt is set to. Nothing is installed: the program runs on Debian 12 as it is. What is there already is
# not fetched again.
# Usage: get_nats.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
program=$folder/usr/sbin/nats-server
if [ ! -x "$program" ]; then
    mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/preferences.d"
    # shellcheck disable=SC2016 # the names are apt's
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sed -n "s/ $(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) main\$//p" | head -n 1)
    if [ -z "$mirror" ]; then
        echo "$0: apt knows no mirror of this Debian" >&2
        exit 1
    fi
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror unstable main" \
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
