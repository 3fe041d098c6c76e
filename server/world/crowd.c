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
    w->bodies = NULL; /* belongs to another crowd, which a `reset` keeps in case there is no memory */
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
    wend_jams_destroy(w->jams);
    w->jams = NULL;
    wend_bodies_destroy(w->bodies);
    w->bodies = NULL;
    w->boxes.count = 0;
    world_agents_free(&w->agents);
}

/* ---- jams ---- */

wend_error world_jams_begin(world_state *w) {
    wend_jams_def def;
    if (!w->crowd || w->jams) return WEND_OK;
    wend_jams_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    const wend_error error = wend_jams_create(&def, &w->jams);
    return error ? error : wend_crowd_set_jams(w->crowd, w->jams);
}

bool world_jams_rest(const world_state *w) {
    wend_jams_def def;
    wend_jams_stats stats = {.struct_bytes = sizeof stats};
    wend_jams_def_init(&def, sizeof def);
    return wend_jams_get_stats(w->jams, &stats) == WEND_OK && stats.waits == 0 && stats.updates >= def.window / 8 * 7;
}

static void put_jam(FILE *out, int32_t kind, const wend_jam *jam, bool first) {
    fputs(first ? "{\"cell\":" : ",{\"cell\":", out);
    cli_json_cell(out, kind, jam->cell);
    fprintf(out, ",\"waits\":%" PRIu64 ",\"peak\":%" PRIu64 ",\"cells\":%u,\"agents\":%u}", jam->waits, jam->peak,
            (unsigned)jam->cells, (unsigned)jam->agents);
}

bool world_put_jams(const world_state *w, FILE *out, const wend_order *order) {
    wend_jams_stats stats = {.struct_bytes = sizeof stats};
    wend_jam *jams = cli_alloc(order->jams.count * sizeof *jams);
    size_t count = 0;
    if (!jams) return false;
    if (w->jams) {
        wend_jams_get_stats(w->jams, &stats);
        count = wend_jams_get_worst(w->jams, order->jams.within, jams, sizeof *jams, order->jams.count);
    }
    fprintf(out, ",\"updates\":%u,\"waits\":%" PRIu64 ",\"jams\":[", (unsigned)stats.updates, stats.waits);
    for (size_t i = 0; i < count; i++) put_jam(out, w->kind, &jams[i], i == 0);
    fputs("]", out);
    cli_free(jams);
    return true;
}
