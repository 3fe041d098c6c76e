/* SPDX-License-Identifier: MIT */
/* The crowd of a world, and the counts of blocked agents. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "world/rows.h"

wend_error world_crowd_make(world_state *w, const wend_crowd_def *def) {
    world_agents *agents = &w->agents;
    agents->most = def->agents;
    w->has_bodies = false;
    w->jams = NULL;
    w->boxes.count = 0;
    agents->by_index = cli_alloc_zero(def->agents, sizeof *agents->by_index);
    agents->names = cli_alloc_zero(def->agents, sizeof *agents->names);
    agents->sizes = cli_alloc_zero(def->agents, sizeof *agents->sizes);
    if (!agents->by_index || !agents->names || !agents->sizes) return WEND_OUT_OF_MEMORY;
    return wend_crowd_create(def, &w->crowd);
}

void world_crowd_free(world_state *w) {
    wend_crowd_destroy(w->crowd);
    w->crowd = NULL;
    cli_jams_free(w->jams);
    w->jams = NULL;
    w->has_bodies = false;
    w->boxes.count = 0;
    world_agents_free(&w->agents);
}

/* ---- jams ---- */

bool world_jams_begin(world_state *w) {
    enum { WINDOW = 200 };
    if (!w->crowd || w->jams) return true;
    return (w->jams = cli_jams_create(WINDOW)) != NULL;
}

static void put_jam(FILE *out, int32_t kind, const cli_jam *jam, bool first) {
    fputs(first ? "{\"cell\":" : ",{\"cell\":", out);
    cli_json_cell(out, kind, jam->cell);
    fprintf(out, ",\"waits\":%" PRIu64 ",\"peak\":%" PRIu64 ",\"cells\":%u,\"agents\":%u}", jam->waits, jam->peak,
            (unsigned)jam->cells, (unsigned)jam->agents);
}

bool world_put_jams(const world_state *w, FILE *out, const wend_order *order) {
    cli_jam *jams = cli_alloc(order->jams.count * sizeof *jams);
    size_t count = 0;
    if (!jams) return false;
    if (w->jams) count = cli_jams_worst(w->jams, w->map, order->jams.within, jams, order->jams.count);
    fprintf(out, ",\"updates\":%u,\"waits\":%" PRIu64 ",\"jams\":[", w->jams ? (unsigned)cli_jams_updates(w->jams) : 0,
            w->jams ? cli_jams_waits(w->jams) : 0);
    for (size_t i = 0; i < count; i++) put_jam(out, w->kind, &jams[i], i == 0);
    fputs("]", out);
    cli_free(jams);
    return true;
}
