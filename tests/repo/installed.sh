#!/bin/sh
# SPDX-License-Identifier: MIT
# installed.sh PKGCONFIGDIR LIBDIR BINDIR SOURCE, for `make installcheck`: builds examples/hello.c with what pkg-config
# says about the installed library, and nothing else; runs it and the installed program. DESTDIR is honoured.
set -eu
root=${DESTDIR:-}
PKG_CONFIG_PATH=$root$1${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
if [ -n "$root" ]; then
    export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
fi
flags=$("${PKG_CONFIG:-pkg-config}" --cflags --libs wend)
echo "pkg-config: $flags"
${CC:-cc} -std=c11 ${CFLAGS:-} "$4/examples/hello.c" -o installcheck/hello $flags
LD_LIBRARY_PATH=$root$2${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
installcheck/hello "$4/data/problem1.txt" >installcheck/hello.out
cat installcheck/hello.out
[ -s installcheck/hello.out ] || { echo 'installcheck: hello printed nothing' >&2; exit 1; }
"$root$3/wend" solve "$4/data/problem1.txt" >installcheck/solve.out
[ "$(head -n 1 installcheck/solve.out)" = 3,1 ] || { echo 'installcheck: wend solve went wrong' >&2; exit 1; }
for package in wend-uv wend-extra; do
    [ -f "$root$1/$package.pc" ] || [ $package = wend-uv ] || continue # left out by --without-extra
    "${PKG_CONFIG:-pkg-config}" --exists --print-errors "$package"
done
if command -v cmake >/dev/null; then
    components=extra
    for component in live ground uv; do
        [ ! -f "$root$1/wend-$component.pc" ] || components="$components;$component"
    done
    mkdir -p installcheck/cmake
    cat >installcheck/cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(stranger C)
find_package(wend 1.0 QUIET COMPONENTS absent)
if(wend_FOUND)
  message(FATAL_ERROR "a component that is not there was found")
endif()
find_package(wend 1.0 REQUIRED COMPONENTS ${components})
add_executable(hello ${hello})
target_link_libraries(hello wend::wend)
file(WRITE ${CMAKE_BINARY_DIR}/draw.c "#include <wend/extra.h>\nint main(void) { return !wend_picture_refusal; }\n")
add_executable(draw ${CMAKE_BINARY_DIR}/draw.c)
target_link_libraries(draw wend::extra)
END
    cmake -S installcheck/cmake -B installcheck/cmake/build -Dhello="$4/examples/hello.c" -Dwend_DIR="$root$2/cmake/wend" -Dcomponents="$components" \
        -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_C_FLAGS="${CFLAGS:-}" -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath-link,$root$2" >installcheck/cmake.log
    cmake --build installcheck/cmake/build >>installcheck/cmake.log
    installcheck/cmake/build/hello "$4/data/problem1.txt" | cmp - installcheck/hello.out
    installcheck/cmake/build/draw
    rm -r installcheck/cmake
fi
if command -v meson >/dev/null && command -v ninja >/dev/null && [ -z "$root" ]; then
    mkdir -p installcheck/meson
    cp "$4/examples/hello.c" installcheck/meson
    cat >installcheck/meson/meson.build <<'END'
project('stranger', 'c', default_options: ['c_std=c11'])
executable('hello', 'hello.c', dependencies: dependency('wend'))
END
    CC=${CC:-cc} CFLAGS=${CFLAGS:-} meson setup installcheck/meson/build installcheck/meson >installcheck/meson.log
    ninja -C installcheck/meson/build >>installcheck/meson.log
    installcheck/meson/build/hello "$4/data/problem1.txt" | cmp - installcheck/hello.out
    rm -r installcheck/meson
fi
for file in bash-completion/completions/wend zsh/site-functions/_wend fish/vendor_completions.d/wend.fish; do
    [ -s "$root${3%/bin}/share/$file" ] || { echo "installcheck: $file was not installed" >&2; exit 1; }
done
echo 'installcheck: good'
