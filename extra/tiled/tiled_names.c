/* SPDX-License-Identifier: MIT */
/* Which names of properties, layers and objects block, and which are costs. */
#include "tiled/tiled.h"

#include <stdio.h>

enum { PROPERTY = WEND__NAMES_PROPERTY, LAYER = WEND__NAMES_LAYER, ALL = WEND__NAMES_ALL };

/* The names that people give to what blocks, as found in public maps. The first is wend's own. */
static const wend__tiled_name common_blocked[] = {
    {.text = "blocked", .where = ALL, .known = true},
    {.text = "collides", .where = PROPERTY},
    {.text = "collide", .where = ALL},
    {.text = "ge_collide", .where = PROPERTY},
    {.text = "collision", .where = ALL},
    {.text = "collisions", .where = LAYER},
    {.text = "solid", .where = ALL},
    {.text = "wall", .where = PROPERTY},
    {.text = "walls", .where = LAYER},
    {.text = "obstacle", .where = PROPERTY},
    {.text = "obstacles", .where = LAYER},
    {.text = "walkable", .where = PROPERTY, .inverted = true},
    {.text = "passable", .where = PROPERTY, .inverted = true},
};
static const wend__tiled_name common_costs[] = {
    {.text = "cost", .known = true}, {.text = "weight"}, {.text = "movementCost"}, {.text = "ge_cost"}};

/// Takes the first common name and the caller's, or all common ones.
static bool take_list(wend__tiled_names *to, const wend__tiled_name *common, size_t common_count,
                      const char *const *theirs, size_t count) {
    to->count = theirs ? 1 : common_count;
    memcpy(to->list, common, to->count * sizeof *common);
    if (!theirs) return count == 0;
    if (count > WEND_TILED_MAX_NAMES) return false;
    for (size_t i = 0; i < count; i++) {
        const char *text = theirs[i];
        const bool inverted = text && *text == '!';
        if (!text || !text[inverted]) return false;
        to->list[to->count++] =
            (wend__tiled_name){.text = text + inverted, .where = ALL, .inverted = inverted, .known = true};
    }
    return true;
}

bool wend__tiled_names_take(wend__tiled_names *blocked, wend__tiled_names *costs, const wend_tiled_def *how) {
    const size_t blocked_count = sizeof common_blocked / sizeof *common_blocked;
    const size_t cost_count = sizeof common_costs / sizeof *common_costs;
    return take_list(blocked, common_blocked, blocked_count, how->blocked_names, how->blocked_name_count) &&
           take_list(costs, common_costs, cost_count, how->cost_names, how->cost_name_count);
}

/// Returns the value of a property of this name in any case; NULL: there is none.
static const json_t *find_value(const json_t *owner, const char *name) {
    const json_t *list = json_object_get(owner, "properties");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *property = json_array_get(list, i);
        const char *its = wend__tiled_string(property, "name");
        if (its && wend__tiled_same_name(its, name)) return json_object_get(property, "value");
    }
    return NULL;
}

/* wend's own property must be right; others may mean something else, and then say nothing. */
wend_error wend__tiled_blocks(const wend__tiled *t, const json_t *owner, const char *what, bool *said,
                              wend__tiled_name **by) {
    json_t *own;
    *said = false, *by = NULL;
    wend_error error = wend__tiled_property(t, owner, what, "blocked", &own);
    if (error) return error;
    for (size_t i = 0; i < t->blocked->count && !*by; i++) {
        wend__tiled_name *name = &t->blocked->list[i];
        if (!(name->where & PROPERTY)) continue;
        const json_t *value = find_value(owner, name->text);
        const int32_t truth = value ? wend__tiled_truth(value) : -1;
        if (value && truth < 0 && i == 0)
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property 'blocked' must be true or false (type bool)",
                                    what);
        if (truth < 0) continue;
        *said = true;
        if (truth == (name->inverted ? 0 : 1)) *by = name;
        if (i == 0) break;
    }
    return WEND_OK;
}

wend__tiled_name *wend__tiled_blocking_name(const wend__tiled *t, const char *text, int32_t where) {
    if (!text) return NULL;
    for (size_t i = 0; i < t->blocked->count; i++) {
        wend__tiled_name *name = &t->blocked->list[i];
        if (i == 0 && t->how.blocked_names) continue; /* the caller's names stand in place of this one */
        if ((name->where & where) && !name->inverted && wend__tiled_same_name(text, name->text)) return name;
    }
    return NULL;
}

wend_error wend__tiled_cost(const wend__tiled *t, const json_t *owner, const char *what, int32_t *out) {
    json_t *own;
    int64_t cost;
    *out = 0;
    wend_error error = wend__tiled_property(t, owner, what, "cost", &own);
    if (error) return error;
    for (size_t i = 0; i < t->costs->count && !*out; i++) {
        wend__tiled_name *name = &t->costs->list[i];
        const json_t *value = find_value(owner, name->text);
        if (!value) continue;
        const bool good = wend__tiled_integer(value, &cost) && cost >= 1 && cost <= 255;
        if (!good && i == 0)
            return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                    "%s: property 'cost' must be a whole number from 1 to 255 (type int)", what);
        if (!good)
            wend__tiled_note(t, WEND__NOTE_COST, "%s: '%.40s' is no whole number from 1 to 255: left out", what,
                             name->text);
        if (!good) continue;
        name->tiles++;
        *out = (int32_t)cost;
    }
    return WEND_OK;
}
