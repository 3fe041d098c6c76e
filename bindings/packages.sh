#!/bin/sh
# SPDX-License-Identifier: MIT
# Packages of each language, by its own tools: packages.sh BUILD OUT, with a build folder in which `make` has run. What
# cannot be made here is said, and left out.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^AC_INIT(\[wend\], \[\([0-9.]*\)\].*/\1/p' "$root/configure.ac")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
has() { # commands...
    for tool; do command -v "$tool" >/dev/null || { echo "no $tool here: left out: $what"; return 1; }; done
}

what='the library with its headers, for C, C++, C#, Rust and Lua'
make -C "$build" install DESTDIR="$work/lib" prefix=/usr/local >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
tar czf "$out/wend-$version-$(uname -m).tar.gz" -C "$work/lib" .

what='the wheel for Python'
if has python3; then
    cp -r "$root/bindings/python" "$work/python" # the tools write beside their sources
    WEND_ROOT=$root python3 -m pip wheel -q --no-deps -w "$out" "$work/python"
fi

what='the package for npm'
if has npm clang wasm-ld; then
    cp -r "$root/bindings/js" "$work/js"
    sh "$root/bindings/js/build.sh" "$work/js/wend.wasm"
    (cd "$out" && npm pack --silent "$work/js")
fi

what='the crates'
if has cargo; then
    cp -r "$root/bindings/rust" "$work/rust"
    (cd "$work/rust" && cargo package -q --offline --workspace --no-verify --allow-dirty --target-dir "$work/target")
    cp "$work"/target/package/*.crate "$out"
fi

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
