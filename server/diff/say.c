/* SPDX-License-Identifier: MIT */
/* Texts of objects: members of a JSON object, names. */
#include "diff/diff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <wend/layers.h>

bool diff_said(diff_object *out, const char *what, const char *name) {
    if (strcmp(out->has[0], out->has[1]) == 0) return false;
    out->what = what;
    snprintf(out->name, sizeof out->name, "%s", name);
    return true;
}

void diff_add(char *text, size_t room, const char *format, ...) {
    const size_t length = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + length, room - length, format, values);
    va_end(values);
}

/* Appends a member's name or value, of a word of a script. */
static void add_word(char *text, size_t room, const char *word) {
    enum { MOST = 100 };
    diff_add(text, room, "\"");
    for (int i = 0; i < MOST && word[i] != '\0'; i++)
        diff_add(text, room, word[i] == '"' || word[i] == '\\' ? "\\%c" : "%c", word[i]);
    diff_add(text, room, "\"");
}

static void add_weights(const script_state *named, wend_map *map, int32_t profile, char *text, size_t room) {
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
    uint32_t count = 0;
    if (profile == WEND_PROFILE_NONE || wend_map_get_profile(map, profile, weights, &count)) return;
    diff_add(text, room, "%s\"layers\":{", text[0] ? "," : "");
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t layer = (uint32_t)weights[i].layer;
        const char *name = layer < named->built.layers.count ? named->built.layers.names[layer] : "";
        diff_add(text, room, "%s", i > 0 ? "," : "");
        add_word(text, room, name);
        diff_add(text, room, ":%" PRId32, weights[i].weight);
    }
    diff_add(text, room, "}");
}

void diff_add_way(script_state *const worlds[2], int own, int32_t mover, int32_t profile, char *text, size_t room) {
    const script_state *named = worlds[diff_by_order(worlds) && worlds[own]->recorded ? 1 - own : own];
    const char *name = cli_movers_name(&named->built.movers, mover);
    if (name) diff_add(text, room, "%s\"mover\":", text[0] ? "," : ""), add_word(text, room, name);
    if (!name && mover != WEND_MOVER_DEFAULT) diff_add(text, room, "%s\"mover\":%" PRId32, text[0] ? "," : "", mover);
    add_weights(named, worlds[own]->world.map, profile, text, room);
}

void diff_name_cell(const script_state *script, wend_cell cell, char *out, size_t room) {
    if (script->kind == WEND_KIND_GRAPH)
        snprintf(out, room, "%" PRId32, cell.x);
    else if (script->kind == WEND_KIND_VOXEL)
        snprintf(out, room, "%" PRId32 ",%" PRId32 ",%" PRId32, cell.x, cell.y, cell.z);
    else
        snprintf(out, room, "%" PRId32 ",%" PRId32, cell.x, cell.y);
}
