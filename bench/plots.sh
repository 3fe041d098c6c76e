#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures of a run's CSV files, into bench-plots/ beside them, where gnuplot is installed.
set -eu
dir=$WEND_BENCH_OUT
command -v gnuplot >/dev/null || { echo 'plots: gnuplot is not installed' >&2; exit 0; }
plots=$dir/../bench-plots
mkdir -p "$plots"
tmp=$dir/plots.tmp
draw() { # name, title, commands
    printf '%s\n' "set terminal svg size 900,500 noenhanced background 'white'" "set output '$plots/$1.svg'" "set title '$2'" \
        'set style fill solid 0.8' 'set grid ytics' 'set key outside' "set datafile separator ','" "$3" | gnuplot
}
# Engines by set, as ratios: to the loop limit_jump where it was measured, else to A*.
bars() { # csv, name, title, engine with landmarks
    awk -F, -v aimed="$4" 'NR > 1 {us[$1, $3] += $6; if (!($1 in seen)) {seen[$1] = 1; sets[++n] = $1}; loop = loop || $3 == "limit_jump"}
        END {
            base = loop ? "limit_jump" : "astar"
            for (i = 1; i <= n; i++)
                printf "%s,%.4f,%.4f,%.4f,%.4f,%s\n", sets[i], us[sets[i], "astar"] / us[sets[i], base],
                    us[sets[i], "jump"] / us[sets[i], base], us[sets[i], aimed] / us[sets[i], base],
                    us[sets[i], last(sets[i])] / us[sets[i], base], base
        }
        function last(set) { return (set, "auto") in us ? "auto" : "jump" }' "$dir/$1.csv" >"$tmp"
    base=$(cut -d, -f6 "$tmp" | head -n 1)
    draw "$2" "$3, time against $base" "set style data histogram; set logscale y; set boxwidth 0.9
        plot 1 notitle lc 'grey', '$tmp' using 2:xtic(1) title 'A*', '' using 3 title 'jump', '' using 4 title '$4', '' using 5 title 'auto'"
}
bars table engines 'Engines, bare' jump+4
bars edited edited 'Engines after 1,000 edits, bare' 'jump+4 kept'
draw frames 'Three thousand agents that ask in one frame, A*: what each frame costs' "set xlabel 'frame'; set ylabel 'us'; set y2label 'expansions'; set y2tics
    plot '$dir/frames.csv' using 1:2 every ::1 with impulses title 'us', '' using 1:3 every ::1 axes x1y2 with lines title 'expansions'"
spread() { # name, title, what: of the figures that come in, how many per cent are less
    sort -n | awk '{x[NR] = $1} END {for (i = 1; i <= NR; i++) print 100 * i / NR "," x[i]}' >"$tmp"
    draw "$1" "$2" "set xlabel '%'; set ylabel '$3'; set logscale y
        plot '$tmp' using 1:2 with lines lw 2 notitle"
}
awk -F, 'NR > 1 {print $2}' "$dir/frames.csv" | spread spread 'Three thousand agents that ask in one frame, A*: frames that cost less than' us
awk -F, '$1 == "done" {print $10}' "$dir/frames.log" | spread waits 'Three thousand agents that ask in one frame, A*: searches begin within' frames
if [ -f "$dir/jumps.csv" ]; then
    awk -F, 'NR > 1 && NF > 7 {print $1 " " $2 "," $6 "," $7}' "$dir/jumps.csv" >"$tmp"
    draw repair 'Jump tables: repair of one cell, us' "set style data histogram; set boxwidth 0.9; set xtics rotate by -30; set yrange [0:]
        plot '$tmp' using 2:xtic(1) title 'mean', '' using 3 title 'worst'"
fi
[ ! -f "$dir/race.svg" ] || cp "$dir/race.svg" "$plots/"
rm -f "$tmp"
echo "plots: $(ls "$plots" | tr '\n' ' ')in $plots" >&2
