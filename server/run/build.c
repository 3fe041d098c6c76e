/* SPDX-License-Identifier: MIT */
/* Commands that make the map, its settings and changes, and the data of the fast engine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wend/acceleration.h>

#include "script/script.h"
#include "cli/world/world.h"

void host_script_rules(const host_script *script, wend_map_rules *out) {
    *out = host_map_rules(script->built.map);
}

/* ---- the map ---- */

void host_script_take_size(host_script *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->kind = script->host.kind = info.kind;
    script->host.map = script->built.map;
    script->width = info.width;
    script->height = info.height;
    script->layers = info.depth;
    script->cells = info.cells;
}

int host_act_map(host_script *script, wend_order *order) {
    int status = host_world_load_from(script, host_said(script, order, &order->map.file));
    if (status) {
        script->failed = true;
        return status;
    }
    host_script_take_size(script);
    return HOST_DONE;
}

int host_act_grid(host_script *script, wend_order *order) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = order->kind == WEND_ORDER_GRID ? WEND_KIND_GRID : WEND_KIND_VOXEL;
    def.width = order->size.width;
    def.height = order->size.height;
    def.depth = def.kind == WEND_KIND_GRID ? 1 : order->size.depth;
    def.streamed = order->size.streamed;
    const uint64_t cells = (uint64_t)def.width * (uint64_t)def.height * (uint64_t)def.depth;
    const uint64_t most = script->options->most_cells > 0 ? script->options->most_cells : WEND_MAX_CELLS;
    if (cells > most)
        return host_script_fail(script, script->reader.words[1].column, "more than %" PRIu64 " cells", most);
    wend_error error = wend_map_create(&def, &script->built.map);
    const host_word name = script->reader.words[0];
    if (error)
        return host_script_fail(script, name.column, "%s: %s", wend__show_word(name).text, wend_error_detail(error));
    host_script_take_size(script);
    return HOST_DONE;
}

/* ---- settings ---- */

static int set_rules(host_script *script, const wend_map_rules *rules) {
    const wend_error error = host_world_set_rules(&script->built, rules);
    if (!error) return HOST_DONE;
    return host_script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

/* The map's rules, to be changed. */
static int begin_rules(host_script *script, wend_map_rules *out) {
    const host_word name = script->reader.words[0];
    if (script->kind == WEND_KIND_GRAPH)
        return host_script_fail(script, name.column, "a graph has edges, and no setting '%s'",
                                wend__show_word(name).text);
    host_script_rules(script, out);
    return HOST_DONE;
}

int host_act_neighbours(host_script *script, wend_order *order) {
    const int32_t number = order->rules.neighbours;
    const bool flat = number == 4 || number == 8, known = flat || number == 6 || number == 18 || number == 26;
    const host_word word = script->reader.words[1];
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    if (status) return status;
    if (script->stepped)
        return host_script_fail(script, script->reader.words[0].column, "neighbours comes before the first step");
    if (!known)
        return host_script_fail(script, word.column, "neighbours is 4 or 8, in space 6, 18 or 26, not '%s'",
                                wend__show_word(word).text);
    if (flat != (script->kind == WEND_KIND_GRID))
        return host_script_fail(script, word.column, "%s neighbours, not %" PRId32,
                                flat ? "a map in space has 6, 18 or 26" : "a flat grid has 4 or 8", number);
    rules.neighbours = number;
    return set_rules(script, &rules);
}

int host_act_corners(host_script *script, wend_order *order) {
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    rules.corners = order->rules.corners;
    return !status ? set_rules(script, &rules) : status;
}

/* The third cost matters only with 26 neighbours, and their number may come in a later line: until then a cost that
   fits the other two is used. */
int host_act_cost(host_script *script, wend_order *order) {
    const int32_t straight = order->rules.cost_straight, diagonal = order->rules.cost_diagonal;
    const int32_t space = order->rules.cost_space, most = 2 * diagonal - straight;
    const bool three = script->reader.word_count > 3;
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    if (status) return status;
    if (diagonal < straight || diagonal > 2 * straight)
        return host_script_fail(script, script->reader.words[2].column,
                                "a diagonal step costs from S to 2 S, here %" PRId32 " to %" PRId32 ", not %" PRId32,
                                straight, 2 * straight, diagonal);
    rules.cost_straight = straight;
    rules.cost_diagonal = diagonal;
    if (script->kind == WEND_KIND_VOXEL) rules.cost_space = space >= diagonal && space <= most ? space : diagonal;
    script->costs = (host_costs){.line = script->line,
                                 .column = three ? script->reader.words[3].column : script->reader.end_column,
                                 .diagonal = (uint64_t)diagonal,
                                 .space = (uint64_t)space,
                                 .most = (uint64_t)most};
    return set_rules(script, &rules);
}

int host_script_check_costs(host_script *script) {
    const host_costs costs = script->costs;
    wend_map_rules rules;
    if (costs.line == 0 || script->kind != WEND_KIND_VOXEL) return HOST_DONE;
    host_script_rules(script, &rules);
    script->costs.line = 0;
    if ((rules.neighbours != 0 && rules.neighbours != 26) ||
        (costs.space >= costs.diagonal && costs.space <= costs.most))
        return HOST_DONE;
    script->line = costs.line;
    if (costs.space == 0)
        return host_script_fail(script, costs.column, "with 26 neighbours a third cost is needed: cost S D T");
    return host_script_fail(script, costs.column,
                            "a diagonal step in space costs from D to 2 D - S, here %" PRIu64 " to %" PRIu64
                            ", not %" PRIu64,
                            costs.diagonal, costs.most, costs.space);
}

/* ---- changes: they wait for the next frame, as no batch may be open while rules may still change ---- */

int host_act_change(host_script *script, wend_order *order) {
    const int status = host_act_host(script, order);
    if (status) return status;
    script->changed = script->changed || (order->kind != WEND_ORDER_STEP && order->kind != WEND_ORDER_LINK &&
                                          order->kind != WEND_ORDER_UNLINK);
    script->stepped = script->stepped || order->kind == WEND_ORDER_STEP;
    return HOST_DONE;
}

static int publish(host_script *script) {
    const host_edits *edits = &script->host.edits;
    for (size_t i = 0; i < edits->count; i++) {
        const wend_change_item *item = &edits->items[i].item;
        host_film_edit(script, item);
        if (item->kind == WEND_ORDER_LINK || item->kind == WEND_ORDER_UNLINK)
            host_world_forget_teleport(&script->built, item->change.from, item->change.to);
    }
    const wend_error error = host_publish(&script->host, edits->count);
    if (!error) return HOST_DONE;
    return host_script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1,
                            "the map cannot be edited: %s", wend_error_detail(error));
}

int host_script_publish(host_script *script) {
    return script->host.edits.count > 0 ? publish(script) : HOST_DONE;
}

/* In a recording, a batch without changes, too, made an epoch. */
int host_act_publish(host_script *script, wend_order *order) {
    (void)order;
    script->changed = true;
    return script->recorded ? publish(script) : host_script_publish(script);
}

/* ---- the data of the fast engine ---- */

int host_script_accelerate_first(host_script *script) {
    int status;
    if (script->recorded) return HOST_DONE;
    host_place place = host_script_mark(script);
    while (!script->accelerated && host_script_next_line(script, &status))
        script->accelerated = script->reader.word_count > 0 && host_word_is(script->reader.words[0], "accelerate");
    if (!host_script_return(script, &place)) return host_script_no_memory(script);
    if (script->accelerated) return HOST_DONE;
    const uint64_t landmarks = script->options->trial ? 4 : script->options->landmarks;
    return host_engine_prepare(script->built.map, script->options->engine, landmarks, WEND_FAR_LARGE);
}

/* Before the first frame the map is epoch 0, whatever was published: the data is made for the map as built so far.
 * Later on it is made for the newest version, and edits that wait are applied to it when they are published. */
int host_act_accelerate(host_script *script, wend_order *order) {
    wend_acceleration def = order->accelerate.def;
    host_error refusal = {0};
    def.mover = host_mover_of(&script->host, &order->accelerate.mover, &refusal);
    int status = def.mover >= 0 ? HOST_DONE : host_script_refused(script, order, &refusal);
    if (!status && script->frames == 0) status = host_script_publish(script);
    if (status) return status;
    script->changed = script->accelerated = true;
    if (order->kind == WEND_ORDER_ACCELERATE) {
        const int32_t mover = def.mover, landmarks = def.landmarks, far = def.far;
        wend_acceleration_init(&def, sizeof def);
        def.mover = mover, def.landmarks = landmarks, def.far = far;
    }
    if (!wend_order_gave(order, &order->accelerate.def.landmarks)) def.landmarks = (int32_t)script->options->landmarks;
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (!error) return HOST_DONE;
    if (error == WEND_OUT_OF_MEMORY) return host_script_no_memory(script);
    return host_script_fail(script, script->reader.words[0].column, "accelerate: %s", wend_error_detail(error));
}
