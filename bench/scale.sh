#!/bin/sh
# SPDX-License-Identifier: MIT
# How costs grow, as a table ($WEND_BENCH_OUT/scale.md) and a picture (scale.svg): agents, the map's side, requests a frame,
# and, where nats-server is installed, nodes of a cluster. `make bench-scale` runs it in the build folder.
set -eu
here=$(dirname "$0")
dir=${WEND_BENCH_OUT:-bench-results}
mkdir -p "$dir"
csv=$dir/scale.csv
./bench_scale >"$csv"
if command -v nats-server >/dev/null; then
    # requests at N nodes,FIGURE,1/s of processor time
    python3 "$here/cluster.py" ./wend throughput |
        awk -F, '/^requests at .*processor time/ {split($1, word, " "); printf "nodes,%s,request_us,%.1f\n", word[3], 1e6 / $2}' >>"$csv"
fi
awk -F, '
    NR > 1 {
        if (!(($1, $2) in row)) { row[$1, $2] = 1; sizes[$1] = sizes[$1] " " $2 }
        if (!(($1, $3) in column)) { column[$1, $3] = 1; measures[$1] = measures[$1] " " $3 }
        if (!($1 in seen)) { seen[$1] = 1; curves[++n] = $1 }
        value[$1, $2, $3] = $4
    }
    END {
        for (c = 1; c <= n; c++) {
            name = curves[c]
            of = split(sizes[name], size, " ")
            many = split(measures[name], measure, " ")
            printf "\n| %s |", name
            for (m = 1; m <= many; m++) printf " %s |", measure[m]
            printf "\n|--:|"
            for (m = 1; m <= many; m++) printf "--:|"
            print ""
            for (s = 1; s <= of; s++) {
                printf "| %s |", size[s]
                for (m = 1; m <= many; m++) printf " %s |", value[name, size[s], measure[m]]
                print ""
            }
        }
    }' "$csv" | sed 's/_/ /g' >"$dir/scale.md"
command -v gnuplot >/dev/null || { echo 'scale: gnuplot is not installed' >&2; exit 0; }
line() { # curve, measure, title
    printf "'< grep ^%s, %s | grep ,%s,' using 2:4 with linespoints lw 2 pt 7 ps 0.5 title '%s'" "$1" "$csv" "$2" "$3"
}
{
    echo "set terminal svg size 900,640 noenhanced background 'white'; set output '$dir/scale.svg'; set datafile separator ','
        set multiplot layout 2,2; set logscale xy; set grid; set key top left; set format x '%.0f'"
    echo "set xlabel 'agents'; set xtics 10; set yrange [10:100000]
        plot $(line agents update_ns 'an update, ns an agent'), $(line agents search_ns 'its searches, ns an agent'), $(line agents bytes 'bytes an agent')"
    echo "set xlabel 'side of the map, cells'; set xtics 256,4; set xrange [200:20000]; set yrange [1:100000]
        plot $(line sides near_us 'a path within 128 cells, us'), $(line sides anywhere_us 'one to anywhere, us'), $(line sides publish_us 'a publish of one cell, us'), $(line sides bytes_a_cell 'bytes a cell')"
    echo "set xlabel 'requests a frame'; set xtics 10; set xrange [*:*]; set yrange [10:1000000]
        plot $(line requests submit_ns 'to submit one, ns'), $(line requests serve_ns 'to serve one, ns')"
    echo "set xlabel 'nodes of a cluster'; set xtics 2; set yrange [1:100]
        plot $(line nodes request_us 'processor time of a request, us')"
} | gnuplot
echo "scale: $dir/scale.md, $dir/scale.svg" >&2
