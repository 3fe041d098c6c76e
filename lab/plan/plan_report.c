/* SPDX-License-Identifier: MIT */
/* Prints the answer of a plan: a table with the definition as C text, or one JSON object. */
#include <inttypes.h>

#include "base/text/decimal.h"
#include "plan/plan_cli.h"
#include "cli/output/cells.h"
#include "shared/grouped.h"
#include "cli/output/messages.h"

static uint64_t us_of(uint64_t ns) {
    return (ns + 999) / 1000;
}

static bool is_held(const plan_answer *answer) {
    return answer->found && answer->in_time;
}

/* ---- JSON ---- */

static void json_percentiles(const char *name, const wend_percentiles *numbers) {
    printf(",\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"max\":%" PRIu64 "}", name, numbers->p50, numbers->p99,
           numbers->max);
}

static void json_crowd(const plan_answer *answer) {
    wend_crowd_def crowd;
    plan_crowd_def(&answer->load, NULL, &crowd);
    printf(",\"crowd_bytes\":%zu,\"crowd_us\":%" PRIu64, answer->crowd_bytes, us_of(answer->last.crowd_ns));
    printf(",\"crowd_def\":{\"agents\":%u,\"path_bytes\":%" PRIu64 "}", crowd.agents, crowd.path_bytes);
    if (!answer->load.played) json_percentiles("stand_updates", &answer->last.stand);
}

static void json_general(const plan_result *last) {
    const char *separator = "";
    printf(",\"general\":{");
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++) {
        if (last->general[i] == 0) continue;
        printf("%s\"%s\":%" PRIu64, separator, wend_constant_name(WEND_NAME_GENERAL, i), last->general[i]);
        separator = ",";
    }
    printf("}");
}

static void json_def(const plan_answer *answer) {
    const plan_setup *setup = &answer->setup;
    printf("\"budget\":%" PRIu64 ",\"us\":%" PRIu64, setup->budget, us_of(answer->last.tick_ns));
    printf(",\"def\":{\"queue\":%u,\"lanes\":%u,\"nodes\":%" PRIu64 ",\"max_path_cells\":%" PRIu64 "}", setup->queue,
           setup->lanes, setup->nodes, setup->max_path_cells);
    printf(",\"service_bytes\":%zu", answer->service_bytes);
    json_percentiles("latency_frames", &answer->last.latency);
    printf(",\"queue_bytes\":%zu,\"lanes_bytes\":%zu,\"nodes_bytes\":%zu,\"paths_bytes\":%zu", answer->queue_bytes,
           answer->lanes_bytes, answer->nodes_bytes, answer->paths_bytes);
    if (!answer->load.walk)
        printf(",\"submit_ns\":%" PRIu64 ",\"create_us\":%" PRIu64, answer->last.submit_ns / answer->last.requests,
               us_of(answer->last.create_ns));
    if (answer->load.walk) json_crowd(answer);
    json_general(&answer->last);
    printf(",\"nine_tenths_budget\":%" PRIu64 ",\"nine_tenths_holds\":%s", answer->less.budget,
           answer->less_run.holds ? "true" : "false");
    json_percentiles("nine_tenths_latency_frames", &answer->less_run.latency);
    printf(",\"nine_tenths_why\":");
    cli_json_string(stdout, answer->less_run.why ? answer->less_run.why : "");
}

static void json_box(int32_t kind, const wend_box *box) {
    printf("[");
    cli_json_cell(stdout, kind, box->min);
    printf(",");
    cli_json_cell(stdout, kind, box->max);
    printf("]");
}

static void json_spots(const plan_answer *answer) {
    plan_pair pairs[PLAN_SPOTS_MAX];
    plan_choke chokes[PLAN_SPOTS_MAX];
    const int32_t kind = answer->load.info.kind;
    const size_t pair_count = plan_spots_pairs(answer->spots, pairs);
    const size_t choke_count = plan_spots_chokes(answer->spots, chokes);
    printf(",\"hard_pairs\":[");
    for (size_t i = 0; i < pair_count; i++) {
        printf("%s{\"from_area\":", i > 0 ? "," : "");
        json_box(kind, &pairs[i].from);
        printf(",\"to_area\":");
        json_box(kind, &pairs[i].to);
        printf(",\"requests\":%" PRIu64 ",\"expansions\":%" PRIu64 ",\"from\":", pairs[i].requests,
               pairs[i].expansions);
        cli_json_cell(stdout, kind, pairs[i].worst_from);
        printf(",\"to\":");
        cli_json_cell(stdout, kind, pairs[i].worst_to);
        printf(",\"most_expansions\":%" PRIu64 "}", pairs[i].worst_expansions);
    }
    printf("],\"chokepoints\":[");
    for (size_t i = 0; i < choke_count; i++) {
        printf("%s{\"cell\":", i > 0 ? "," : "");
        cli_json_cell(stdout, kind, chokes[i].cell);
        printf(",\"width\":%d,\"paths\":%" PRIu64 "}", (int)chokes[i].width, chokes[i].paths);
    }
    printf("],\"paths\":%" PRIu64, plan_spots_paths(answer->spots));
}

/* `waits` is blocked agents times updates, so that waits ÷ updates is how many were blocked on average. */
static void json_jams(const plan_answer *answer) {
    const plan_result *last = &answer->last;
    printf(",\"jam_updates\":%u,\"jam_waits\":%" PRIu64 ",\"jams\":[", last->jam_updates, last->jam_waits);
    for (size_t i = 0; i < last->jam_count; i++) {
        printf("%s{\"cell\":", i > 0 ? "," : "");
        cli_json_cell(stdout, answer->load.info.kind, last->jams[i].cell);
        printf(",\"cells\":%u,\"waits\":%" PRIu64 "}", last->jams[i].cells, last->jams[i].waits);
    }
    printf("]");
}

void plan_print_json(const plan_answer *answer, const plan_demand *demand) {
    const plan_load *load = &answer->load;
    printf("{");
    if (answer->found)
        json_def(answer);
    else
        printf("\"budget\":null,\"us\":null,\"def\":null,\"service_bytes\":null,\"latency_frames\":null");
    printf(",\"holds\":%s", is_held(answer) ? "true" : "false");
    if (!is_held(answer)) {
        printf(",\"why\":");
        cli_json_string(stdout, answer->why);
    }
    printf(",\"agents\":%" PRIu64 ",\"hz\":%" PRIu64 ",\"asks\":%s,\"distance\":%" PRIu64,
           load->played ? load->agents : demand->agents, demand->hz, WEND__DECIMAL(demand->asks_milli),
           demand->distance);
    printf(",\"within_ms\":%" PRIu64 ",\"within_frames\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"requests\":%zu",
           demand->within_ms, load->within, load->frames, load->count);
    if (load->recorded)
        printf(",\"recorded\":%zu,\"left_out\":%" PRIu64, load->recorded->count, load->recorded->left_out);
    printf(",\"nearer_goals\":%" PRIu64 ",\"runs\":%" PRIu64, load->nearer, answer->runs);
    if (answer->spots) json_spots(answer);
    if (answer->load.walk && answer->found && !answer->load.played) json_jams(answer);
    printf("}\n");
}

/* ---- the table ---- */

static void print_demand(const plan_answer *answer, const plan_demand *demand) {
    const plan_load *load = &answer->load;
    if (load->played)
        printf("a recording of %s at %" PRIu64 " Hz", COUNTED(load->agents, "agent"), demand->hz);
    else if (load->replayed)
        printf("a recording at %" PRIu64 " Hz", demand->hz);
    else
        printf("%s at %" PRIu64 " Hz, each asks %s times a second for ", COUNTED(demand->agents, "agent"), demand->hz,
               WEND__DECIMAL(demand->asks_milli));
    if (load->recorded || load->played)
        printf("%s", load->replayed ? "" : "a recorded request");
    else if (demand->distance > 0)
        printf("a goal %s cells away", GROUPED(demand->distance));
    else
        printf("a goal anywhere");
    printf("%s: %s in %s.\n", demand->walk && !load->played ? " and walks" : "", COUNTED(load->count, "request"),
           COUNTED(load->frames, "frame"));
    printf("It holds where 99 %% of the answers come within %" PRIu64 " ms (%" PRIu64
           " %s), none is refused, and none\n"
           "lacks nodes.\n",
           demand->within_ms, load->within, load->within == 1 ? "frame" : "frames");
    if (load->nearer > 0) printf("%s lie nearer, where nothing else is open.\n", COUNTED(load->nearer, "goal"));
}

static void print_row(const char *name, uint64_t value, uint64_t bytes, const char *cost) {
    printf("%-16s%14s%16s  %s\n", name, GROUPED(value), bytes > 0 ? GROUPED(bytes) : "", cost);
}

static void print_costs(const plan_answer *answer) {
    const plan_setup *setup = &answer->setup;
    const plan_result *last = &answer->last;
    const uint64_t frame_us = 1000000 / answer->load.hz, us = us_of(last->tick_ns);
    char time[96];
    printf("\n%-16s%14s%16s  %s\n", "setting", "smallest", "bytes", "time");
    snprintf(time, sizeof time, "%s us a frame at p99, %.1f %% of it; %.1f ns an expansion", GROUPED(us),
             100.0 * (double)us / (double)frame_us,
             last->expansions > 0 ? (double)last->all_ns / (double)last->expansions : 0.0);
    print_row("budget", setup->budget, 0, time);
    snprintf(time, sizeof time, "%s ns to submit a request", GROUPED(last->submit_ns / last->requests));
    print_row("queue", setup->queue, answer->queue_bytes, last->submit_ns > 0 ? time : "");
    print_row("lanes", setup->lanes, answer->lanes_bytes, "");
    print_row("nodes", setup->nodes, answer->nodes_bytes, "");
    print_row("max_path_cells", setup->max_path_cells, answer->paths_bytes, "");
    snprintf(time, sizeof time, "%s us to make it", GROUPED(us_of(last->create_ns)));
    printf("%-30s%16s  %s\n", "the service", GROUPED(answer->service_bytes), last->create_ns > 0 ? time : "");
    if (answer->load.walk) {
        snprintf(time, sizeof time, "%s us a frame at p99", GROUPED(us_of(last->crowd_ns)));
        printf("%-30s%16s  %s\n", "the crowd", GROUPED(answer->crowd_bytes), time);
    }
    printf("\nlatency in frames: p50 %s, p99 %s, max %s\n", GROUPED(last->latency.p50), GROUPED(last->latency.p99),
           GROUPED(last->latency.max));
    if (answer->load.walk && !answer->load.played)
        printf("longest waits of a walker for a path, in updates: p50 %s, p99 %s, max %s\n", GROUPED(last->stand.p50),
               GROUPED(last->stand.p99), GROUPED(last->stand.max));
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++)
        if (last->general[i] > 0)
            printf("%s answers by the general A*, because: %s\n", GROUPED(last->general[i]),
                   wend_constant_name(WEND_NAME_GENERAL_TEXT, i));
    printf("nine tenths of the budget, %s, %s: %s (p99 %s)\n", GROUPED(answer->less.budget),
           answer->less_run.holds ? "hold" : "fail", answer->less_run.why ? answer->less_run.why : "",
           COUNTED(answer->less_run.latency.p99, "frame"));
}

static void print_box(int32_t kind, const wend_box *box) {
    cli_print_cell(stdout, kind, box->min);
    printf(" – ");
    cli_print_cell(stdout, kind, box->max);
}

static void print_spots(const plan_answer *answer) {
    plan_pair pairs[PLAN_SPOTS_MAX];
    plan_choke chokes[PLAN_SPOTS_MAX];
    const int32_t kind = answer->load.info.kind;
    const size_t pair_count = plan_spots_pairs(answer->spots, pairs);
    const size_t choke_count = plan_spots_chokes(answer->spots, chokes);
    const uint64_t all = plan_spots_expansions(answer->spots), paths = plan_spots_paths(answer->spots);
    if (pair_count > 0) printf("\nhard ways: areas between which requests took most expansions\n");
    for (size_t i = 0; i < pair_count; i++) {
        printf("  ");
        print_box(kind, &pairs[i].from);
        printf(" to ");
        print_box(kind, &pairs[i].to);
        printf(": %s, %.1f %% of all expansions; most %s, from ", COUNTED(pairs[i].requests, "request"),
               100.0 * (double)pairs[i].expansions / (double)all, GROUPED(pairs[i].worst_expansions));
        cli_print_cell(stdout, kind, pairs[i].worst_from);
        printf(" to ");
        cli_print_cell(stdout, kind, pairs[i].worst_to);
        printf("\n");
    }
    if (choke_count > 0) printf("\nchokepoints: narrow cells that most paths go through\n");
    for (size_t i = 0; i < choke_count; i++) {
        printf("  ");
        cli_print_cell(stdout, kind, chokes[i].cell);
        if (chokes[i].width > 0) printf(", %d wide", (int)chokes[i].width);
        printf(": %s, %.1f %% of all\n", COUNTED(chokes[i].paths, "path"),
               100.0 * (double)chokes[i].paths / (double)paths);
    }
}

static void print_jams(const plan_answer *answer) {
    const plan_result *last = &answer->last;
    if (last->jam_count > 0) printf("\njams: where walkers were blocked, in %u updates\n", last->jam_updates);
    for (size_t i = 0; i < last->jam_count; i++) {
        const cli_jam *jam = &last->jams[i];
        printf("  ");
        cli_print_cell(stdout, answer->load.info.kind, jam->cell);
        printf(", %u cell%s: %.1f at a time, %.1f %% of all waits\n", jam->cells, jam->cells == 1 ? "" : "s",
               (double)jam->waits / last->jam_updates, 100.0 * (double)jam->waits / (double)last->jam_waits);
    }
}

static void print_definition(const plan_answer *answer) {
    const plan_setup *setup = &answer->setup;
    printf("\nwend_service_def def;\n"
           "wend_service_def_init(&def, sizeof def);\n"
           "def.queue = %u;\n"
           "def.nodes = %" PRIu64 ";\n"
           "def.max_path_cells = %" PRIu64 ";\n",
           setup->queue, setup->nodes, setup->max_path_cells);
    wend_service_tuning usual;
    wend_service_tuning_init(&usual, sizeof usual);
    if (setup->lanes != usual.lanes)
        printf("wend_service_tuning tuning;\n"
               "wend_service_tuning_init(&tuning, sizeof tuning);\n"
               "tuning.lanes = %u;\n"
               "def.tuning = &tuning;\n",
               setup->lanes);
    printf("wend_budget budget;\n"
           "wend_budget_init(&budget, sizeof budget);\n"
           "budget.expansions = %" PRIu64 ";\n",
           setup->budget);
    if (!answer->load.walk) return;
    wend_crowd_def crowd;
    plan_crowd_def(&answer->load, NULL, &crowd);
    printf("wend_crowd_def crowd;\n"
           "wend_crowd_def_init(&crowd, sizeof crowd);\n"
           "crowd.agents = %u;\n"
           "crowd.path_bytes = %" PRIu64 "; /* and crowd.service, crowd.map */\n",
           crowd.agents, crowd.path_bytes);
}

void plan_print_table(const plan_answer *answer, const plan_demand *demand) {
    if (answer->load.count > 0) print_demand(answer, demand);
    if (answer->found) print_costs(answer);
    if (answer->spots) print_spots(answer);
    print_jams(answer);
    if (is_held(answer)) print_definition(answer);
    fflush(stdout);
    if (!is_held(answer)) cli_note("no budget holds: %s", answer->why);
}
