#!/bin/sh
# SPDX-License-Identifier: MIT
# The CSV files of a run as one page, bench.md: to be pasted into docs/performance.md.
set -eu
here=$(dirname "$0")
dir=$WEND_BENCH_OUT
# A figure: file, a column, a pattern for the row. Looked for in the table whose header has that column.
pick() {
    [ ! -f "$dir/$1.csv" ] || awk -F, -v column="$2" -v row="$3" '
        { for (i = 1; i <= NF; i++) if ($i == column) { at = i; width = NF; next } }
        at && NF == width && $0 ~ row { print $at; exit }' "$dir/$1.csv"
}
line() { # text, figures: with a %s for each; left out where one is missing
    text=$1
    shift
    for figure do [ -n "$figure" ] || return 0; done
    # shellcheck disable=SC2059 # the texts are below
    printf "| $text |\n" "$@"
}
columns() { # pairs of a heading and a column of jumps.csv, with | between them: a row for each map that has all
    awk -F, -v pairs="$(printf '%s|' "$@")" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
                  n = split(pairs, pair, "|") - 1
                  head = "| map |"; rule = "|---|"
                  for (i = 1; i < n; i += 2) { head = head " " pair[i] " |"; rule = rule "---|" }
                  print head "\n" rule; next }
        { line = "| " $1 ", " $2 " × " $3 " |"; whole = 1
          for (i = 2; i <= n; i += 2) { line = line " " $at[pair[i]] " |"; if ($at[pair[i]] == "") whole = 0 }
          if (whole) print line }' "$dir/jumps.csv"
}
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
cc=$(sed -n 's/^CC = //p' Makefile) cflags=$(sed -n 's/^WEND_CFLAGS = \(-O[^ ]*\) .*/\1/p' Makefile)\ $(sed -n 's/^CFLAGS = //p' Makefile)
{
    maps='generated maps'
    [ -z "${MOVINGAI:-}" ] || maps='the MovingAI benchmarks'
    echo "Measured with \`make bench\` on ${cpu:-an unknown processor}, $(getconf _NPROCESSORS_ONLN) processors," \
        "$($cc --version | head -n 1), \`$cflags\`, on $maps."
    printf '\n### Engines\n'
    awk -f "$here/table.awk" "$dir/table.csv"
    printf '\n### What a counted expansion takes\n'
    awk -v count=1 -f "$here/table.awk" "$dir/table.csv"
    printf '\n### Compared with Detour and libtcod, µs a path\n'
    awk -f "$here/peers.awk" "$dir/peers.csv"
    printf '\n### Service, threads, edits\n| what | figure |\n|---|---|\n'
    line 'one A\* search in slices of 64 (1,000) against one piece, instructions | × %s (× %s)' \
        "$(pick slicing ratio '^astar,64,')" "$(pick slicing ratio '^astar,1000,')"
    line 'one jump search likewise | × %s (× %s)' \
        "$(pick slicing ratio '^jump,64,')" "$(pick slicing ratio '^jump,1000,')"
    line 'service over bare searches: 1 lane; 4 lanes in frames of 20,000 | × %s; × %s' \
        "$(pick service ratio_to_bare '^1,1000,')" "$(pick service ratio_to_bare '^4,1000,20000,')"
    line 'long A\* searches, time an expansion over bare ones: 1 lane; 4 lanes | × %s; × %s' \
        "$(pick service median_ratio_served '^1,')" "$(pick service median_ratio_served '^4,')"
    line 'the same with 100,000 requests waiting behind them | × %s; × %s' \
        "$(pick service median_ratio_with_waiting '^1,')" "$(pick service median_ratio_with_waiting '^4,')"
    line 'expansions of these 400 searches, over bare ones | × %s; × %s' \
        "$(pick service expansions_to_bare_with_waiting '^1,')" "$(pick service expansions_to_bare_with_waiting '^4,')"
    line 'interleaving: 8 lanes; 16 lanes in frames of 20,000 | × %s; × %s' \
        "$(pick service ratio_to_bare '^8,')" "$(pick service ratio_to_bare '^16,')"
    line 'a request that needs no search, %s queued: all of it, and beyond what the answer takes alone | %s ns; %s ns' \
        "$(pick service queued '^[^,]*,')" "$(pick service in_all_ns '^[^,]*,')" "$(pick service overhead_ns '^[^,]*,')"
    line 'a request for a goal that cannot be reached | %s µs' "$(pick service us_each '^[0-9]')"
    line 'long A\* searches with 1 worker | × %s, on %s processors (alone: %s)' "$(pick workers speed_up '^"long",1,')" \
        "$(pick workers processors '^"long",1,')" "$(pick workers processors '^"long",0,')"
    line 'short jump searches with 1 worker | × %s, on %s processors (alone: %s)' \
        "$(pick workers speed_up '^"short jump",1,')" "$(pick workers processors '^"short jump",1,')" \
        "$(pick workers processors '^"short jump",0,')"
    for ground in rooms random-20; do
        line "publish one cell, 2,048 × 2,048, $ground, no jump tables | %s µs" \
            "$(pick edits median "^1000 publishes of one cell,$ground,")"
    done
    for graph in 100000 1000000; do
        [ ! -f "$dir/graphs.csv" ] || awk -F, -v graph=$graph.gr '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "us_a_query") at = i; next }
            $1 == graph { text = text (text ? ", " : "") $2 " " $at " µs" }
            END { if (text) printf "| a search on %s | %s |\n", graph, text }' "$dir/graphs.csv"
    done
    line 'frames of 20,000 expansions, 64 searches waiting | %s µs in the median, %s at 99 %%, %s at most' \
        "$(pick service us_p50 '^1000,')" "$(pick service us_p99 '^1000,')" "$(pick service us_max '^1000,')"
    if [ -f "$dir/jumps.csv" ]; then
        printf '\n### Jump tables: making them, and a cell that changes\n'
        columns 'making, ms|making_ms|bytes a cell|bytes_per_cell|repair µs: first|repair_us|worst|repair_worst_us' \
            'steady|repair_steady_us|system|repair_system_us|publish µs without tables|publish_without_us' \
            'with|publish_with_us|worst|publish_with_worst_us|pruning a chunk, µs|pruning_us_per_chunk'
    fi
} >"$dir/bench.md"
echo "report: $dir/bench.md" >&2
cat "$dir/bench.md"
