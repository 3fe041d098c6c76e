#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# The fuzzers of the library, with the engine and the sanitizer that ClusterFuzzLite gives; static, as they run elsewhere.
autoreconf -fi
mkdir build && cd build
../configure --enable-static --disable-shared --without-server --without-lab --without-ground --enable-debug
make -j"$(nproc)" libwendcore.la libwend-extra.la
for name in map baked calls scen tiled; do
    libraries=.libs/libwendcore.a
    case $name in
    tiled) libraries=".libs/libwend-extra.a $libraries" ;;
    scen)
        $CC $CFLAGS -std=gnu11 -I../include -I../src -I../lab -c ../lab/scen/scenario.c -o scenario.o
        libraries="scenario.o $libraries"
        ;;
    calls)
        for part in ../tests/models/apart.c ../tests/models/counting.c ../tests/pairs/[!c]*.c ../tests/pairs/cover.c; do
            object=calls_$(basename "$part" .c).o
            $CC $CFLAGS -std=gnu11 -I../include -I../src -I../tests -c "$part" -o "$object"
            libraries="$object $libraries"
        done
        ;;
    esac
    $CC $CFLAGS -std=gnu11 -I../include -I../src -I../lab -I../tests -c "../fuzz/fuzz_$name.c" -o "fuzz_$name.o"
    # shellcheck disable=SC2086 # one word a library or flag
    $CXX $CXXFLAGS "fuzz_$name.o" -o "$OUT/fuzz_$name" $LIB_FUZZING_ENGINE $libraries \
        -Wl,-Bstatic -lpng -ljansson -lexpat -lz $(sed -n 's/^ZSTD_LIBS = //p' Makefile) -Wl,-Bdynamic -lm -lpthread
    [ ! -f "../fuzz/$name.dict" ] || cp "../fuzz/$name.dict" "$OUT/fuzz_$name.dict"
done
zip -q "$OUT/fuzz_map_seed_corpus.zip" ../data/*.map ../data/*.txt ../data/*.gr ../data/*.co ../data/*.3dmap
zip -q "$OUT/fuzz_scen_seed_corpus.zip" ../data/*.scen ../data/*.3dscen
zip -q "$OUT/fuzz_tiled_seed_corpus.zip" ../data/*.tmj
