#!/bin/sh
# SPDX-License-Identifier: MIT
# Maps of wend's own making with 100 random queries each, laid out like the MovingAI benchmarks: $WEND_BENCH_OUT/own.
set -eu
own=$WEND_BENCH_OUT/own
queries() { # set, name
    mkdir -p "$own/scens/$1"
    [ -f "$own/scens/$1/$2.map.scen" ] ||
        ./bench_table pairs "$own/maps/$1/$2.map" 100 "$own/scens/$1/$2.map.scen"
}
make() { # set, name, arguments of wend generate
    set=$1 name=$2
    shift 2
    mkdir -p "$own/maps/$set"
    [ -f "$own/maps/$set/$name.map" ] || ./wend generate "$@" --output "$own/maps/$set/$name.map"
    queries "$set" "$name"
}
mkdir -p "$own/maps/caves"
cp "$(dirname "$0")/../data/caves512.map" "$own/maps/caves/"
chmod u+w "$own/maps/caves/caves512.map"
queries caves caves512
make caves caves-1024 caves 1024x1024
make city city-512 city 512x512
make city city-1024 city 1024x1024
make mazes maze-512 maze 512x512
make mazes maze-loops-512 maze 512x512 --density 0.8
make random random-10-512 random 512x512 --density 0.1
make random random-20-512 random 512x512 --density 0.2
make random random-35-512 random 512x512 --density 0.35
make rooms rooms-512 rooms 512x512
make rooms rooms-1024 rooms 1024x1024
