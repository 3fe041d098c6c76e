# SPDX-License-Identifier: MIT
# The table of `make bench-real`: for each row its time against the same queries asked plainly, as a geometric mean over maps;
# of expansions alike (for weights those of A*, by sums); means of microseconds and expansions; sums against the A* over arrays; the map on which `auto` is farthest behind.
function mean(sum, count) { return count ? sprintf("%.2f", exp(sum / count)) : "–" }
function shown(x) { return x < 10 ? sprintf("%.1f", x) : sprintf("%.0f", x) }
BEGIN { FS = "," }
NR == 1 { next }
{
    # A name in quotes may have a comma.
    if (match($0, /"[^"]*"/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2)
        rest = substr($0, RSTART + RLENGTH + 1)
    }
    n = split(rest, f, ",")
    if (f[1] == 0) next
    if (!(name in maps)) order[++rows] = name
    maps[name]++
    queries[name] += f[1]; none[name] += f[2]; wrong[name] += f[3]; jumps[name] += f[4]
    time_ratio[name] += log(f[7] / f[5])
    step_ratio[name] += log((f[8] + 1) / (f[6] + 1))
    plain_us[name] += f[5]; auto_us[name] += f[7]; array_us[name] += f[13]
    plain_steps[name] += f[6]; auto_steps[name] += f[8]
    astar_steps[name] += f[12]
    jump_us[name] += f[9]; jump_steps[name] += f[10]
    if (f[11] > 0) {
        best = f[9] < f[11] ? f[9] : f[11]
        if (f[7] / best > worst[name]) worst[name] = f[7] / best
    }
}
END {
    print "| asked | wrong | × plain, time | × plain, expansions | µs | expansions | by jump search | ÷ array A\\* | `auto` ÷ better, worst map |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= rows; i++) {
        name = order[i]
        q = queries[name]
        printf "| %s | %d | %s | %s | %s | %.0f | %.0f %% | %.3f | %s |\n", name, wrong[name],
            mean(time_ratio[name], maps[name]),
            (name ~ /^weight/ ? sprintf("%.2f", astar_steps[name] / plain_steps[name]) : mean(step_ratio[name], maps[name])), shown(auto_us[name] / q),
            auto_steps[name] / q, 100 * jumps[name] / q, auto_us[name] / array_us[name],
            ((name in worst) ? sprintf("%.2f", worst[name]) : "–")
    }
}
