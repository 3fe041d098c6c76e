# SPDX-License-Identifier: MIT
# peers.csv as Markdown: µs a path by map, and how many times wend's the others take.
BEGIN { FS = "," }
NR == 1 { next }
{
    if (!($1 in seen)) { seen[$1] = 1; maps[++map_count] = $1 }
    if (!($2 in known)) { known[$2] = 1; programs[++count] = $2 }
    us[$1, $2] = $5
    if ($4 < $3) lost[$1, $2] = sprintf(" (%d of %d found)", $4, $3)
}
END {
    printf "| |"
    for (m = 1; m <= map_count; m++) printf " %s |", maps[m]
    printf "\n|---|"
    for (m = 1; m <= map_count; m++) printf "---|"
    print ""
    for (p = 1; p <= count; p++) {
        printf "| %s |", programs[p]
        for (m = 1; m <= map_count; m++) {
            x = us[maps[m], programs[p]]
            printf " %s%s |", (x == "" ? "–" : (x >= 100 ? sprintf("%.0f", x) : sprintf("%.1f", x))), lost[maps[m], programs[p]]
        }
        print ""
    }
    base = "wend auto through the service"
    for (p = 1; p <= count; p++) {
        if (programs[p] ~ /^wend/) continue
        printf "| %s ÷ %s |", programs[p], base
        for (m = 1; m <= map_count; m++)
            printf " %s |", (us[maps[m], base] ? sprintf("%.1f", us[maps[m], programs[p]] / us[maps[m], base]) : "–")
        print ""
    }
}
