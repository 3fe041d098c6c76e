/* SPDX-License-Identifier: MIT */
/* Computes the costs of chains of links for a draft, or shares those of the previous version. */
#include "map/chains/link_chains.h"
#include "map/edit/edit.h"
#include "map/ground/ground.h"
#include "map/store/memory.h"
#include "map/store/rules.h"

/* Returns the cost from a box to another on an empty flat grid. */
static uint64_t between_boxes(const wend__version *v, const wend_box *from, const wend_box *to) {
    const uint32_t across = wend__ranges_apart(from->min.x, from->max.x, to->min.x, to->max.x, v->around_x);
    const uint32_t down = wend__ranges_apart(from->min.y, from->max.y, to->min.y, to->max.y, v->around_y);
    const uint32_t longer = across > down ? across : down, shorter = across > down ? down : across;
    return (uint64_t)v->rules.cost_straight * longer +
           (uint64_t)(v->rules.cost_diagonal - v->rules.cost_straight) * shorter;
}

/* All pairs (Floyd 1962). */
static void chain_groups(const wend__version *version, wend__link_chains *out) {
    const wend__links *links = version->links;
    const uint32_t count = links->group_count;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            const wend__link_group *from = &links->groups[a], *to = &links->groups[b];
            out->costs[a][b] = a == b ? 0 : from->cheapest + between_boxes(version, &from->exits, &to->entrances);
        }
    for (uint32_t over = 0; over < count; over++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++) {
                const uint64_t way = out->costs[a][over] + out->costs[over][b];
                if (way < out->costs[a][b]) out->costs[a][b] = way;
            }
}

void wend__link_chains_share(wend__version *version, const wend__version *from) {
    version->link_chains = wend__shared_retain(version->map, from->link_chains);
}

void wend__link_chains_drop(wend__version *version) {
    wend__shared_release(version->map, version->link_chains);
    version->link_chains = NULL;
}

/* The rules may have changed since the batch began: the newest version counts. */
wend_error wend__link_chains_rebuild(wend_edit *edit, uint32_t changes) {
    wend__version *draft = edit->draft;
    const wend__version *before = edit->map->newest;
    (void)changes; /* the rules themselves are compared */
    wend__link_chains_drop(draft);
    if (!wend__links_in_groups(draft->links) || draft->kind != WEND_KIND_GRID || draft->rules.neighbours != 8)
        return WEND_OK;
    if (before->links == draft->links && wend__rules_cost_alike(&before->rules, &draft->rules))
        wend__link_chains_share(draft, before);
    if (draft->link_chains) return WEND_OK;
    wend__link_chains *chains = wend__shared_create(edit->map, sizeof *chains);
    if (!chains) return WEND_OUT_OF_MEMORY;
    chain_groups(draft, chains);
    draft->link_chains = chains;
    return WEND_OK;
}
