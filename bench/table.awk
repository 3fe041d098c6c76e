# SPDX-License-Identifier: MIT
# table.csv or edited.csv (then with `edited` set) as Markdown: a row for each set and engine, and for all sets. Times are
# means over the maps, ratios to the loops geometric means of the maps' ratios. The loop of A* is limit_canonical, of plain
# A* limit_astar, of the others limit_jump. With `count` set: how honest the counting of expansions is; with `landmarks`: what they bring.
BEGIN { FS = "," }
NR == 1 { next }
{
    if (!($1 in seen)) { seen[$1] = 1; sets[++set_count] = $1 }
    if ($3 ~ /^limit_/) { loop[$1, $2, $3] = $6; next }
    if (!($3 in engine)) { engine[$3] = 1; engines[++engine_count] = $3 }
    maps[$1, $3]++
    map_of[$1, $3, maps[$1, $3]] = $2
    bare[$1, $2, $3] = $6; scen[$1, $2, $3] = $7; service[$1, $2, $3] = $8
    expansions[$1, $2, $3] = $5
    left[$1, $2, $3] = $10
    batch[$1, $2, $3] = $12
    if ($9 + 0 > most[$1, $3]) most[$1, $3] = $9 + 0
    if ($5 > 0) cost[$3, ++costs[$3]] = $6 * 1e3 / $5
    if ($5 > 0) cost_map[$3, costs[$3]] = $1 "/" $2
}
# The geometric mean of an engine's times to a loop's, over the maps of a set, or of all with "all".
function ratio(times, set, name, to, loops_times,    s, i, m, sum, n) {
    for (s = 1; s <= set_count; s++) {
        if (set != "all" && sets[s] != set) continue
        for (i = 1; i <= maps[sets[s], name]; i++) {
            m = map_of[sets[s], name, i]
            if (!loops_times[sets[s], m, to] || !times[sets[s], m, name]) continue
            sum += log(times[sets[s], m, name] / loops_times[sets[s], m, to]); n++
        }
    }
    return n ? exp(sum / n) : 0
}
function mean(what, set, name,    s, i, sum, n) {
    for (s = 1; s <= set_count; s++)
        if (set == "all" || sets[s] == set)
            for (i = 1; i <= maps[sets[s], name]; i++) { sum += what[sets[s], map_of[sets[s], name, i], name]; n++ }
    return n ? sum / n : 0
}
function number(x) { return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
function known(x) { return x ? number(x) : "–" }
function cell(times, set, name, to, loops_times,    r) {
    r = ratio(times, set, name, to, loops_times)
    return r ? sprintf(" %.2f |", r) : " – |"
}
function row(set, name,    e, own, s, high) {
    e = mean(expansions, set, name)
    for (s = 1; s <= set_count; s++)
        if ((set == "all" || sets[s] == set) && most[sets[s], name] > high) high = most[sets[s], name]
    printf "| %s | %s | %s |", set, name, number(mean(bare, set, name))
    if (!edited) printf " %s | %s |", known(mean(scen, set, name)), known(mean(service, set, name))
    printf " %s | %.1f | %.0f |", number(e), e ? mean(bare, set, name) * 1e3 / e : 0, high / 1024
    own = name == "astar plain" ? "limit_astar" : name == "astar" ? "limit_canonical" : "limit_jump"
    printf "%s", cell(bare, set, name, own, loop)
    if (!edited)
        printf "%s%s", cell(scen, set, name, own, loop), cell(service, set, name, own, loop)
    printf "%s", cell(bare, set, name, "limit_astar", loop)
    print edited ? sprintf(" %.1f | %s |", mean(left, set, name), number(mean(batch, set, name))) : ""
}
function table(    s, i) {
    print "| set | engine | µs bare |" (edited ? "" : " µs `--bare` | µs service |") " expansions | ns each | KiB at most |" \
        " ÷ its loop: bare |" (edited ? "" : " `--bare` | service |") \
        " ÷ limit_astar |" (edited ? " landmarks | µs a batch of ten edits |" : "")
    print "|---|---|---|" (edited ? "" : "---|---|") "---|---|---|---|" (edited ? "" : "---|---|") "---|" (edited ? "---|---|" : "")
    for (s = 1; s <= set_count; s++) for (i = 1; i <= engine_count; i++) # of each set those that differ most
        if (engines[i] == "astar" || engines[i] == "jump" || engines[i] == "auto") row(sets[s], engines[i])
    for (i = 1; i <= engine_count; i++) row("all", engines[i])
}
# The mean of auto's times on a set's maps; with `alike`, those of an engine where auto made just its searches: the same work
# was timed twice then, and a difference is the machine's.
function chosen(times, set, alike,    i, m, e, sum) {
    for (i = 1; i <= maps[set, "auto"]; i++) {
        m = map_of[set, "auto", i]
        e = !alike ? "auto" : expansions[set, m, "auto"] == expansions[set, m, "jump+4"] ? "jump+4" : \
            expansions[set, m, "auto"] == expansions[set, m, "astar"] ? "astar" : "auto"
        sum += times[set, m, e]
    }
    return sum / maps[set, "auto"]
}
# Auto against the better of the two it may take, and the worst set.
function worst_choice(times, alike,    s, a, b, worst, at, kind) {
    for (s = 1; s <= set_count; s++) {
        a = mean(times, sets[s], "astar"); b = mean(times, sets[s], "jump+4")
        kind = chosen(times, sets[s], alike) / (a < b ? a : b)
        if (kind > worst) { worst = kind; at = sets[s] }
    }
    return sprintf("%.3f × its time (%s)", worst, at)
}
function choices(alike) {
    printf "bare %s, `--bare` %s, through the service %s.\n", \
        worst_choice(bare, alike), worst_choice(scen, alike), worst_choice(service, alike)
}
function choice() {
    if (!("auto" in engine) || !("jump+4" in engine)) return
    printf "\nauto against the better of astar and jump+4, worst set: "; choices(0)
    printf "The same by the time of the engine whose searches it made, where it made just those: "; choices(1)
}
# The geometric mean of an engine's figures to those of jump without landmarks.
function gain(what, set, name) { return cell(what, set, name, "jump", what) }
function gains(    i, s, set, name, to) {
    print "| set | engine | ÷ jump without landmarks: expansions | bare |" (edited ? "" : " `--bare` | service |")
    print "|---|---|---|---|" (edited ? "" : "---|---|")
    for (s = 1; s <= set_count + 1; s++)
        for (i = 1; i <= engine_count; i++) {
            set = s > set_count ? "all" : sets[s]; name = engines[i]
            if (name !~ /^jump\+/) continue
            print "| " set " | " name " |" gain(expansions, set, name) gain(bare, set, name) \
                (edited ? "" : gain(scen, set, name) gain(service, set, name))
        }
}
function honesty(    i, k, j, n, name, x, m) {
    print "| engine | ns an expansion: median map | worst map | worst ÷ median |"
    print "|---|---|---|---|"
    for (i = 1; i <= engine_count; i++) {
        name = engines[i]; n = costs[name]
        for (k = 2; k <= n; k++)
            for (j = k; j > 1 && cost[name, j] < cost[name, j - 1]; j--) {
                x = cost[name, j]; cost[name, j] = cost[name, j - 1]; cost[name, j - 1] = x
                x = cost_map[name, j]; cost_map[name, j] = cost_map[name, j - 1]; cost_map[name, j - 1] = x
            }
        if (!n) continue
        m = n % 2 ? cost[name, (n + 1) / 2] : (cost[name, n / 2] + cost[name, n / 2 + 1]) / 2
        printf "| %s | %.1f | %.1f (%s) | %.2f |\n", name, m, cost[name, n], cost_map[name, n], cost[name, n] / m
    }
}
END {
    if (count) honesty()
    else if (landmarks) gains()
    else table()
    if (!count && !landmarks && !edited) choice()
}
