/* SPDX-License-Identifier: MIT */
/* Settings of a map: its size and kind, rules, movers, and definitions of layers. */
#include "diff/diff.h"

#include <inttypes.h>
#include <string.h>

#include <wend/movers.h>
#include <wend/versions.h>

static void say_map(const script_state *script, char *out, size_t room) {
    static const char *const corners[] = {"never", "one", "always"}; /* WEND_CORNERS_… */
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_info(script->world.map, &info);
    wend_map_get_rules(script->world.map, &rules);
    const bool graph = info.kind == WEND_KIND_GRAPH; /* its width is room for later nodes, and it has no rules */
    snprintf(out, room, "\"kind\":%" PRId32, info.kind);
    if (graph) return;
    diff_add(out, room,
             ",\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"depth\":%" PRId32 ",\"streamed\":%s"
             ",\"wrap\":%" PRId32 ",\"sheets\":%" PRIu32,
             info.width, info.height, info.depth, info.streamed ? "true" : "false", info.wrap, info.sheets);
    diff_add(out, room, ",\"neighbours\":%" PRId32 ",\"corners\":\"%s\",\"cost\":[%" PRId32 ",%" PRId32 ",%" PRId32 "]",
             rules.neighbours, corners[rules.corners], rules.cost_straight, rules.cost_diagonal, rules.cost_space);
}

/* ---- movers ---- */

static bool get_mover(const script_state *script, int32_t id, wend_mover *out) {
    *out = (wend_mover){.struct_bytes = sizeof *out};
    return id >= 0 && !wend_map_get_mover(script->world.map, id, out);
}

static void say_mover(const wend_mover *mover, char *out, size_t room) {
    snprintf(out, room,
             "\"size\":%" PRId32 ",\"walker\":%" PRId32 ",\"step_up\":%" PRId32 ",\"drop\":%" PRId32
             ",\"headroom\":%" PRId32 ",\"like\":%" PRId32,
             mover->size, mover->walker, mover->step_up, mover->drop, mover->headroom, mover->like);
}

static bool avoids(const wend_mover *mover, unsigned class) {
    return mover->avoided[class / 64] >> class % 64 & 1;
}

static bool shuns(const wend_mover *mover, unsigned class) {
    return mover->shunned[class / 64] >> class % 64 & 1;
}

static void say_class(const wend_mover *mover, unsigned class, char *out, size_t room) {
    const unsigned factor = avoids(mover, class) ? 0 : mover->factors[class];
    if (shuns(mover, class))
        diff_add(out, room, ",\"%u\":\"shunned:%u\"", class, factor);
    else
        diff_add(out, room, ",\"%u\":%u", class, factor);
}

/* Returns the other world's mover of the same name; of the same number, where names tell nothing. */
static int32_t find_mover(script_state *const worlds[2], int own, int32_t id) {
    const char *name = cli_movers_name(&worlds[own]->built.movers, id);
    if (!name || id == WEND_MOVER_DEFAULT || diff_by_order(worlds)) return id;
    return cli_movers_find(&worlds[1 - own]->built.movers, name, strlen(name));
}

/* Says the factors of classes that differ, or where a world lacks the mover none. */
static bool diff_mover(script_state *const worlds[2], int own, int32_t id, diff_object *out) {
    wend_mover movers[2];
    char text[sizeof out->name];
    const char *name = cli_movers_name(&worlds[own]->built.movers, id);
    const int32_t other = find_mover(worlds, own, id), ids[2] = {own == 0 ? id : other, own == 0 ? other : id};
    bool has[2];
    for (int i = 0; i < 2; i++) {
        has[i] = get_mover(worlds[i], ids[i], &movers[i]);
        out->has[i][0] = '\0';
        if (has[i]) say_mover(&movers[i], out->has[i], sizeof out->has[i]);
    }
    for (unsigned class = 0; has[0] && has[1] && class < 256; class++) {
        if (movers[0].factors[class] == movers[1].factors[class] &&
            avoids(&movers[0], class) == avoids(&movers[1], class) &&
            shuns(&movers[0], class) == shuns(&movers[1], class))
            continue;
        for (int i = 0; i < 2; i++) say_class(&movers[i], class, out->has[i], sizeof out->has[i]);
    }
    if (id == WEND_MOVER_DEFAULT) name = "default";
    if (name)
        snprintf(text, sizeof text, "mover %.100s", name);
    else
        snprintf(text, sizeof text, "mover %" PRId32, id);
    return diff_said(out, "map", text);
}

static bool diff_movers(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++) {
        wend_map_info info = {.struct_bytes = sizeof info};
        wend_map_get_info(worlds[own]->world.map, &info);
        for (int32_t id = 0; id < info.movers; id++)
            if (diff_mover(worlds, own, id, out)) return true;
    }
    return false;
}

/* ---- layers ---- */

static void say_layer(const script_state *script, int32_t layer, char *out, size_t room) {
    wend_layer_info info = {.struct_bytes = sizeof info};
    out[0] = '\0';
    if (layer < 0 || wend_map_get_layer(script->world.map, layer, &info)) return;
    snprintf(out, room, "\"half_life\":%" PRIu32 ",\"within\":%" PRId32 ",\"updates\":%" PRIu64, info.half_life,
             info.within, info.updates);
}

static bool diff_layers(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (uint32_t i = 0; i < worlds[own]->built.layers.count; i++) {
            const char *name = worlds[own]->built.layers.names[i];
            const int32_t other = diff_by_order(worlds)
                                      ? (int32_t)i
                                      : cli_layers_find(&worlds[1 - own]->built.layers, name, strlen(name));
            say_layer(worlds[own], (int32_t)i, out->has[own], sizeof out->has[own]);
            say_layer(worlds[1 - own], other, out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "layer", name)) return true;
        }
    return false;
}

bool diff_settings(script_state *const worlds[2], diff_object *out) {
    for (int i = 0; i < 2; i++) say_map(worlds[i], out->has[i], sizeof out->has[i]);
    return diff_said(out, "map", "map") || diff_movers(worlds, out) || diff_layers(worlds, out);
}
