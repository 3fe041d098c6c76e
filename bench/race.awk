# SPDX-License-Identifier: MIT
# race.csv as Markdown: medians of the turns, by map and program.
BEGIN {
    FS = ","
    count = split("wend|Detour loop|Detour sliced|Detour dtPathQueue|libtcod loop", programs, "|")
    split("frames|longest|urgent|found", figures, "|")
}
NR == 1 { next }
{
    key = $1 SUBSEP $2
    if (!($1 in seen)) { seen[$1] = 1; maps[++map_count] = $1 }
    if ($5 > turns) turns = $5
    frame_us[key] = $3
    tile[key] = $4
    n = ++runs[key, $6]
    for (i = 1; i <= 4; i++) value[key, $6, figures[i], n] = i < 4 ? $(6 + i) : $11
}
function median(key, program, figure,    n, i, j, x, sorted) {
    n = runs[key, program]
    if (n == 0) return ""
    for (i = 1; i <= n; i++) sorted[i] = value[key, program, figure, i] + 0
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) { x = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = x }
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}
# The arrangement of Detour that serves the last agent first; "" without Detour.
function best_of(key,    p, best) {
    best = ""
    for (p = 2; p <= 4; p++)
        if (runs[key, programs[p]] > 0 && (best == "" || median(key, programs[p], "frames") < median(key, best, "frames")))
            best = programs[p]
    return best
}
function head(first, last,    p) {
    printf "| map %s", first
    for (p = 1; p <= count; p++) printf "| %s ", programs[p]
    print "|" last
    printf "|---|%s", first == "" ? "" : "---|---|"
    for (p = 1; p <= count; p++) printf "---|"
    print last == "" ? "" : "---|"
}
function row(key, figure, shown,    p, x) {
    for (p = 1; p <= count; p++) {
        x = median(key, programs[p], figure)
        shown = shown sprintf(" %s |", x == "" ? "–" : sprintf("%.0f", x))
    }
    return shown
}
function tables(goals, title,    m, key, best, ratio, sum, n) {
    printf "\n## %s\n\nFrames until the last agent is served:\n\n", title
    head("| µs a frame | side of a tile ", " wend ÷ best of Detour |")
    for (m = 1; m <= map_count; m++) {
        key = maps[m] SUBSEP goals
        best = best_of(key)
        printf "| %s | %d | %s |%s", maps[m], frame_us[key], tile[key] ? tile[key] : "–", row(key, "frames")
        if (best == "") { print " – |"; continue }
        ratio = median(key, "wend", "frames") / median(key, best, "frames")
        printf " %.3f |\n", ratio
        sum += log(ratio)
        n++
        if (median(key, best, "frames") < 400) few = few sprintf("\nToo much time a frame on %s (%s): Detour needed fewer than 400.", maps[m], goals)
    }
    if (n > 0) printf "\nGeometric mean of the ratios: %.3f\n", exp(sum / n)
    printf "\nFrames until the last of the ten urgent requests is served (1: in the frame in which it came):\n\n"
    head("", "")
    for (m = 1; m <= map_count; m++) print "| " maps[m] " |" row(maps[m] SUBSEP goals, "urgent")
}
function lost(    k, part, m, p, g, found, text) {
    for (m = 1; m <= map_count; m++)
        for (g = 1; g <= 2; g++)
            for (p = 1; p <= count; p++) {
                found = median(maps[m] SUBSEP (g == 1 ? "distinct" : "shared"), programs[p], "found")
                if (found != "" && found < 1010)
                    text = text sprintf("\n%s found %d of 1,010 paths on %s (%s).", programs[p], found, maps[m], g == 1 ? "distinct" : "shared")
            }
    if (text != "") print text
}
END {
    printf "# The race\n\nMade by `make bench-race`. [performance.md](../performance.md#the-race) states what it is.\n"
    printf "Medians of %d turns; libtcod ran once.\n", turns
    tables("distinct", "A thousand distinct goals")
    tables("shared", "One goal for all")
    lost()
    if (few != "") print few
}
