#!/bin/sh
# SPDX-License-Identifier: MIT
# Packages of each language, by its own tools: packages.sh BUILD OUT, with a build folder whose options of configure are
# used; nothing in it is changed. What cannot be made here is said and left out, and the others are made. Exit status: 1
# where a tool failed, 0 where only tools are missing.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^AC_INIT(\[wend\], \[\([0-9.]*\)\].*/\1/p' "$root/configure.ac")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
has() { # commands...
    for tool; do command -v "$tool" >/dev/null || { echo "no $tool here: left out: $what"; return 1; }; done
}
try() { # function: makes $what, or says why not
    if "$1" >"$work/log" 2>&1; then
        echo "made: $what"
    else
        failed=1
        echo "failed, left out: $what:"
        tail -n 5 "$work/log" | sed 's/^/    /'
    fi
}

sh "$root/bindings/api/make.sh" --if-older || { echo "packages.sh: a clone needs python3-pycparser; a release does not" >&2; exit 1; }
what='the library with its headers, for C, C++, C#, Rust and Lua'
# A build of its own: libraries are linked for the place where they will be, and the build folder is the user's.
library() (
    mkdir "$work/build" && cd "$work/build" &&
        eval "'$root/configure' $(cd "$build" && ./config.status --config) --prefix=/usr/local" &&
        make -s -j "$(getconf _NPROCESSORS_ONLN)" && make -s install DESTDIR="$work/lib" &&
        tar czf "$out/wend-$version-$(uname -m).tar.gz" -C "$work/lib" .
)
try library

what='the wheel for Python'
wheel() {
    python=python3 isolation= # pip fetches what it builds with, unless a python here has it
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c 'import setuptools, cffi, pip, wheel' && python=$candidate isolation=--no-build-isolation && break
    done
    cp -r "$root/bindings/python" "$work/python" && # the tools write beside their sources
        WEND_ROOT=$root "$python" -m pip wheel -q --no-deps $isolation -w "$out" "$work/python"
}
if has python3; then try wheel; fi

what='the package for npm'
npm_package() {
    cp -r "$root/bindings/js" "$work/js" && sh "$root/bindings/js/build.sh" "$work/js/wend.wasm" &&
        (cd "$out" && npm pack --silent "$work/js")
}
if has npm clang wasm-ld; then try npm_package; fi

what='the crates'
crates() {
    cp -r "$root/bindings/rust" "$work/rust" &&
        (cd "$work/rust" && cargo package -q --offline --workspace --no-verify --allow-dirty --target-dir "$work/target") &&
        cp "$work"/target/package/*.crate "$out"
}
if has cargo; then try crates; fi

folder() { # name, files...: for languages whose projects take sources as they are
    name=$1-$version
    shift
    mkdir "$work/$name"
    cp "$@" "$work/$name"
    tar czf "$out/$name.tar.gz" -C "$work" "$name"
}
folder wend-lua "$root"/bindings/luajit/*.lua "$root/bindings/luajit/README.md" "$root/bindings/api/wend.cdef"
folder wend-csharp "$root"/bindings/csharp/*
ls -l "$out"
exit $failed
