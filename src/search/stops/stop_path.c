/* SPDX-License-Identifier: MIT */
/* Keeps and reads the path of a jump search with stops: from the goal back, a jump or a link at a time. */
#include "search/stops/stop_search.h"
#include "map/store/directions.h"
#include "search/jump/jump_lines.h"
#include "search/rules/distance.h"
#include "search/stops/stop_nodes.h"
#include "search/stops/stop_queue.h"
#include "search/store/lead.h"

#include <string.h>

static uint32_t start_of(const wend__search *s) {
    return wend__stop_cell(s->start.x, s->start.y);
}

/* The steps from one node to the next: a link is one, a jump goes diagonally and then straight. */
static uint32_t steps_between(uint32_t from, uint32_t to, uint8_t flags) {
    const uint32_t dx = wend__distance(wend__stop_x(from), wend__stop_x(to));
    const uint32_t dy = wend__distance(wend__stop_y(from), wend__stop_y(to));
    return flags & WEND__STOP_BY_LINK ? 1 : dx > dy ? dx : dy;
}

/* A node's parent is the cell before it, and its g becomes the place of that cell's node. */
void wend__stop_path_keep(wend__search *s) {
    uint32_t cell = wend__stop_of(s)->goal_cell;
    s->steps = 0;
    for (wend__stop_node *node = &wend__stop_of(s)->goal; cell != start_of(s);) {
        const uint32_t before = node->parent;
        s->steps += steps_between(before, cell, node->flags);
        node->g = before == start_of(s) ? 0 : wend__stop_place_find(s, before); /* the start's node is never read */
        if (before == start_of(s)) break;
        cell = before;
        node = wend__stop_node_at(s, node->g);
    }
}

static leap leap_to(const wend__stop_node *node, int32_t x, int32_t y) {
    return leap_between(wend__stop_x(node->parent), wend__stop_y(node->parent), x, y);
}

void wend__stop_path_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    const wend__stop_node *node = &wend__stop_of(s)->goal;
    uint32_t cell = wend__stop_of(s)->goal_cell;
    int32_t x = wend__stop_x(cell), y = wend__stop_y(cell);
    uint64_t i = s->steps;
    if (s->steps == 0 && count > 0) *out = s->start; /* also where no search was needed */
    if (s->steps == 0) return;
    if (i < count) out[i] = (wend_cell){x, y, 0};
    while (i > 0) {
        const leap l = leap_to(node, x, y);
        const bool link = node->flags & WEND__STOP_BY_LINK;
        for (unsigned part = 0; part < 2 && !link; part++) {
            const unsigned way = part == 0 ? l.straight_way : l.diagonal_way;
            for (uint32_t left = part == 0 ? l.straight : l.diagonal; left > 0; left--) {
                x -= wend__dx[way & 7], y -= wend__dy[way & 7];
                if (--i < count) out[i] = (wend_cell){x, y, 0};
            }
        }
        x = l.x, y = l.y;
        if (link && --i < count) out[i] = (wend_cell){x, y, 0};
        node = wend__stop_node_at(s, node->g);
    }
}

static bool leads_over_links(const wend__search *s) {
    uint64_t i = s->steps;
    const wend__stop_node *node = &wend__stop_of(s)->goal;
    for (uint32_t cell = wend__stop_of(s)->goal_cell; i > 0;
         cell = node->parent, node = wend__stop_node_at(s, node->g)) {
        if (node->flags & WEND__STOP_BY_LINK) return true;
        i -= steps_between(node->parent, cell, 0);
    }
    return false;
}

bool wend__stop_path_directions(const wend__search *s, uint8_t *out) {
    if (wend__stop_of(s)->links && leads_over_links(s)) return false;
    const wend__stop_node *node = &wend__stop_of(s)->goal;
    int32_t x = wend__stop_x(wend__stop_of(s)->goal_cell), y = wend__stop_y(wend__stop_of(s)->goal_cell);
    for (uint64_t i = s->steps; i > 0;) {
        const leap l = leap_to(node, x, y);
        memset(out + (i -= l.straight), (int)l.straight_way, l.straight);
        memset(out + (i -= l.diagonal), (int)l.diagonal_way, l.diagonal);
        x = l.x, y = l.y;
        node = wend__stop_node_at(s, node->g);
    }
    return true;
}

/* ---- of a running search ---- */

static bool read_lead(const wend__search *s, uint32_t cell, wend__lead *out) {
    const wend__stop_node *node = wend__stop_node_at(s, wend__stop_place_find(s, cell));
    if (node->flags & WEND__STOP_CLOSED) return false;
    const wend_cell at = {wend__stop_x(cell), wend__stop_y(cell), 0};
    *out = (wend__lead){at, cell, node->g, wend__stop_estimate(s, at.x, at.y)};
    return true;
}

void wend__stop_path_leads(wend__search *s, wend__lead_best *best) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    wend__lead held;
    best->read = read_lead;
    wend__lead_offer_chains(best, j->far);
    if (j->is_held && read_lead(s, wend__stop_entry_cell(j->held), &held)) wend__lead_offer(best, &held);
    if (s->best == UINT64_MAX) return;
    const wend_cell goal = {wend__stop_x(j->goal_cell), wend__stop_y(j->goal_cell), 0};
    wend__lead_offer(best, &(wend__lead){goal, j->goal_cell, s->best, 0});
}

int wend__stop_path_back(const wend__search *s, wend__lead *at) {
    if (at->node == start_of(s)) return WEND__HOP_NONE;
    const wend__stop_jump_search *j = wend__stop_of(s);
    const bool goal = s->best != UINT64_MAX && at->node == j->goal_cell;
    const wend__stop_node *node = goal ? &j->goal : wend__stop_node_at(s, wend__stop_place_find(s, at->node));
    at->node = node->parent;
    at->cell = (wend_cell){wend__stop_x(at->node), wend__stop_y(at->node), 0};
    return node->flags & WEND__STOP_BY_LINK ? WEND__HOP_STEP : WEND__HOP_JUMP;
}
