#!/bin/sh
# SPDX-License-Identifier: MIT
# The rows of docs/performance.md's first table, goal, anchor, measured, command, as $WEND_BENCH_OUT/goals.md (bench-results).
# `make bench-report` runs it in the build folder. Rows whose needs are missing are left out: OLD=DIR, the build folder of an
# older wend, which takes turns with this one; MOVINGAI=DIR; FLOW=DIR, benchmark-lifelong of the public Guided-PIBT.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
dir=${WEND_BENCH_OUT:-bench-results}
begun=$(date +%s)
mkdir -p "$dir"
exec 3>"$dir/goals.md"
echo '| goal | anchor | measured | command |
|---|---|---|---|' >&3
row() { # goal, anchor, command, measured: nothing where that is empty
    echo "== $1: $4 ($(($(date +%s) - begun)) s)" >&2
    [ -z "$4" ] || printf '| %s | %s | %s | `%s` |\n' "$1" "$2" "$4" "$3" >&3
}
land() { # kind, side: a generated map's file
    [ -f "$dir/$1$2.tmp.map" ] || ./wend generate "$1" "$2x$2" --output "$dir/$1$2.tmp.map"
    echo "$dir/$1$2.tmp.map"
}
turns() { # command...: what it prints, here and in OLD by turns; the least of three each, and their ratio
    for turn in 1 2 3; do
        [ -z "${OLD:-}" ] || (cd "$OLD" && "$@") | sed 's/^/old /'
        "$@" | sed 's/^/new /'
    done | awk '{ if (!($1 in least) || $2 < least[$1]) least[$1] = $2 }
        END { printf "%s", least["new"]; if ("old" in least) printf " (%.2f)", least["new"] / least["old"] }'
}
figure() { # pattern of a row, column, command...: a figure of its CSV
    pattern=$1 column=$2
    shift 2
    "$@" 2>/dev/null | awk -F, -v row="$pattern" -v column="$column" '
        { for (i = 1; i <= NF; i++) if ($i == column) { at = i; next } }
        at && $0 ~ row { print $at; exit }'
}

# ---- crowds ----
walk() { # agents, frames in which they ask: p50 and p99 of a frame and of stands
    ./wend stress "$(land caves 2048)" --walk --agents "$1" --frames "$2" --landmarks 4 --json >"$dir/walk.tmp" || :
    for what in frame_cpu_us stuck_frames; do
        sed -n "s/.*\"$what\":{\"p50\":\([0-9]*\),\"p99\":\([0-9]*\).*/\1, \2/p" "$dir/walk.tmp"
    done | paste -sd ';' | sed 's/;/ µs; /; s/$/ updates/'
}
row '10,000 walkers, caves 2048²: a frame; stands (p50, p99)' '≤ .38, .34 of 8.6 ms; ≤ 5 in the median' \
    'wend stress caves2048.map --walk --agents 10000' "$(walk 10000 100)"
row '20,000 walkers: the same' '-' 'wend stress caves2048.map --walk --agents 20000' "$(walk 20000 60)"
# Without the checks of wend stress, which take minutes here.
row '50,000 walkers, caves 2048²: an update, µs (÷ OLD)' '≤ 1.02' 'bench_walkers update' \
    "$(turns figure '^an update' median_us ./bench_walkers update)"
row 'a body and update' '≤ 1 µs' 'bench_bodies open 800 1' "$(figure '^open 800,bodies' us ./bench_bodies open 800 1) µs"
if [ -n "${FLOW:-}" ]; then
    for of in ost003d_1_2000:4.11 room-64-64-8_1_500:1.90 sortation_small_1_400:7.69; do
        row "lifelong ${of%:*}: tasks a step" "PIBT ${of#*:}" "bench_flow FLOW 1000 ${of%:*}" \
            "$(figure "^${of%:*}" tasks_a_step ./bench_flow "$FLOW" 1000 "${of%:*}")"
    done
fi

# ---- time ----
./bench_bounds '1 ms' >"$dir/bounds.tmp" || :
for call in tick update; do
    row "${call}s of 1 ms: p99; worst" '≤ 1.10, ≤ 2.5 ms' "bench_bounds '1 ms'" \
        "$(awk -F, -v call=$call '$(NF - 8) == call && $(NF - 5) == 1000 { if ($(NF - 3) > most) most = $(NF - 3)
            if ($(NF - 2) > worst) worst = $(NF - 2) } END { printf "%.2f; %.1f ms", most / 1000, worst / 1000 }' "$dir/bounds.tmp")"
done
row 'the dearest kind of expansion ÷ the mean of all' '≤ 4 (19–433 ns)' 'bench_expansions 200 2 caves512.map' \
    "$(./bench_expansions 200 2 "$here/../data/caves512.map" | awk -F, 'NF == 8 && $1 == "all" { n++; sum += $5; if ($5 > most) most = $5 }
        END { printf "%.1f", most * n / sum }')"

# ---- the door ----
if [ -x ./bench_paced ]; then
    ./bench_paced "$here/../data/caves512.map" ./wend >"$dir/paced.tmp" || :
    sed -n '/wend/p' "$dir/paced.tmp" | while IFS=, read -r _ goals rate each p50 p99 _; do
        row "10,000 line requests a second, $goals" '≤ 12 µs, p50 ≤ 5, p99 ≤ 15 ms; anywhere ≥ 9,900' \
            'bench_paced caves512.map wend' "$rate a second, $each µs, $p50 and $p99 ms"
    done
fi

# ---- maps that change, and large ones ----
row 'a changed chunk, published with tables, µs (÷ OLD)' '≤ .60' 'bench_edits caves512.map' \
    "$(turns figure ',16,' publish_tables_us ./bench_edits "$here/../data/caves512.map")"
for kind in caves city; do
    map=$(land $kind 8192)
    route() { ./bench_far 8192 40 "$map" 2>/dev/null | sed -n 's/.*: routes \([0-9]*\) us.*walked \([0-9.]*\),.*/\1 \2/p'; }
    row "far routes, generated $kind 8192²: µs; walked" '≤ .6 of 281 and 498; ≤ 1.010' "bench_far 8192 40 $kind.map" "$(route)"
done
script() { # how many units, what requests say of them: 20,000 random paths of the caves
    awk -v units="$1" -v says="$2" -v map="$here/../data/caves512.map" '
        NR > 4 { for (x = 1; x <= 512; x++) if (substr($0, x, 1) == ".") open[n++] = x - 1 "," NR - 5 }
        function cell() { return open[int(rand() * n)] }
        END { srand(3); print "map " map; for (i = 0; i < 100; i++) { at = cell(); if (i < units) print "occupy " at }
            for (i = 0; i < 20000; i++) print "request r" i, cell(), cell() says; print "drain" }' "$here/../data/caves512.map"
}
seconds() { # of processor time of a script, the least of three
    for turn in 1 2 3; do
        { time -p ./wend run "$1" --landmarks 4 --hash >"$dir/run.tmp"; } 2>&1 | sed -n 's/^user //p'
    done | sort -n | head -n 1
}
script 0 '' >"$dir/plain.tmp"
script 100 ' occupied=3000' >"$dir/priced.tmp"
row '100 units at a price ÷ none' '≤ 3.3 (4.2)' 'wend run' "$(echo "$(seconds "$dir/priced.tmp")" "$(seconds "$dir/plain.tmp")" |
    awk '{ printf "%.1f", $1 / $2 }')"
if [ -n "${MOVINGAI:-}" ]; then
    mkdir -p "$dir/bgmaps"
    cp "$MOVINGAI"/maps/bg512/*.map "$dir/bgmaps/"
    row 'short queries (bg512), µs' 'JPS2 5.45, JPS2+ 2.07' 'wend scen --bare' \
        "$(for scen in "$MOVINGAI"/scens/bg512/*.scen; do ./wend scen --maps "$dir" --bare --repeat 20 --json "$scen"; done |
            sed -n 's/.*"total".*"queries":\([0-9]*\).*"search_us":\([0-9.]*\).*/\1 \2/p' |
            awk '{ n += $1; sum += $2 } END { printf "%.2f", sum / n }')"
    plain() { ./bench_real "$MOVINGAI/maps/dao/orz900d.map" "$MOVINGAI/scens/dao/orz900d.map.scen" 100 plain | cut -d, -f9; }
    row 'plain paths, orz900d, µs (÷ OLD)' '≤ 1.02' 'bench_real' "$(turns plain)"
    rm -rf "$dir/bgmaps"
fi
rm -f "$dir"/*.tmp "$dir"/*.tmp.map
echo "report: $dir/goals.md, $(($(date +%s) - begun)) s" >&2
cat "$dir/goals.md"
