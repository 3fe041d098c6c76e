/* SPDX-License-Identifier: MIT */
/* Checks requests and orders beyond the catalogue: the size of an edit, and fields that graphs lack. */
#define _GNU_SOURCE

#include <string.h>

#include "live/message/message.h"

/* ---- requests ---- */

/* Graphs have no distances. */
static void refuse_on_graph(live_message *message, const int32_t *member, const char *name) {
    if (message->reader.kind == WEND_KIND_GRAPH && wend_order_gave(&message->order, member))
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is not for graphs", name);
}

void live_take_request(live_message *message) {
    wend_order *order = &message->order;
    wend_search_options *options = &order->request.options;
    options->more_goals = order->request.goals.items;
    options->more_goal_count = (uint32_t)order->request.goals.count;
    order->request.def.options = options;
    message->request = order->request.def;
    message->mover = order->request.mover.text;
    message->no_cells = !order->request.with_cells;
    message->at_least = (uint64_t)order->request.at_least;
    refuse_on_graph(message, &order->request.def.reach, "reach");
    refuse_on_graph(message, &options->occupied_within, "occupied_within");
}

/* ---- edits ---- */

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

/* Sorts a box, its least corner first; one of a single cell is a `set`. */
static void tidy(wend_change_item *item) {
    wend_cell *from = &item->change.from, *to = &item->change.to;
    if (item->kind != WEND_ORDER_FILL) return;
    sort(&from->x, &to->x), sort(&from->y, &to->y), sort(&from->z, &to->z);
    if (memcmp(from, to, sizeof *from) == 0) item->kind = WEND_ORDER_SET;
}

/* Returns the cells of a change; a box that is off the map is refused later. */
static uint64_t cells_of(const wend_change_item *item) {
    const wend_cell from = item->change.from, to = item->change.to;
    const uint64_t width = (uint64_t)((int64_t)to.x - from.x) + 1;
    const uint64_t height = (uint64_t)((int64_t)to.y - from.y) + 1;
    const uint64_t depth = (uint64_t)((int64_t)to.z - from.z) + 1;
    const uint64_t most = WEND_MAX_SIDE;
    if (item->kind != WEND_ORDER_FILL) return 1;
    if (width > WEND_MAX_NODES || height > most || depth > most) return 1;
    return width * height * depth;
}

static void check_edit(live_message *message, uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    const live_lists *lists = &message->lists;
    uint64_t cells = 0;
    for (size_t i = 0; i < lists->change_count; i++) {
        tidy(&lists->changes[i]);
        const uint64_t more = cells_of(&lists->changes[i]);
        cells = more > UINT64_MAX - cells ? UINT64_MAX : cells + more;
    }
    if (cells > edit_cells)
        live_reader_fail(reader, WEND_LIVE_TOO_LARGE, "an edit changes at most %llu cells",
                         (unsigned long long)edit_cells);
    if (lists->change_count == 0) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "the edit changes nothing");
    message->changed_cells = cells;
}

/* A painted box has no more cells than an edit. */
static void check_paint(live_message *message, uint64_t edit_cells) {
    const wend_cells *cells = &message->order.paint.cells;
    if (cells->count != 2) return;
    wend_change_item item = {WEND_ORDER_FILL, {.from = cells->items[0], .to = cells->items[1]}};
    tidy(&item);
    if (cells_of(&item) > edit_cells)
        live_reader_fail(&message->reader, WEND_LIVE_TOO_LARGE, "a box that is painted has at most %llu cells",
                         (unsigned long long)edit_cells);
}

/* ---- orders ---- */

/* On a graph, only a follower may keep a step away. */
static void check_reach(live_message *message) {
    const wend_order *order = &message->order;
    const int32_t most = order->kind == WEND_ORDER_FOLLOW;
    const bool has_reach = most || order->kind == WEND_ORDER_GO;
    if (message->reader.kind == WEND_KIND_GRAPH && has_reach && order->go.def.reach > most)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"reach\" is a whole number from 0 to %d",
                         (int)most);
}

void live_check_order(live_message *message, uint64_t edit_cells) {
    enum { NAMES_ONLY = 1 };
    const wend_order *order = &message->order;
    if (order->kind == WEND_ORDER_EDIT) check_edit(message, edit_cells);
    if (order->kind == WEND_ORDER_PAINT) check_paint(message, edit_cells);
    if (order->kind == WEND_ORDER_ADJUST && order->given == NAMES_ONLY)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"speed\", \"urgency\" and \"mover\" are missing");
    check_reach(message);
}
