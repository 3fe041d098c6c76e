/* SPDX-License-Identifier: MIT */
/* Scales: weights of steps that lose nothing of their costs, or as little as possible.
 *
 * A number is no rounded distance: rounding would make two ends of a step differ by more than the step costs. It is a
 * distance under lesser weights: integers of which each stands for no more than the step's cost. For costs of 1,000 and
 * 1,414 these are 500 and 707, which lose nothing. A coarser scale is for maps of which a strip has numbers too far
 * apart for its codes, as mazes have. */
#include "map/landmarks/landmark_tables.h"

enum { MOST_PARTS = 512 }; /* of a step's cost */

/* Costs of the kinds of steps that the rules allow. */
static uint32_t costs_of(const wend__version *v, uint32_t costs[WEND__LANDMARK_WEIGHTS]) {
    const wend_map_rules *rules = &v->rules;
    costs[0] = (uint32_t)rules->cost_straight, costs[1] = (uint32_t)rules->cost_diagonal,
    costs[2] = (uint32_t)rules->cost_space;
    if (rules->neighbours == 4 || rules->neighbours == 6) return 1;
    return v->kind == WEND_KIND_VOXEL && rules->neighbours == 26 ? 3 : 2;
}

/* The greatest share of a step's cost that is lost, in 2^32nds, where a straight step has so many parts. */
static uint64_t loss_of(const uint32_t *costs, uint32_t kinds, uint32_t parts) {
    uint64_t most = 0;
    for (uint32_t i = 1; i < kinds; i++) {
        const uint64_t whole = (uint64_t)costs[i] * parts, lost = (whole % costs[0] << 32) / whole;
        if (lost > most) most = lost;
    }
    return most;
}

static wend__landmark_scale scale_of_graph(uint64_t range) {
    const uint64_t most = WEND__LANDMARK_SPAN - 2, rate = (range + most - 1) / most;
    return (wend__landmark_scale){.rate = rate << WEND__LANDMARK_FRACTION, .slack = rate > 1};
}

/* Straight steps lose nothing, as in mazes there are few others. */
wend__landmark_scale wend__landmark_scale_for(const wend__version *v, uint64_t range) {
    uint32_t costs[WEND__LANDMARK_WEIGHTS], best = 1;
    if (v->kind == WEND_KIND_GRAPH) return scale_of_graph(range);
    const uint32_t kinds = costs_of(v, costs);
    uint64_t least = UINT64_MAX, most = (uint64_t)(WEND__LANDMARK_SPAN - 2) * costs[0] / range;
    if (most > MOST_PARTS) most = MOST_PARTS;
    for (uint32_t parts = 1; parts <= most; parts++) {
        const uint64_t loss = loss_of(costs, kinds, parts);
        if (loss < least) least = loss, best = parts;
    }
    wend__landmark_scale scale = {.rate = ((uint64_t)costs[0] << WEND__LANDMARK_FRACTION) / best};
    for (uint32_t kind = 0; kind < kinds; kind++)
        scale.weights[kind] = (uint32_t)((uint64_t)costs[kind] * best / costs[0]);
    return scale;
}
