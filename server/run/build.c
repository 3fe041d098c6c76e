/* SPDX-License-Identifier: MIT */
/* Commands that create the map, its settings and changes, and the data of the fast engine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wend/acceleration.h>

#include "cli/world/heap.h"
#include "script/script.h"
#include "cli/world/world.h"

void script_rules(const script_state *script, wend_map_rules *out) {
    *out = cli_map_rules(script->built.map);
}

/* ---- the map ---- */

void script_read_size(script_state *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->kind = script->world.kind = info.kind;
    script->world.map = script->built.map;
    script->width = info.width;
    script->height = info.height;
    script->layers = info.depth;
    script->cells = info.cells;
}

int script_act_map(script_state *script, wend_order *order) {
    int status = script_load_from(script, script_word_of(script, order, &order->map.file));
    if (status) {
        script->failed = true;
        return status;
    }
    script_read_size(script);
    return CLI_DONE;
}

/* Makes a grid. Each sheet has two corners, and a place. */
static wend_error make_grid(wend_map_def *def, const wend_cells *sheets, wend_map **out) {
    const size_t count = sheets->count / 3;
    wend_sheet *list = count > 0 ? malloc(count * sizeof *list) : NULL;
    if (count > 0 && !list) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        list[i].box = (wend_box){sheets->items[3 * i], sheets->items[3 * i + 1]};
        list[i].ground = sheets->items[3 * i + 2];
    }
    def->sheets = list, def->sheet_count = (uint32_t)count;
    const wend_error error = wend_map_create(def, out);
    free(list);
    return error;
}

int script_act_grid(script_state *script, wend_order *order) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    def.kind = order->kind == WEND_ORDER_GRID ? WEND_KIND_GRID : WEND_KIND_VOXEL;
    def.width = order->size.width;
    def.height = order->size.height;
    def.depth = def.kind == WEND_KIND_GRID ? 1 : order->size.depth;
    def.streamed = order->size.streamed;
    def.wrap = order->size.wrap;
    const uint64_t cells = (uint64_t)def.width * (uint64_t)def.height * (uint64_t)def.depth;
    const uint64_t most = script->options->most_cells > 0 ? script->options->most_cells : WEND_MAX_CELLS;
    if (cells > most) return script_fail(script, script->reader.words[1].column, "more than %" PRIu64 " cells", most);
    if (order->size.sheets.count % 3 != 0)
        return script_fail(script, script->reader.words[0].column,
                           "sheets: three cells for each, two corners and where the first lies");
    wend_error error = make_grid(&def, &order->size.sheets, &script->built.map);
    const script_word name = script->reader.words[0];
    if (error) return script_fail(script, name.column, "%s: %s", wend__show_word(name).text, wend_error_detail(error));
    script_read_size(script);
    return CLI_DONE;
}

/* ---- settings ---- */

static int set_rules(script_state *script, const wend_map_rules *rules) {
    const wend_error error = cli_world_set_rules(&script->built, rules);
    if (!error) return CLI_DONE;
    return script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

/* The map's rules, to be changed. */
static int begin_rules(script_state *script, wend_map_rules *out) {
    const script_word name = script->reader.words[0];
    if (script->kind == WEND_KIND_GRAPH)
        return script_fail(script, name.column, "a graph has edges, and no setting '%s'", wend__show_word(name).text);
    script_rules(script, out);
    return CLI_DONE;
}

int script_act_neighbours(script_state *script, wend_order *order) {
    const int32_t number = order->rules.neighbours;
    const bool flat = number == 4 || number == 8, known = flat || number == 6 || number == 18 || number == 26;
    const script_word word = script->reader.words[1];
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    if (status) return status;
    if (script->stepped)
        return script_fail(script, script->reader.words[0].column, "neighbours comes before the first step");
    if (!known)
        return script_fail(script, word.column, "neighbours is 4, 6 or 8, in space 6, 18 or 26, not '%s'",
                           wend__show_word(word).text);
    if (number != 6 && flat != (script->kind == WEND_KIND_GRID))
        return script_fail(script, word.column, "%s neighbours, not %" PRId32,
                           flat ? "a map in space has 6, 18 or 26" : "a flat grid has 4, 6 or 8", number);
    rules.neighbours = number;
    return set_rules(script, &rules);
}

int script_act_corners(script_state *script, wend_order *order) {
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    rules.corners = order->rules.corners;
    return !status ? set_rules(script, &rules) : status;
}

/* The third cost matters only with 26 neighbours, and their number may come in a later line: until then a cost that
   fits the other two is used. */
int script_act_cost(script_state *script, wend_order *order) {
    const int32_t straight = order->rules.cost_straight, diagonal = order->rules.cost_diagonal;
    const int32_t space = order->rules.cost_space, most = 2 * diagonal - straight;
    const bool three = script->reader.word_count > 3;
    wend_map_rules rules;
    int status = begin_rules(script, &rules);
    if (status) return status;
    if (diagonal < straight || diagonal > 2 * straight)
        return script_fail(script, script->reader.words[2].column,
                           "a diagonal step costs from S to 2 S, here %" PRId32 " to %" PRId32 ", not %" PRId32,
                           straight, 2 * straight, diagonal);
    rules.cost_straight = straight;
    rules.cost_diagonal = diagonal;
    if (script->kind == WEND_KIND_VOXEL) rules.cost_space = space >= diagonal && space <= most ? space : diagonal;
    script->costs = (script_costs){.line = script->line,
                                   .column = three ? script->reader.words[3].column : script->reader.end_column,
                                   .diagonal = (uint64_t)diagonal,
                                   .space = (uint64_t)space,
                                   .most = (uint64_t)most};
    return set_rules(script, &rules);
}

int script_check_costs(script_state *script) {
    const script_costs costs = script->costs;
    wend_map_rules rules;
    if (costs.line == 0 || script->kind != WEND_KIND_VOXEL) return CLI_DONE;
    script_rules(script, &rules);
    script->costs.line = 0;
    if ((rules.neighbours != 0 && rules.neighbours != 26) ||
        (costs.space >= costs.diagonal && costs.space <= costs.most))
        return CLI_DONE;
    script->line = costs.line;
    if (costs.space == 0)
        return script_fail(script, costs.column, "with 26 neighbours a third cost is needed: cost S D T");
    return script_fail(script, costs.column,
                       "a diagonal step in space costs from D to 2 D - S, here %" PRIu64 " to %" PRIu64
                       ", not %" PRIu64,
                       costs.diagonal, costs.most, costs.space);
}

/* ---- changes: they wait for the next frame, as no batch may be open while rules may still change ---- */

int script_act_change(script_state *script, wend_order *order) {
    const int status = script_act_world(script, order);
    if (status) return status;
    switch (order->kind) {
    case WEND_ORDER_NODE:
    case WEND_ORDER_EDGE:
    case WEND_ORDER_STEP:
    case WEND_ORDER_LINK:
    case WEND_ORDER_UNLINK: break;
    default: script->changed = true; break;
    }
    script->stepped = script->stepped || order->kind == WEND_ORDER_STEP;
    return CLI_DONE;
}

static int publish(script_state *script) {
    const world_edits *edits = &script->world.edits;
    for (size_t i = 0; i < edits->count; i++) {
        const wend_change_item *item = &edits->items[i].item;
        script_film_edit(script, item);
        if (item->kind == WEND_ORDER_LINK || item->kind == WEND_ORDER_UNLINK)
            cli_world_forget_teleport(&script->built, item->change.from, item->change.to);
    }
    const wend_error error = world_publish(&script->world, edits->count);
    if (!error) return CLI_DONE;
    return script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1,
                       "the map cannot be edited: %s", wend_error_detail(error));
}

int script_publish(script_state *script) {
    return script->world.edits.count > 0 ? publish(script) : CLI_DONE;
}

/* In a recording, even a batch without changes made an epoch. */
int script_act_publish(script_state *script, wend_order *order) {
    (void)order;
    script->changed = true;
    return script->recorded ? publish(script) : script_publish(script);
}

/* ---- the data of the fast engine ---- */

int script_accelerate_first(script_state *script) {
    int status;
    if (script->recorded) return CLI_DONE;
    script_place place = script_mark(script);
    while (!script->accelerated && script_next_line(script, &status))
        script->accelerated = script->reader.word_count > 0 && script_word_is(script->reader.words[0], "accelerate");
    if (!script_return(script, &place)) return script_no_memory(script);
    if (script->accelerated) return CLI_DONE;
    script->prepared.first = true;
    script->prepared.engine = script->options->engine;
    script->prepared.landmarks = script->options->trial ? 4 : script->options->landmarks;
    return cli_engine_prepare(script->built.map, script->prepared.engine, script->prepared.landmarks, WEND_FAR_LARGE);
}

int script_accelerate_again(script_state *script) {
    const script_prepared *prepared = &script->prepared;
    wend_error error = WEND_OK;
    int status = CLI_DONE;
    if (prepared->first)
        status = cli_engine_prepare(script->built.map, prepared->engine, prepared->landmarks, WEND_FAR_LARGE);
    for (int32_t i = 0; i < WEND_MAX_MOVERS && !error; i++)
        if (prepared->movers >> i & 1) error = wend_map_accelerate(script->built.map, &prepared->of[i]);
    if (!error) return status;
    return script_fail(script, script->reader.words[0].column, "accelerate: %s", wend_error_detail(error));
}

/* Before the first frame the map is epoch 0, whatever was published: the data is made for the map as built so far.
 * Later on it is made for the newest version, and edits that wait are applied to it when they are published. */
int script_act_accelerate(script_state *script, wend_order *order) {
    wend_acceleration def = order->accelerate.def;
    world_error refusal = {0};
    def.mover = world_mover_of(&script->world, &order->accelerate.mover, &refusal);
    int status = def.mover >= 0 ? CLI_DONE : script_refused(script, order, &refusal);
    if (!status && script->frames == 0) status = script_publish(script);
    if (status) return status;
    script->changed = script->accelerated = true;
    if (order->kind == WEND_ORDER_ACCELERATE) {
        const int32_t mover = def.mover, landmarks = def.landmarks, far = def.far;
        wend_acceleration_init(&def, sizeof def);
        def.mover = mover, def.landmarks = landmarks, def.far = far;
    }
    if (!wend_order_gave(order, &order->accelerate.def.landmarks)) def.landmarks = (int32_t)script->options->landmarks;
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (!error) {
        script->prepared.movers |= UINT64_C(1) << def.mover;
        script->prepared.of[def.mover] = def;
        return CLI_DONE;
    }
    if (error == WEND_OUT_OF_MEMORY) return script_no_memory(script);
    return script_fail(script, script->reader.words[0].column, "accelerate: %s", wend_error_detail(error));
}
