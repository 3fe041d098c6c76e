#!/bin/sh
# SPDX-License-Identifier: MIT
# What `auto` takes on many maps, against the better of A* and jump search: a quarter of an hour. Run it where wend was
# built: `make bench_choice && sh .../bench/choice.sh`. With MOVINGAI=DIR the maps of the MovingAI benchmarks in DIR/maps too.
# With LANDMARKS=N jump search goes by so many (none if not given); with FEW=1 only the grounds that the rule turns on, at two
# sizes and costs of 1000/1414: two or three minutes.
# With DIAGONAL=0 the maps have 4 neighbours.
# CSV to choice.csv; then for each threshold on `corners` (src/fast/jump/grid_jump_choice.h) what `auto` would lose by it, for maps of
# up to 2^19, 2^21 and more cells, far and near: the mean over the maps, and the worst.
set -eu
out=${1:-choice.csv}
landmarks=${LANDMARKS:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'map,straight,side,queries,count,corners,diagonals,astar_us,jump_us,jump_to_astar,auto,auto_to_best,landmarks' >"$out"
measure() { # map
    ./bench_choice "$1" 1000 "${DIAGONAL:-1414}" "$landmarks" >>"$out"
    [ -n "${FEW:-}${DIAGONAL:-}" ] || ./bench_choice "$1" 10 14 "$landmarks" >>"$out"
}
generate() { # name, arguments of wend generate
    name=$1
    shift
    ./wend generate "$@" --output "$work/$name.map"
    measure "$work/$name.map"
    rm "$work/$name.map"
}
few() {
    for side in 512 1024; do
        for share in 05 10 20 25 30 40; do generate noise$share-$side random ${side}x$side --density 0.$share; done
        for width in 2 3 5; do
            for share in 1 5 20; do measure ${side}x${width}x$share; done
        done
        for kind in city maze; do generate $kind-$side $kind ${side}x$side; done
    done
}
every() {
    for side in 256 512 1024 2048; do
        for share in 05 10 20 25 30 35 40 45; do generate noise$share-$side random ${side}x$side --density 0.$share; done
        for width in 1 2 3 5; do
            for share in 1 5 20; do
                [ $width$share = 120 ] || [ $width$share = 15 ] || measure ${side}x${width}x$share # noise has these
            done
        done
    done
    for side in 512 1024 2048; do
        for kind in caves rooms city maze; do generate $kind-$side $kind ${side}x$side; done
        generate loops-$side maze ${side}x$side --density 0.5
    done
    for map in ${MOVINGAI:+"$MOVINGAI"/maps/*/*.map}; do measure "$map"; done
}
if [ -n "${FEW:-}" ]; then few; else every; fi
echo 'cells up to,queries,threshold,mean loss,worst loss'
awk -F, 'NR > 1 {
    size = $3 * $3 < 2 ^ 19 ? "2^19" : $3 * $3 < 2 ^ 21 ? "2^21" : "more"
    for (t = 24; t <= 70; t += 2) {
        ratio = $6 >= t ? 1 / $10 : $10
        loss = ratio > 1 ? ratio : 1
        key = size "," $4 "," t
        sum[key] += log(loss)
        count[key]++
        if (loss > worst[key]) worst[key] = loss
    }
}
END { for (key in sum) printf "%s,%.3f,%.2f\n", key, exp(sum[key] / count[key]), worst[key] }' "$out" | sort -t, -k1,1 -k2,2 -k3,3n
