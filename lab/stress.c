/* SPDX-License-Identifier: MIT */
/* wend stress: many agents that ask for paths frame after frame, measured, and the service's promises checked. */

#include <stdio.h>
#include <string.h>

#include "cli/world/world.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "report/report.h"
#include "shared/messages.h"
#include "lab_version.h"

enum { DEFAULT_BUDGET = 20000, BUDGET_A_WALKER = 8, DEFAULT_AGENTS = 1000, DEFAULT_FRAMES = 300, UNITS_WITHIN = 32 };
#define NOT_GIVEN UINT64_MAX
enum { PICTURE_TRACKS = 4096 }; /* agents with paths in a picture */

/* The files of a run: opened before it, closed after it. */
enum { LOG, CSV, TRACE, RECORD, FILE_COUNT };

typedef struct command {
    lab_settings lab;
    cli_rules rules;
    const char *map_name, *scenario, *output, *names[FILE_COUNT];
    wend__replacement files[FILE_COUNT], picture; /* picture: where --output names it */
    int32_t draw;
    bool json;
} command;

static const char details[] = "The map is of any kind: a flat grid, voxels or a graph, with links and closed\n"
                              "steps. Each agent has at most one request pending. It asks for a path, is\n"
                              "answered, waits 20 to 60 frames, and asks again from where it arrived. After\n"
                              "--frames no agent asks any more; frames go on, and are counted, until all\n"
                              "requests are answered. One agent in a hundred is far more urgent than the\n"
                              "others. A checker with its own copy of the map and its own Dijkstra compares\n"
                              "every completion and every frame with what the library promises.\n"
                              "\n"
                              "Scenarios:\n"
                              "  even           each agent asks at its own time, mostly for goals nearby (the\n"
                              "                 default)\n"
                              "  bursts         all agents ask in the same frame, every 100 frames\n"
                              "  urgent-stream  like even, but urgent agents ask again in the next frame\n"
                              "  crowded        like bursts, with a queue for a quarter of the agents: the\n"
                              "                 others are refused and try again\n"
                              "  far            all goals lie anywhere on the map\n"
                              "  tight          a fifth of the goals lie anywhere; memory for little more than\n"
                              "                 one complete search\n"
                              "  walls          a tenth of the goals lie anywhere; edits are whole walls, which\n"
                              "                 fall or rise, 10 cells a frame by default; 3 versions of the\n"
                              "                 map and 2 restarts a request\n"
                              "  rivals         like even, with waits of 1 to 20 frames and a fifth of the\n"
                              "                 goals anywhere; every two agents share a number, so that the\n"
                              "                 newer request replaces the older one\n"
                              "  crowd          like even, with --walk and 2,000 agents\n"
                              "\n"
                              "Scenarios with promises of their own; the run ends with exit 1 if one is broken:\n"
                              "  burst          all agents ask in one frame, for goals anywhere. The last is\n"
                              "                 answered one frame after all expansions fit into the budget, at\n"
                              "                 the latest\n"
                              "  horde          all ask for a path to one cell, every 100 frames, of a service\n"
                              "                 that shares searches. Each cost is that of one flood from that\n"
                              "                 cell. 500 requests or more take together a fifth more\n"
                              "                 expansions than lone searches or that flood at most, whichever\n"
                              "                 is less\n"
                              "  siege          whole walls fall and rise every 20 frames, 400 cells each time\n"
                              "                 by default. A request is searched again at most once for each\n"
                              "                 fall and each eviction\n"
                              "  islands        30 % of the goals cannot be reached. They are answered in the\n"
                              "                 next frame without an expansion; the others begin at most one\n"
                              "                 frame later than in a second service that does not get the\n"
                              "                 impossible requests\n"
                              "  clicks         every agent asks each 10 frames, and cancels its older request.\n"
                              "                 In every hundredth frame all requests are cancelled and none\n"
                              "                 comes: that frame expands nothing\n"
                              "  pursuit        the goal of each pending request moves each 5 frames. Paths\n"
                              "                 lead to the newest\n"
                              "  overload       10 times as many ask as were answered; 1 % of them are urgent;\n"
                              "                 the queue holds a tenth of 10,000 agents; 3,600 frames. At\n"
                              "                 least 99 % of the budget are spent; the service's bytes stay\n"
                              "                 the same. Urgent ones rush: while they are pending, the others\n"
                              "                 have the fair lane only. 99 of 100 of those that fit into a\n"
                              "                 frame begin in the next. Each takes at most 1 + E / (7/8 of the\n"
                              "                 budget) frames; E is the sum of the expansions of all urgent\n"
                              "                 requests pending with it and of one lane's turn\n"
                              "In these scenarios, with a budget in expansions, nobody waits longer than all\n"
                              "requests before it take at an eighth of the budget: the share of the lane that\n"
                              "serves the oldest. Where requests share searches, what younger ones pay for a\n"
                              "common search counts too.\n"
                              "\n"
                              "--edits changes N cells before each frame, as one batch. An open cell is blocked\n"
                              "or becomes slow ground, a blocked cell opens, and each is restored 5 to 60\n"
                              "frames later. Where the map has links or closed steps, one change in four\n"
                              "removes a link, doubles its cost, or opens a closed step. A cell with an agent\n"
                              "on it is never changed. One agent in ten takes what is left of its path where\n"
                              "the map has changed (on_stale); the others are searched again. The checker\n"
                              "compares a path with the terrain at hand-over, and its cost with the best on the\n"
                              "terrain that was searched.\n"
                              "With --same-goal an agent that arrived goes home before it asks again.\n"
                              "\n"
                              "With --walk the agents are a crowd: each walks to its goal, waits, and walks on;\n"
                              "nobody else wants that cell. --edits looks at N doors in each frame: cells\n"
                              "between two walls, on a graph nodes with two edges out. They close, unless that\n"
                              "parts their sides, and open 40 to 120 frames later. A checker compares each\n"
                              "agent's cell and place in each frame with its own copy of the terrain.\n"
                              "time_ratio and distance_ratio compare arrivals with the time and the way of a\n"
                              "walker alone; stuck_frames is the longest stand of each goal. A warning names\n"
                              "the budget that serves where the median of those is above 5 frames for want of\n"
                              "paths. Nobody is left behind: frames in which no other agent is within 3 cells\n"
                              "of an agent, and no search of its own is pending, are at most 3 times those of\n"
                              "a walker alone, and 400 (not checked with --edits, on graphs and sheets).\n"
                              "\n"
                              "--log, --csv, --trace and --draw tell of agents that walk, too: their goals and\n"
                              "ways.\n"
                              "\n"
                              "--trace shows threads, lanes, slices, phases and completions on a time axis:\n"
                              "open the file in ui.perfetto.dev. --csv is for plots; wend's docs/plots.md has\n"
                              "commands. --log has no times, so two runs can be compared. With --draw and no\n"
                              "--output the picture goes to standard output and the table to standard error.\n"
                              "\n"
                              "The table and the JSON: frame_us is the time of a frame with the edits before it\n"
                              "(with --walk, with the crowd's step), tick_us that of its tick, crowd_us that of\n"
                              "the step; frame_cpu_us, tick_cpu_us and crowd_cpu_us are processor time, of all\n"
                              "threads; edit_us the time of one batch of edits. wait_frames counts the frames\n"
                              "until a search begins, latency_frames until the answer, urgent_… for the most\n"
                              "urgent 1 %. path_cells and path_expansions are of the paths found.\n"
                              "Other keys: agents, frames, asking_frames, scenario, accepted, busy,\n"
                              "urgent_busy, completed, statuses, expansions, budget, budget_us,\n"
                              "max_frame_expansions, rounds, evictions, service_bytes,\n"
                              "allocations_after_create, map_bytes_peak, edits, epochs, checks, outdated,\n"
                              "retired, shared (answers by shared searches), worker_slices (slices run by the\n"
                              "thread that ticks, then by each worker), promises (how often each was checked\n"
                              "and found broken), urgency_bands (requests, and p50, p99 and maximum of their\n"
                              "waits; band 4: above 600), engines (answers and expansions of each), work\n"
                              "(expansions and microseconds of grid_astar, grid_jump, stop_jump, general_astar\n"
                              "and field: those of one kind may take ten times as long as those of another),\n"
                              "general (answers of the general A*, by the reason why no faster engine gave\n"
                              "them), violations (all that were broken), hash (over all completions).\n"
                              "Exit status: 0 no promise was broken; 1 one was; 2 bad usage or input.";

static int parse(int argc, char **argv, command *out) {
    lab_settings *lab = &out->lab;
    int32_t verbose = 0;
    wend_service_tuning tuning;
    wend_service_tuning_init(&tuning, sizeof tuning);
    const cli_option options[] = {
        {"agents", CLI_GIVEN, &lab->agents, "N", 1, 1000000, DEFAULT_AGENTS,
         "how many agents; crowd: 2000, overload: 10000"},
        {"frames", CLI_GIVEN, &lab->frames, "N", 1, 1000000000, DEFAULT_FRAMES,
         "frames in which they ask; burst: 1, overload: 3600"},
        {"budget", CLI_GIVEN, &lab->budget, "N", 1, UINT64_MAX - 1, DEFAULT_BUDGET,
         "expansions of a frame; with --walk 8 for each agent, if that is more"},
        {"budget-us", CLI_GIVEN, &lab->budget_us, "N", 1, 1000000000, CLI_NONE,
         "microseconds of a frame, instead of --budget"},
        {"workers", CLI_NUMBER, &lab->workers, "N", 0, 64, 0, "threads that search with the ticking one"},
        {"lanes", CLI_GIVEN, &lab->lanes, "N", 1, 64, tuning.lanes, "searches that take turns in a round"},
        {"slice", CLI_GIVEN, &lab->slice, "N", 1, UINT32_MAX, tuning.slice, "expansions of a lane in a round"},
        {"seed", CLI_NUMBER, &lab->seed, "N", 0, UINT64_MAX, 1, "seed of the agents' goals"},
        {"engine", CLI_CHOICE, &out->rules.engine, CLI_ENGINES, 0, 0, 0,
         "which search; A* where jump search cannot serve"},
        {"landmarks", CLI_NUMBER, &lab->landmarks, "N", 0, WEND_MAX_LANDMARKS, 0,
         "landmarks made for jump search before the first frame"},
        {"neighbours", CLI_CHOICE, &out->rules.neighbours, CLI_NEIGHBOURS, 0, 0, 0,
         "steps from a cell: 4, 6 (hexagons) or 8"},
        {"corners", CLI_CHOICE, &out->rules.corners, CLI_CORNERS, 0, 0, 0,
         "when a diagonal step past a blocked cell is allowed"},
        {"cost", CLI_TEXT, &out->rules.cost, "S,D[,T]", 0, 0, 0, "costs of a straight and a diagonal step"},
        {"edits", CLI_GIVEN, &lab->edits, "N", 0, 1000000, 0, "cells changed in each frame, and restored later"},
        {"cancels", CLI_NUMBER, &lab->cancels, "N", 0, 1000000, 0, "requests cancelled in each frame"},
        {"unreachable", CLI_GIVEN, &lab->unreachable, "PERCENT", 0, 100, 0,
         "share of goals that cannot be reached; islands: 30"},
        {"same-goal", CLI_GIVEN, &lab->same_goal, "PERCENT", 0, 100, 0,
         "share of goals that are one and the same cell; horde: 100"},
        {"scenario", CLI_TEXT, &out->scenario, "NAME", 0, 0, 0, "how the agents behave, see below; default even"},
        {"log", CLI_TEXT, &out->names[LOG], "FILE", 0, 0, 0, "write a line for each completion and each frame"},
        {"trace", CLI_TEXT, &out->names[TRACE], "FILE", 0, 0, 0, "write Chrome trace events, for Perfetto"},
        {"csv", CLI_TEXT, &out->names[CSV], "FILE", 0, 0, 0, "write the figures of each frame"},
        {"record", CLI_TEXT, &out->names[RECORD], "FILE", 0, 0, 0,
         "write the run as a script; wend run FILE --hash ends with the same hash"},
        {"draw", CLI_CHOICE, &out->draw, CLI_DRAWS, 0, 0, 0, "a picture of the last path of each agent"},
        {"output", CLI_TEXT, &out->output, "FILE", 0, 0, 0, "write the picture there"},
        {"walk", CLI_FLAG, &lab->walk, NULL, 0, 0, 0, "the agents walk through a crowd, see below"},
        {"units-within", CLI_NUMBER, &lab->units_within, "N", 0, WEND_MAX_REACH, UNITS_WITHIN,
         "with --walk: searches avoid agents within N cells"},
        {"radius", CLI_DECIMAL_MILLI, &lab->radius_milli, "R", 0, WEND_MAX_RADIUS_MILLI, 0,
         "with --walk: agents are discs of that radius, from 0.1 cells; 0: they have none"},
        {"bodies", CLI_GIVEN, &lab->bodies_percent, "PERCENT", 0, 100, 100,
         "with --radius: share of the agents that are discs, mixed with the others"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, 0, "one JSON object instead of the table"},
        CLI_VERBOSE_OPTION(&verbose),
        CLI_READING_OPTIONS,
    };
    size_t words;
    int status =
        cli_parse(&cli_stress, options, sizeof options / sizeof options[0], argc, argv, &out->map_name, 1, &words);
    if (status) return status;
    cli_print_log(verbose);
    if (words == 0) return cli_fail("stress: which map? (see wend stress --help)");
    return CLI_DONE;
}

static void use_default(uint64_t *given, uint64_t of_scenario, uint64_t otherwise) {
    if (*given == NOT_GIVEN) *given = of_scenario > 0 ? of_scenario : otherwise;
}

static void use_defaults(lab_settings *given) {
    const stress_scenario *scenario = given->scenario;
    use_default(&given->agents, scenario->agents, DEFAULT_AGENTS);
    use_default(&given->frames, scenario->frames, DEFAULT_FRAMES);
    use_default(&given->unreachable, scenario->unreachable, 0);
    use_default(&given->same_goal, scenario->same_goal, 0);
    use_default(&given->edits, scenario->edits, 0);
    use_default(&given->bodies_percent, 0, 100);
    const uint64_t walkers = given->walk ? BUDGET_A_WALKER * given->agents : 0;
    if (given->budget == 0 && given->budget_us == 0)
        given->budget = walkers > DEFAULT_BUDGET ? walkers : DEFAULT_BUDGET;
}

/* Options that are about requests: agents that walk have goals, and the crowd makes their requests. */
static int check_walk(const lab_settings *given) {
    const struct {
        bool given;
        const char *name;
    } others[] = {
        {given->cancels > 0, "cancels"}, {given->unreachable > 0, "unreachable"}, {given->same_goal > 0, "same-goal"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return cli_fail("--walk takes no --%s: that is about requests of one's own, and a crowd makes them",
                            others[i].name);
    return CLI_DONE;
}

static int settle(command *given) {
    lab_settings *lab = &given->lab;
    lab->map_name = given->map_name;
    lab->engine = given->rules.engine;
    lab->scenario = stress_scenario_find(given->scenario);
    if (!lab->scenario)
        return cli_fail("there is no scenario '%s'; there are %s", given->scenario, stress_scenario_names);
    if (lab->budget > 0 && lab->budget_us > 0)
        return cli_fail("--budget and --budget-us exclude each other: a frame ends by one or the other");
    lab->walk = lab->walk || lab->scenario->crowd;
    if (lab->radius_milli > 0) lab->walk = true;
    if (lab->radius_milli == 0 && lab->bodies_percent != NOT_GIVEN)
        return cli_fail("--bodies is about discs: it needs --radius");
    use_defaults(lab);
    if (lab->walk && lab->scenario->load != LOAD_NONE)
        return cli_fail("--walk: the agents of scenario '%s' do not walk", given->scenario);
    const int status = lab->walk ? check_walk(lab) : CLI_DONE;
    if (status) return status;
    return cli_draw_check_options(&given->draw, given->output, given->json);
}

/* ---- files ---- */

static int open_files(command *given, const wend_map *map) {
    for (int i = 0; i < FILE_COUNT; i++) {
        if (!given->names[i]) continue;
        const int status = cli_output_open(&given->files[i], given->names[i]);
        if (status) return status;
    }
    given->lab.log = given->files[LOG].stream;
    given->lab.csv = given->files[CSV].stream;
    given->lab.trace = given->files[TRACE].stream;
    given->lab.record = given->files[RECORD].stream;
    if (given->draw == CLI_DRAW_NONE) return CLI_DONE;
    given->lab.tracks = PICTURE_TRACKS;
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    picture.map = map;
    return given->output ? cli_draw_open(&picture, given->draw, given->output, &given->picture) : CLI_DONE;
}

/* @return CLI_DONE, or the exit status of the last that could not be written */
static int close_files(command *given) {
    int status = CLI_DONE;
    for (int i = 0; i < FILE_COUNT; i++) {
        const int closed = given->files[i].stream ? cli_output_close(&given->files[i], given->names[i]) : CLI_DONE;
        if (closed) status = closed;
    }
    return status;
}

/* ---- the run ---- */

static int draw_tracks(command *given, const lab_run *run) {
    lab_picture made;
    int status = CLI_DONE;
    if (!lab_picture_open(run, &made))
        status = cli_fail("out of memory for the picture");
    else if (!given->picture.stream)
        status = cli_draw(&made.picture, given->draw, NULL, false);
    else
        status = cli_draw_to_file(&made.picture, given->draw, given->output, &given->picture);
    lab_picture_close(&made);
    return status;
}

static int report(command *given, lab_run *run) {
    const bool picture_on_stdout = given->draw != CLI_DRAW_NONE && !given->output;
    int status = given->draw != CLI_DRAW_NONE ? draw_tracks(given, run) : CLI_DONE;
    if (given->json)
        report_json(run);
    else
        report_table(run, picture_on_stdout ? stderr : stdout);
    if (status) return status; /* no picture, but what took long to find out is printed */
    return promises_broken(&run->promises) == 0 ? CLI_DONE : CLI_ANSWER_IS_NO;
}

static int run_map(command *given, const wend_map *map) {
    lab_run run;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    given->lab.rules = cli_map_rules(map);
    int status = cli_rules_apply(&given->rules, info.kind, &given->lab.rules);
    if (!status) status = open_files(given, map);
    if (status) return status;
    const bool good = lab_open(&run, &given->lab, map) && lab_go(&run);
    status = good ? close_files(given) : CLI_BAD_INPUT;
    if (!status) status = report(given, &run);
    lab_close(&run);
    return status;
}

static int stress(int argc, char **argv) {
    command given = {.lab = {.agents = NOT_GIVEN,
                             .frames = NOT_GIVEN,
                             .edits = NOT_GIVEN,
                             .unreachable = NOT_GIVEN,
                             .same_goal = NOT_GIVEN,
                             .bodies_percent = NOT_GIVEN},
                     .rules = {.neighbours = -1, .corners = -1},
                     .scenario = "even",
                     .draw = CLI_DRAW_NONE};
    cli_world world = {0};
    lab_set_program((lab_program){cli_progress, cli_progress_end});
    int status = parse(argc, argv, &given);
    if (!status) status = settle(&given);
    if (!status) status = cli_world_load(given.map_name, &world);
    if (!status) status = run_map(&given, world.map);
    for (int i = 0; i < FILE_COUNT; i++) cli_output_drop(&given.files[i]); /* where the run failed */
    cli_output_drop(&given.picture);
    cli_world_free(&world);
    return status;
}

const cli_command cli_stress = {
    .name = "stress",
    .usage = "MAP [OPTION]...",
    .summary = "run many agents: what frames cost, how long agents wait; checks",
    .details = details,
    .run = stress,
    .package = LAB_VERSION,
};
