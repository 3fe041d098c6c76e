#!/bin/sh
# SPDX-License-Identifier: MIT
# Which tests belong to which sources. The targets check-core, check-fast, check-crowd, check-server, check-lab and
# check-touched of make run what this script prints: names of programs and scripts, a line each.
#
#   touched.sh group NAME    the tests of the rooms and packages of a group: core, fast, crowd, server or lab
#   touched.sh of FILE...    the tests of these files; a file without any is named on standard error, and the status is 1
#   touched.sh changed       the tests of the files that differ from BASE, as far as tests are known
#
# BASE is a commit. By default it is where this branch left main; or, if HEAD is on main, HEAD where files differ from it,
# and the commit before HEAD elsewhere. A name with a plus is a program that a test starts: it is built, and not run.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99

# Sources, their group (- for none), their tests. The row with the longest folder decides.
rooms() {
    cat <<'ROWS'
include/wend         core    test_detail test_limits check_exact tests/repo/headers.sh tests/repo/limits.sh tests/bindings/api.sh
src/base             core    test_base test_detail check_exact stress_threads
src/mark             core    test_mark check_rewind check_pairs
src/base/system      core    test_base test_io test_mark failing_files check_exact stress_threads tests/server/run/killed.sh
src/orders           core    test_orders tests/cli/help.sh
src/map              core    test_map test_detail check_exact stress_map
src/search           core    test_search test_detail check_exact
src/service          core    test_service test_detail check_exact stress_threads stress_calls stress_storm
src/io               core    test_io test_detail
src/field            core    test_field test_detail
src/fast             fast    test_map test_search check_exact stress_jumps tests/cli/engines.sh
src/fast/jump        fast    test_search check_exact tests/cli/engines.sh
src/fast/jump_stops  fast    test_search check_exact tests/cli/engines.sh
src/fast/routes      fast    test_search test_service check_exact
src/fast/tables      fast    test_map check_exact stress_jumps
src/fast/stops       fast    test_map check_exact stress_jumps
src/fast/landmarks   fast    test_map check_exact
src/fast/far         fast    test_map test_service check_exact stress_land
src/motion           crowd   test_motion test_detail stress_worlds stress_worlds_threads
src/agents           crowd   test_crowd test_body test_scenes test_traffic test_shows test_detail check_crowd check_bodies stress_crowd stress_day tests/crowd/npcs.sh tests/server/run/scripts.sh +check_npcs
src/agents/discs     crowd   test_body check_bodies test_crowd test_scenes tests/server/run/scripts.sh
src/agents/floor     crowd   test_body check_bodies test_crowd test_scenes tests/server/run/scripts.sh
src/save             crowd   test_save test_detail check_save check_accepted
src/recording        server  test_recording stress_record tests/server/run/record.sh
src/uv               -       test_uv test_uv_timer stress_uv starved_loop
src/cli/world        -       test_jams
src/cli              -       tests/cli/completions.sh tests/cli/explain.sh tests/cli/help.sh tests/cli/maps.sh tests/cli/packages.sh tests/cli/solve.sh tests/cli/tiled.sh
server               server  tests/cli/help.sh tests/server/run/scripts.sh test_serve_metrics
server/world         server  test_journal test_recording tests/server/run/scripts.sh tests/server/run/share.sh
server/script        server  test_journal tests/server/run/scripts.sh
server/diff          server  check_diff tests/server/run/diff.sh tests/server/run/diff_names.sh tests/server/run/diff_own.sh
server/film          server  tests/server/run/run_pictures.sh tests/server/run/scripts.sh
server/run           server  test_recording tests/server/run/scripts.sh tests/server/run/saves.sh tests/server/run/share.sh tests/server/run/record.sh
server/saves         server  check_diff tests/server/run/saves.sh
server/journal       server  test_journal tests/server/live/journal.sh
server/store         server  test_cluster tests/server/cluster/cluster.sh tests/server/cluster/log.sh
server/cluster       server  test_cluster tests/server/cluster/cluster.sh tests/server/cluster/example.sh
server/serve         server  tests/server/run/killed.sh test_serve_metrics tests/server/live/journal.sh tests/server/live/protocol.sh tests/server/live/soak.sh tests/server/live/starving.sh
server/output        server  test_serve_metrics
server/live          server  test_live test_orders tests/server/live/protocol.sh
server/live/page     server  test_live tests/server/live/protocol.sh tests/server/live/browser.sh tests/repo/pictures.sh +horde
lab                  lab     test_generate test_plan test_scenario test_stress tests/lab/plan.sh tests/lab/scen.sh tests/lab/stress/tool.sh
lab/generate         lab     test_generate tests/lab/scen.sh
lab/oracle           lab     test_stress tests/lab/scen.sh tests/lab/stress/tool.sh tests/lab/stress/seams.sh +stress_broken
lab/loads            lab     test_stress tests/lab/stress/tool.sh
lab/promises         lab     test_stress tests/lab/stress/tool.sh tests/lab/stress/tool_broken.sh +stress_broken
lab/run              lab     test_stress tests/lab/stress/tool.sh tests/lab/stress/tool_delayed.sh +stress_delayed
lab/plan             lab     test_plan tests/lab/plan.sh
lab/scen             lab     tests/lab/scen.sh test_scenario
extra                -       test_extra starved hostile_files tests/extra/tiled_maps.sh tests/cli/tiled.sh
ground               -       test_ground test_obj starved_ground tests/cli/ground.sh tests/cli/town.sh
extra/pictures       -       test_extra starved tests/server/run/run_pictures.sh tests/repo/pictures.sh +horde
examples             -       tests/repo/examples.sh tests/repo/pictures.sh
examples/love        -       tests/hosts/love.sh
examples/luanti      -       tests/hosts/luanti.sh
docs                 -       tests/repo/documents.sh tests/repo/migration.sh tests/repo/figures.sh tests/repo/readme.sh tests/repo/pictures.sh tests/cli/help.sh tests/cli/town.sh +horde
bindings             -       tests/bindings/api.sh tests/bindings/clients.sh tests/bindings/cpp.sh tests/bindings/python.sh
bindings/luajit      -       tests/bindings/luajit.sh tests/hosts/love.sh tests/hosts/luanti.sh
bindings/single      -       tests/repo/amalgamation.sh
tests/hosts          -       tests/hosts/love.sh tests/hosts/luanti.sh tests/hosts/sdl.sh
tests/models         -       check_exact test_search test_service
tests/exact          -       check_exact
tests/pairs          -       check_pairs check_rewind tests/pairs/lines.sh
tests/mark           -       test_mark check_rewind
tests/limits         -       test_limits
tests/crowd          -       test_crowd test_scenes test_traffic test_shows check_crowd
tests/body           -       test_body check_bodies
tests/detail         -       test_detail
tests/stress         -       stress_map stress_land starved_world failing_files hostile_files starved_journal starved_run stress_jumps stress_threads stress_calls stress_crowd stress_storm stress_worlds
ROWS
}

# The tests of all files that standard input names, once each. Files without tests are named on standard error.
all_of() {
    { rooms; echo; cat; } | awk '
        NF == 0 { files = 1; next }
        !files { row[$1] = $0; next }
        /^tests\/.*\.sh$/ && !/\/lib\.sh$/ { if (!seen[$0]++) print; next } # a script is its own test
        {
            found = place = ""
            n = split($0, part, "/")
            if (part[1] == "tests") { # a row of its own, or a folder named after the sources that it tests
                split("tests/" part[2] " src/" part[2] " " part[2] "/" part[3] " " part[2], at, " ")
                for (i = 1; i <= 4 && found == ""; i++) if (at[i] in row) found = row[at[i]]
            } else if (/\.md$/)
                found = row["docs"]
            else
                for (i = 1; i < n; i++) {
                    place = place (i > 1 ? "/" : "") part[i]
                    if (place in row) found = row[place]
                }
            if (found == "") { print "touched: no test is known for " $0 >"/dev/stderr"; unknown = 1 }
            n = split(found, word, " ")
            for (i = 3; i <= n; i++) if (!seen[word[i]]++) print word[i]
        }
        END { exit unknown }'
}

changed_files() {
    base=${BASE:-}
    if [ -z "$base" ]; then
        base=$(git merge-base HEAD main 2>/dev/null) || base=$(git rev-parse HEAD) || exit 99
        if [ "$base" = "$(git rev-parse HEAD)" ] && git diff --quiet HEAD -- && [ -z "$(git ls-files -o --exclude-standard)" ]; then
            base=HEAD~
        fi
    fi
    { git diff --name-only --no-renames "$base" -- || exit 99; git ls-files -o --exclude-standard; } | sort -u
}

case ${1:-} in
group)
    rooms | awk -v group="$2" '$2 == group { found = 1; for (i = 3; i <= NF; i++) if (!seen[$i]++) print $i } END { exit !found }' ||
        { echo "touched: no group $2" >&2; exit 2; }
    ;;
of)
    shift
    for file; do echo "$file"; done | all_of
    ;;
changed)
    changed_files | all_of
    true
    ;;
*)
    sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
