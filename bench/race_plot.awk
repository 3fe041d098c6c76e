# SPDX-License-Identifier: MIT
# race.csv as a picture (SVG): frames until the last agent is served, by map and program, medians of the turns.
BEGIN {
    FS = ","
    count = split("wend|Detour loop|Detour sliced|Detour dtPathQueue|libtcod loop", programs, "|")
    split("#1b7837|#2166ac|#67a9cf|#b2c9e0|#b35806", colours, "|")
    width = 900; left = 70; right = 20; high = 210; decades = 4; panel = 300; top = 70
}
NR == 1 { next }
{
    if (!($1 in seen)) { seen[$1] = 1; maps[++map_count] = $1 }
    frames[$1, $2, $6, ++runs[$1, $2, $6]] = $7
}
function median(key,    n, i, j, x, sorted) {
    n = runs[key]
    for (i = 1; i <= n; i++) sorted[i] = frames[key, i] + 0
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) { x = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = x }
    return n == 0 ? 0 : n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}
function text(x, y, anchor, size, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>\n", x, y, anchor, size, what
}
function rise(value) { return value < 1 ? 0 : log(value) / log(10) / decades * high }
function grid(base,    d, y) {
    for (d = 0; d <= decades; d++) {
        y = base - d * high / decades
        printf "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", left, y, width - right, y
        text(left - 8, y + 4, "end", 12, d == 4 ? "10,000" : d == 3 ? "1,000" : 10 ^ d)
    }
}
function bars(goals, base,    m, p, x, step, wide, value, tall) {
    step = (width - left - right) / map_count
    wide = step * 0.8 / count
    for (m = 1; m <= map_count; m++) {
        for (p = 1; p <= count; p++) {
            value = median(maps[m] SUBSEP goals SUBSEP programs[p])
            if (value == 0) continue
            x = left + (m - 1) * step + step * 0.1 + (p - 1) * wide
            tall = rise(value)
            printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, base - tall, wide - 2, tall, colours[p]
            text(x + (wide - 2) / 2, base - tall - 4, "middle", 10, sprintf("%.0f", value))
        }
        text(left + (m - 0.5) * step, base + 18, "middle", 12, maps[m])
    }
}
function draw(goals, title, y,    base) {
    base = y + 30 + high
    text(left, y + 14, "start", 14, title)
    grid(base)
    bars(goals, base)
    printf "<text transform=\"translate(18 %.1f) rotate(-90)\" text-anchor=\"middle\" font-size=\"12\">frames</text>\n", base - high / 2
}
END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n", \
        width, top + 2 * panel, width, top + 2 * panel
    printf "<title>Frames until the last of 1,010 agents is served</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
    text(left, 26, "start", 16, "1,000 agents ask in one frame: frames until the last is served (less is better)")
    for (p = 1; p <= count; p++) {
        printf "<rect x=\"%d\" y=\"42\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", left + (p - 1) * 150, colours[p]
        text(left + (p - 1) * 150 + 18, 53, "start", 13, programs[p])
    }
    draw("distinct", "A goal for each", top)
    draw("shared", "One goal for all", top + panel)
    print "</svg>"
}
