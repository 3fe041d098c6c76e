/* SPDX-License-Identifier: MIT */
/* wend stress: many agents that ask for paths frame after frame, measured, and the service's promises checked. */

#include <stdio.h>

#include "cli/shared/draw.h"
#include "cli/shared/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "cli/stress/stress.h"

enum { DEFAULT_BUDGET = 20000 };
#define NOT_GIVEN UINT64_MAX

static const char details[] =
    "Every agent has at most one request pending: it asks, is answered, waits 20 to 60 frames, asks again from where\n"
    "it arrived. After --frames nobody asks any more, and frames go on, and are counted, until all is answered. One\n"
    "agent in a hundred is far more urgent than the others. A copy of the terrain and code of its own check every\n"
    "completion and every frame; exit status 1 says that a promise was broken.\n"
    "\n"
    "Scenarios:\n"
    "  even           each agent asks at its own time, mostly for goals nearby (the default)\n"
    "  burst          all agents ask in one frame, every 100 frames\n"
    "  urgent-stream  as even, but the urgent ask again in the very next frame\n"
    "  crowded        as burst, with a queue for a quarter of the agents: the others are refused and try again\n"
    "  far            all goals lie anywhere on the map\n"
    "  tight          a fifth of the goals lie anywhere, with memory for little more than one complete search\n"
    "  walls          a tenth of the goals lie anywhere; the edits (10 cells a frame where not given) are whole "
    "walls:\n"
    "                 one falls, a street is blocked. Only 3 versions of the map, and 2 restarts a request\n"
    "\n"
    "--edits changes so many cells before each frame, as one batch: an open cell is blocked or becomes slow ground, a\n"
    "blocked one opens, and each is restored 5 to 60 frames later; never a cell on which an agent stands. One agent\n"
    "in ten takes what is left of its path where the map has changed (on_stale), the others are searched for again.\n"
    "An answer is held against the terrain as it is when it is handed over; that no path was better, against the\n"
    "terrain that was searched.\n"
    "\n"
    "--trace writes a line for each completion and each frame, without times, so that two runs can be compared; --csv\n"
    "the figures of each frame. With --draw and no --output the picture goes to standard output, the table to "
    "standard\n"
    "error. In the JSON, worker_slices has the slices (a lane's turn in a round) that the ticking thread and each "
    "worker\n"
    "ran; promises says how often each promise was checked and found broken, violations is the sum of the broken.";

static int parse(int argc, char **argv, stress_settings *out, const char **scenario) {
    const cli_option options[] = {
        {"agents", CLI_NUMBER, &out->agents, "N", 1, 1000000, "how many agents; 1000 where not given"},
        {"frames", CLI_NUMBER, &out->frames, "N", 1, 1000000000, "frames in which they ask; 300 where not given"},
        {"budget", CLI_NUMBER, &out->budget, "N", 1, UINT64_MAX - 1, "expansions a frame; 20000 where not given"},
        {"budget-us", CLI_NUMBER, &out->budget_us, "N", 1, 1000000000, "microseconds a frame, instead of --budget"},
        {"workers", CLI_NUMBER, &out->workers, "N", 0, 64, "threads beside the ticking one"},
        {"lanes", CLI_NUMBER, &out->lanes, "N", 1, 64, "searches that take turns"},
        {"slice", CLI_NUMBER, &out->slice, "N", 1, UINT32_MAX, "expansions a lane gets in a round"},
        {"seed", CLI_NUMBER, &out->seed, "N", 0, UINT64_MAX, "of the agents' wishes; 1 where not given"},
        {"engine", CLI_CHOICE, &out->rules.engine, CLI_ENGINES, 0, 0,
         "which search; A* where jump search does not serve"},
        {"landmarks", CLI_NUMBER, &out->landmarks, "N", 0, WEND_MAX_LANDMARKS, "that jump search goes by at first (0)"},
        {"neighbours", CLI_CHOICE, &out->rules.neighbours, CLI_NEIGHBOURS, 0, 0, "4 or 8 on flat grids"},
        {"corners", CLI_CHOICE, &out->rules.corners, CLI_CORNERS, 0, 0, "when a diagonal step is allowed"},
        {"cost", CLI_TEXT, &out->rules.cost, "S,D[,T]", 0, 0, "of a straight and a diagonal step"},
        {"edits", CLI_NUMBER, &out->edits, "N", 0, 1000000, "cells changed a frame, and restored later"},
        {"cancels", CLI_NUMBER, &out->cancels, "N", 0, 1000000, "requests cancelled a frame"},
        {"unreachable", CLI_NUMBER, &out->unreachable, "PERCENT", 0, 100,
         "of the goals cannot be reached: no search for them"},
        {"same-goal", CLI_NUMBER, &out->same_goal, "PERCENT", 0, 100,
         "of the goals are one and the same; from there agents go home"},
        {"scenario", CLI_TEXT, scenario, "NAME", 0, 0, "how the agents behave, see below"},
        {"trace", CLI_TEXT, &out->trace_name, "FILE", 0, 0, "a line for each completion and frame"},
        {"csv", CLI_TEXT, &out->csv_name, "FILE", 0, 0, "the figures of each frame"},
        {"draw", CLI_CHOICE, &out->draw, CLI_DRAWS, 0, 0, "a picture of the paths last walked"},
        {"output", CLI_TEXT, &out->output, "FILE", 0, 0, "put the picture there"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, "one JSON object instead of the table"},
    };
    size_t words;
    int status =
        cli_parse(&cli_stress, options, sizeof options / sizeof options[0], argc, argv, &out->map_name, 1, &words);
    if (status != -1) return status;
    if (words == 0) return cli_fail("stress: which map? (see wend stress --help)");
    return -1;
}

static int settle(stress_settings *given, const char *scenario) {
    given->scenario = stress_scenario_find(scenario);
    if (given->scenario == NULL)
        return cli_fail("there is no scenario '%s'; there are %s", scenario, stress_scenario_names);
    if (given->budget > 0 && given->budget_us > 0)
        return cli_fail("--budget and --budget-us exclude each other: a frame ends by one or the other");
    if (given->budget == 0 && given->budget_us == 0) given->budget = DEFAULT_BUDGET;
    given->edits_each = (uint32_t)(given->edits != NOT_GIVEN ? given->edits : given->scenario->edits);
    return cli_draw_settle(&given->draw, given->output, given->json);
}

static int report(stress_run *run) {
    const stress_settings *settings = run->settings;
    bool picture_on_stdout = settings->draw != CLI_DRAW_NONE && settings->output == NULL;
    int status = settings->draw != CLI_DRAW_NONE ? stress_draw(run) : -1;
    if (settings->json)
        stress_print_json(run);
    else
        stress_print_table(run, picture_on_stdout ? stderr : stdout);
    if (status != -1) return status; /* no picture, but what took long to find out is told */
    return checker_broken_total(run->watch) == 0 ? CLI_DONE : CLI_ANSWER_IS_NO;
}

static int stress(int argc, char **argv) {
    stress_settings settings = {.agents = 1000, .frames = 300, .seed = 1, .edits = NOT_GIVEN, .draw = CLI_DRAW_NONE};
    settings.rules = (cli_rules){.neighbours = -1, .corners = -1};
    const char *scenario = "even";
    int status = parse(argc, argv, &settings, &scenario);
    if (status == -1) status = settle(&settings, scenario);
    if (status != -1) return status;
    stress_run run;
    status = stress_open(&run, &settings);
    if (status == -1) status = stress_go(&run);
    int files = stress_trace_close(&run);
    if (status == -1) status = files;
    if (status == -1) status = report(&run);
    stress_close(&run);
    return status;
}

const cli_command cli_stress = {
    .name = "stress",
    .usage = "MAP [--agents N] [--frames N] [--budget N | --budget-us N] …",
    .summary = "many agents, frame after frame: what frames cost, how long agents wait, every promise checked",
    .details = details,
    .run = stress,
};
