/* SPDX-License-Identifier: MIT */
/* wend plan: finds by running what budget and which service a number of agents needs on a map. */
#include <stdlib.h>

#include "plan/plan_cli.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "shared/messages.h"
#include "lab_version.h"

enum { DEFAULT_ASKS_MILLI = 500, DEFAULT_WITHIN_MS = 100, MAX_HZ = 1000, MAX_WITHIN_MS = 60000 };

static const char details[] = "Agents stand on random cells. Each asks --asks times a second, at random\n"
                              "moments, for a path to a random goal, and next from that goal. All requests are\n"
                              "made beforehand from --seed, so each run gets the same ones. The load lasts 4\n"
                              "seconds, 20 times --within, or until there are 2,000 requests, whichever is\n"
                              "longest; one of more than 50,000,000 expansions is cut short.\n"
                              "\n"
                              "A setup holds where 99 % of the answers come within --within ms, in whole frames\n"
                              "from submission to delivery; no request is refused (BUSY) or ends as\n"
                              "out_of_nodes or too_long; and the frames in which agents ask have expansions\n"
                              "enough for all of the load. Runs find, each with the same load: the smallest\n"
                              "budget in expansions a frame (doubling, then bisection, to one part in 128), the\n"
                              "lanes (1, 2, 4 or 8) with which it is smallest, the fewest of them that do, the\n"
                              "smallest pool (nodes) and the smallest queue. Nine tenths of the budget are run,\n"
                              "too, and fail. max_path_cells has room for paths twice as long as the longest.\n"
                              "These figures are the same on every machine. The time is not: us is the\n"
                              "processor time of a tick at p99, the least of three runs. Where it exceeds a\n"
                              "frame, no budget holds.\n"
                              "\n"
                              "A RECORDING is a script with requests. Its requests come in their\n"
                              "frames; with --agents, the agents ask for random ones of them. Edits, units and\n"
                              "cancellations after the first frame are left out, and so are deadlines, further\n"
                              "goals and the numbers of agents. A RECORDING with agents that walk is run whole,\n"
                              "with its orders, routes and doors.\n"
                              "\n"
                              "With --walk the agents are a crowd that walks 5 cells a second; each request is\n"
                              "a new wish for an agent, and its searches see the other agents. What the crowd\n"
                              "searches again on its way counts, too. A setup holds only where the longest wait\n"
                              "of a walker for a path is at most 5 updates in the median.\n"
                              "\n"
                              "Hard spots: the map is cut into 4 x 4 areas, and the pairs of areas are named\n"
                              "whose requests took most expansions; then the chokepoints, cells up to 8 wide\n"
                              "from wall to wall, that most paths go through.\n"
                              "\n"
                              "The JSON: budget, us, def (queue, lanes, nodes, max_path_cells), service_bytes,\n"
                              "latency_frames, holds; why, where it does not hold; queue_bytes, lanes_bytes,\n"
                              "nodes_bytes, paths_bytes (what each setting takes beyond its least value);\n"
                              "submit_ns (of a request), create_us (of the service); with --walk crowd_bytes,\n"
                              "crowd_us, crowd_def (agents, path_bytes) and stand_updates (those waits)\n"
                              "instead; nine_tenths_budget, nine_tenths_holds, nine_tenths_latency_frames,\n"
                              "nine_tenths_why; general (answers of the general A*, by reason);\n"
                              "agents, hz, asks, distance, within_ms, within_frames, frames, requests,\n"
                              "nearer_goals (where no cell at --distance could be reached), runs; of a\n"
                              "recording recorded (requests) and left_out (lines); hard_pairs (from_area,\n"
                              "to_area, requests, expansions; from, to and most_expansions of the most\n"
                              "expensive one); chokepoints (cell, width, paths); paths (all of them); with\n"
                              "--walk jams: jam_updates, jam_waits (blocked walkers, summed over the updates),\n"
                              "jams (the worst: cell, cells and waits within 8 cells of it).\n"
                              "Exit status: 0 a budget holds; 1 none does; 2 bad usage or input.";

static int parse(int argc, char **argv, plan_demand *out) {
    const cli_option options[] = {
        {"agents", CLI_GIVEN, &out->agents, "N", 1, 1000000, CLI_NONE, "how many agents; a recording can do without"},
        {"hz", CLI_GIVEN, &out->hz, "N", 1, MAX_HZ, CLI_NONE, "frames a second"},
        {"asks", CLI_DECIMAL_MILLI, &out->asks_milli, "PER_SECOND", 1, MAX_HZ * 1000, DEFAULT_ASKS_MILLI,
         "requests of each agent in a second, a decimal"},
        {"distance", CLI_GIVEN, &out->distance, "CELLS", 1, WEND_MAX_SIDE, CLI_NONE,
         "goals lie so far away, by the larger of dx, dy and dz; default anywhere"},
        {"within", CLI_GIVEN, &out->within_ms, "MS", 1, MAX_WITHIN_MS, DEFAULT_WITHIN_MS,
         "milliseconds in which 99 % of the answers come, at least a frame"},
        {"walk", CLI_FLAG, &out->walk, NULL, 0, 0, 0, "the agents walk in a crowd"},
        {"seed", CLI_NUMBER, &out->seed, "N", 0, UINT64_MAX, 1, "seed of the requests"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, 0, "one JSON object instead of the table and the C text"},
        CLI_READING_OPTIONS,
    };
    size_t words;
    const int status =
        cli_parse(&cli_plan, options, sizeof options / sizeof options[0], argc, argv, &out->map_name, 1, &words);
    if (status) return status;
    if (words == 0) return cli_fail("plan: which map? (see wend plan --help)");
    if (out->hz == 0) return cli_fail("plan: how many frames a second? (--hz N)");
    if ((uint64_t)out->asks_milli > out->hz * 1000)
        return cli_fail("--asks: an agent asks at most once a frame, %u times a second at %u Hz", (unsigned)out->hz,
                        (unsigned)out->hz);
    if (out->within_ms == 0) out->within_ms = out->hz < 10 ? (999 + out->hz) / out->hz : DEFAULT_WITHIN_MS;
    return CLI_DONE;
}

/* A recording has its own requests; --agents of it ask for random ones of them. */
static int check_recording(const plan_demand *demand, bool recorded, bool played) {
    if (played && (demand->agents > 0 || demand->distance > 0))
        return cli_fail("--%s: a recording of agents has its own", demand->agents > 0 ? "agents" : "distance");
    if (!recorded && demand->agents == 0) return cli_fail("plan: how many agents? (--agents N)");
    if (recorded && !played && (demand->walk || demand->distance > 0))
        return cli_fail("--%s: a recording has its own requests", demand->walk ? "walk" : "distance");
    return CLI_DONE;
}

static int check_map(const plan_demand *demand, const wend_map_info *info) {
    const int32_t side = info->width > info->height ? info->width : info->height;
    if (info->kind == WEND_KIND_GRAPH && demand->distance > 0)
        return cli_fail_at(demand->map_name, 0, 0, "--distance is in cells, and this is a graph");
    if ((int64_t)demand->distance >= (side > info->depth ? side : info->depth))
        return cli_fail_at(demand->map_name, 0, 0, "--distance %llu: the map is %d x %d cells",
                           (unsigned long long)demand->distance, (int)info->width, (int)info->height);
    return CLI_DONE;
}

/* Agents that walk have landmarks, too. */
static int prepare_map(wend_map *map, bool walk) {
    return cli_engine_prepare(map, WEND_ENGINE_AUTO, walk ? 4 : 0, 0);
}

static int report(const plan_answer *answer, const plan_demand *demand) {
    cli_progress_end();
    if (demand->json)
        plan_print_json(answer, demand);
    else
        plan_print_table(answer, demand);
    return answer->found && answer->in_time ? CLI_DONE : CLI_ANSWER_IS_NO;
}

static int plan_world(const plan_demand *demand, cli_world *world, const plan_recorded *recorded, plan_played *played,
                      plan_answer *answer) {
    plan_load *load = &answer->load;
    plan_load_open(load, demand, world->map, world->movers.standard, recorded);
    int status = played->text ? plan_play_open(load, played) : check_map(demand, &load->info);
    if (status) return status;
    if (load->within == 0) {
        snprintf(answer->why, sizeof answer->why, "an answer takes a frame at least, %u ms at %u Hz",
                 (unsigned)((999 + demand->hz) / demand->hz), (unsigned)demand->hz);
        return report(answer, demand);
    }
    if (load->played) return plan_search(answer) ? report(answer, demand) : CLI_BAD_INPUT;
    status = prepare_map(load->map, demand->walk);
    if (status) return status;
    if (!plan_load_make(load, demand)) return CLI_BAD_INPUT;
    answer->spots = plan_spots_create(load->map, load->mover);
    if (!answer->spots) return cli_fail("out of memory for the counts");
    return plan_search(answer) ? report(answer, demand) : CLI_BAD_INPUT;
}

static int plan(int argc, char **argv) {
    plan_demand demand = {0};
    plan_answer answer = {0};
    cli_world world = {0};
    plan_recorded recorded = {0};
    plan_played played = {0};
    bool taken = false;
    lab_set_program((lab_program){cli_progress, cli_progress_end});
    int status = parse(argc, argv, &demand);
    if (!status) status = plan_recording_read(demand.map_name, demand.agents, &world, &recorded, &played, &taken);
    if (!status) status = check_recording(&demand, taken, played.text);
    if (!status && !taken) status = cli_world_load(demand.map_name, &world);
    if (!status && recorded.left_out > 0)
        cli_note_at(demand.map_name, "%llu lines are left out: edits, units, cancellations and the like",
                    (unsigned long long)recorded.left_out);
    if (!status) status = plan_world(&demand, &world, recorded.count > 0 ? &recorded : NULL, &played, &answer);
    plan_spots_free(answer.spots);
    plan_load_free(&answer.load);
    plan_recording_free(&recorded);
    free(played.text);
    cli_world_free(&world);
    return status;
}

const cli_command cli_plan = {
    .name = "plan",
    .usage = "MAP|RECORDING --agents N --hz N [OPTION]...",
    .summary = "find by runs which budget and service a number of agents needs",
    .details = details,
    .run = plan,
    .package = LAB_VERSION,
};
