#!/bin/sh
# SPDX-License-Identifier: MIT
# What bench_fleet found, as a picture: fleet_plot.sh CSV SVG. Needs gnuplot.
set -eu
command -v gnuplot >/dev/null || { echo 'fleet_plot: gnuplot is not installed' >&2; exit 0; }
gnuplot <<END
set terminal svg size 900,520 noenhanced background 'white'
set output '$2'
set datafile separator ','
set datafile commentschars '#'
set multiplot layout 2,1
set grid
set key outside
set ylabel 'per cent of a node'
set yrange [0:100]
set title '10,000 maps of 1,000 agents on 64 nodes: a node fails, then a rack of eight; all come back'
plot '$1' using 1:5 every 5::1 with lines title 'busiest', '' using 1:4 every 5::1 with lines title 'median', '' using 1:3 every 5::1 with lines title 'idlest'
unset title
set ylabel 'maps'
set xlabel 'seconds'
set autoscale y
plot '$1' using 1:(\$6 > 0 ? \$6 : 1/0) every ::1 with impulses lw 3 title 'no owner', '' using 1:(\$7 > 0 ? \$7 : 1/0) every ::1 with points pt 7 ps 0.4 title 'takeovers'
END
