/* SPDX-License-Identifier: MIT */
/* Sums up what the requests before each request took, and what urgent requests took that were pending together. */
#include <stdlib.h>
#include <string.h>

#include "lab/promises/bounds.h"
#include "lab/shared/array.h"

bool fair_bound_accept(fair_bound *bound, uint64_t frame, uint64_t spent_by_frames) {
    if (!ARRAY_ROOM(bound->list, bound->capacity, (size_t)bound->accepted + 1)) return false;
    bound->list[bound->accepted++] = (fair_record){.asked = frame, .spent_before = spent_by_frames};
    bound->pending++;
    return true;
}

void fair_bound_end(fair_bound *bound, uint64_t number, uint64_t frame, uint64_t spent, bool joint) {
    if (number < bound->front || number >= bound->accepted) return;
    fair_record *ended = &bound->list[number];
    ended->ended = frame;
    ended->spent = spent;
    ended->joint = joint;
    bound->pending--;
    if (joint) bound->joint += spent;
}

/* Expansions before the request came went to older requests. The rest of theirs and its own, and of younger ones that
   may have paid for it, come at the fair lane's share; of more lanes than that each has a smaller one. A whole turn of
   lanes may pass before the first of them is fair, and a round may be a frame. Lanes may be unequal for three turns of
   full lanes. */
uint64_t fair_bound_judge(fair_bound *bound, uint64_t *most) {
    if (bound->front == bound->accepted || bound->list[bound->front].ended == 0) return 0;
    if (bound->shares && bound->pending > 0) return 0;
    const fair_record *oldest = &bound->list[bound->front++];
    bound->spent += oldest->spent;
    if (oldest->joint) bound->joint -= oldest->spent;
    const uint64_t all = bound->spent + bound->joint;
    const uint64_t left = all > oldest->spent_before ? all - oldest->spent_before : 0;
    const uint64_t lanes = bound->lanes < bound->budget ? bound->lanes : bound->budget;
    const uint64_t turn = (bound->share + lanes - 1) / lanes;
    const uint64_t full = bound->budget / lanes < bound->slice ? bound->budget / lanes : bound->slice;
    const uint64_t share = bound->share > lanes ? bound->share : lanes;
    *most = 1 + turn + ((left + 3 * full) * share + bound->budget - 1) / bound->budget;
    return oldest->ended - oldest->asked + 1;
}

void fair_bound_free(fair_bound *bound) {
    free(bound->list);
    *bound = (fair_bound){0};
}

/* ---- urgent requests ---- */

void urgent_bound_accept(urgent_bound *bound) {
    bound->pending++;
}

bool urgent_bound_end(urgent_bound *bound, const urgent_record *ended) {
    bound->pending -= bound->pending > 0;
    if (!ARRAY_ROOM(bound->list, bound->capacity, bound->count + 1)) return false;
    bound->list[bound->count++] = *ended;
    return true;
}

const urgent_record *urgent_bound_judge(urgent_bound *bound, uint64_t *together) {
    if (bound->pending > 0) return NULL;
    if (bound->judged == bound->count) {
        bound->judged = bound->count = 0;
        return NULL;
    }
    const urgent_record *record = &bound->list[bound->judged++];
    *together = 0;
    for (size_t i = 0; i < bound->count; i++) {
        const urgent_record *other = &bound->list[i];
        if (other->asked <= record->ended && record->asked <= other->ended) *together += other->spent;
    }
    return record;
}

void urgent_bound_free(urgent_bound *bound) {
    free(bound->list);
    *bound = (urgent_bound){0};
}
