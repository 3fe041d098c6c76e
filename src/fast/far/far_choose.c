/* SPDX-License-Identifier: MIT */
/* Chooses which pairs of cells at a border become gates.
 *
 * Pairs with the same component on each side are a group: all their cells are connected on each side. So one gate
 * of a group can stand for all of it without losing a way: a step over the border at another pair can be replaced by a
 * walk to the gate, over it, and back. More gates make routes shorter. A run of n pairs gets one in the middle of each
 * of its ceil(n / spacing) equal parts, but none within 3/4 of the spacing of the group's last. */
#include "map/components/labels.h"
#include "fast/far/far_make.h"
#include "map/store/directions.h"

/* Component numbers at a chunk's sides; 0: blocked. There are at most 126. */
typedef uint8_t labels[WEND__CHUNK_SIDE];

static const wend__area *area_of_chunk(const wend__version *view, int32_t column, int32_t row) {
    const wend__area *area = view->labels;
    for (int level = wend__labels_top(view); level > 0; level--)
        area = area->parts[(column >> (level - 1) & 1) | (row >> (level - 1) & 1) << 1];
    return area;
}

static void read_labels(const wend__version *view, wend__far_area a, unsigned side, labels out) {
    static const uint8_t rim_side[4] = {WEND__SIDE_WEST, WEND__SIDE_NORTH, WEND__SIDE_EAST, WEND__SIDE_SOUTH};
    const wend__outline *outline = area_of_chunk(view, a.column, a.row)->outline;
    const uint32_t end = outline->sides[rim_side[side] + 1];
    memset(out, 0, sizeof(labels));
    for (uint32_t i = outline->sides[rim_side[side]]; i < end; i++) {
        const uint32_t until = i + 1 < end ? outline->runs[i + 1].from : WEND__CHUNK_SIDE;
        if (outline->runs[i].label == WEND__NO_LABEL) continue;
        for (uint32_t k = outline->runs[i].from; k < until; k++) out[k] = (uint8_t)(outline->runs[i].label + 1);
    }
}

wend__far_step wend__far_step_over(const wend__version *view, wend__far_area a, unsigned side, uint32_t place) {
    static const uint8_t direction[4] = {WEND__W, WEND__N, WEND__E, WEND__S};
    const wend_cell here = wend__far_cell(a, side, place);
    const wend_cell there = wend__far_cell(wend__far_beyond(a, side), side ^ 2, place);
    const bool out = wend__version_steps(view, here.x, here.y) >> direction[side] & 1;
    const bool in = wend__version_steps(view, there.x, there.y) >> direction[side ^ 2] & 1;
    return (wend__far_step){out ? wend__version_factor(view, there.x, there.y) : 0,
                            in ? wend__version_factor(view, here.x, here.y) : 0};
}

/* Returns whether the step over the border is closed both ways. */
static bool is_shut(const wend__version *view, wend__far_area a, unsigned side, uint32_t place) {
    const wend__far_step step = wend__far_step_over(view, a, side, place);
    return step.out == 0 && step.in == 0;
}

uint32_t wend__far_chunk_runs(const wend__version *view, wend__far_area a, unsigned side, wend__far_run *runs) {
    labels here, there;
    uint32_t count = 0;
    const wend__far_area beyond = wend__far_beyond(a, side);
    const bool closed = view->closed_steps > 0;
    read_labels(view, a, side, here);
    read_labels(view, beyond, side ^ 2, there);
    for (uint32_t i = 0; i < WEND__CHUNK_SIDE; i++) {
        const bool gate = here[i] && there[i] && !(closed && is_shut(view, a, side, i));
        wend__far_run *last = count > 0 ? &runs[count - 1] : NULL;
        if (!gate) continue;
        if (last && last->end == i && last->here == here[i] && last->there == there[i])
            last->end++;
        else
            runs[count++] = (wend__far_run){(uint16_t)i, (uint16_t)(i + 1), here[i], there[i]};
    }
    return count;
}

void wend__far_freeze(const wend__version *view, wend__far_area a, unsigned side, const wend__far_record *beyond,
                      wend__far_draft *draft) {
    labels here;
    uint32_t shut = WEND__FAR_SHUT;
    read_labels(view, a, side, here);
    for (uint32_t i = 0; i < draft->first[4]; i++) shut += draft->component[i] >= WEND__FAR_SHUT;
    for (uint32_t j = beyond->first[side ^ 2]; j < beyond->first[(side ^ 2) + 1]; j++) {
        const uint32_t place = wend__far_places(beyond)[j], i = draft->first[4]++;
        WEND__DEBUG_ASSERT(i < WEND__FAR_GATES);
        const wend_cell cell = wend__far_cell(a, side, place);
        draft->place[i] = (uint16_t)place;
        draft->component[i] = here[place];
        if (!here[place]) draft->component[i] = (uint8_t)(shut < UINT8_MAX ? shut++ : shut);
        draft->out[i] = (uint8_t)wend__far_crossing(beyond, j, true);
        draft->in[i] = wend__version_factor(view, cell.x, cell.y);
    }
}

/* ---- choosing ---- */

enum { NOT_YET = INT32_MIN / 2 };

/* The place of the last gate of a run's group. */
static int32_t *last_of(const wend__far_run *runs, uint32_t run, int32_t *last, uint32_t *group) {
    for (uint32_t i = 0; i < run; i++)
        if (runs[i].here == runs[run].here && runs[i].there == runs[run].there) {
            group[run] = group[i];
            return &last[group[i]];
        }
    group[run] = run;
    last[run] = NOT_YET;
    return &last[run];
}

void wend__far_choose(int32_t level, const wend__far_run *runs, uint32_t count, wend__far_draft *draft) {
    int32_t last[WEND__FAR_RUNS];
    uint32_t group[WEND__FAR_RUNS];
    const uint32_t spacing = 16u << 2 * level, begin = draft->first[4];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cells = (uint32_t)(runs[i].end - runs[i].begin), parts = (cells + spacing - 1) / spacing;
        int32_t *before = last_of(runs, i, last, group);
        for (uint32_t k = 0; k < parts && draft->first[4] - begin < WEND__FAR_SIDE_GATES; k++) {
            const int32_t place = (int32_t)(runs[i].begin + cells * (2 * k + 1) / (2 * parts));
            if (place - *before < (int32_t)(spacing * 3 / 4)) continue;
            WEND__DEBUG_ASSERT(draft->first[4] < WEND__FAR_GATES);
            draft->place[draft->first[4]] = (uint16_t)place;
            draft->component[draft->first[4]++] = runs[i].here;
            *before = place;
        }
    }
}
