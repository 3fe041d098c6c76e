/* SPDX-License-Identifier: MIT */
/* Orders of clients as lines of a script. */
#define _GNU_SOURCE
#include "cli/journal/journal_orders.h"

bool serve_journal_keeps(const wend_live_order *order) {
    return order->order <= WEND_LIVE_ORDER_TAKE || order->order == WEND_LIVE_ORDER_RESET ||
           order->order == WEND_LIVE_ORDER_ADJUST || order->order == WEND_LIVE_ORDER_STEER;
}

static void write_line(serve_journal *journal, int32_t kind, const wend__order *order) {
    wend__order_write(order, wend__kind_axes(kind), serve_journal_put, journal);
    serve_journal_put(journal, "\n", 1);
}

static void write_edit(serve_journal *journal, int32_t kind, const wend_live_order *edit) {
    static const int32_t kinds[] = {[WEND_LIVE_FILL] = WEND__ORDER_FILL,
                                    [WEND_LIVE_STEP] = WEND__ORDER_STEP,
                                    [WEND_LIVE_LINK] = WEND__ORDER_LINK,
                                    [WEND_LIVE_UNLINK] = WEND__ORDER_UNLINK};
    wend__order order = {.kind = WEND__ORDER_PUBLISH};
    for (uint64_t i = 0; i < edit->change_count; i++) {
        const wend_live_change *change = &edit->changes[i];
        order = (wend__order){.kind = kinds[change->what], .change = {change->from, change->to, change->value}};
        const bool one = memcmp(&change->from, &change->to, sizeof change->from) == 0;
        if (order.kind == WEND__ORDER_FILL && one) order.kind = WEND__ORDER_SET;
        write_line(journal, kind, &order);
    }
    order.kind = WEND__ORDER_PUBLISH;
    write_line(journal, kind, &order);
}

/* A line for each unit. */
static void write_units(serve_journal *journal, int32_t kind, const wend_live_order *units) {
    wend__order order = {.kind = units->order == WEND_LIVE_ORDER_OCCUPY ? WEND__ORDER_OCCUPY : WEND__ORDER_VACATE};
    for (uint64_t i = 0; i < units->cell_count; i++) {
        order.cells = (wend__cells){&units->cells[i], 1};
        write_line(journal, kind, &order);
    }
}

/* The cell is where the agent was: a restart has it elsewhere. */
static void fill_adjust(const wend_live_order *from, wend__order *out) {
    out->adjust.speed_milli = from->speed_milli;
    out->adjust.urgency = from->urgency;
    out->adjust.mover = wend__named(from->mover);
    if (from->cell_count > 0) out->adjust.cell = from->cells[0], wend__order_give(out, &out->adjust.cell);
    if (from->speed_milli > 0) wend__order_give(out, &out->adjust.speed_milli);
    if (from->has_urgency) wend__order_give(out, &out->adjust.urgency);
    if (from->mover != NULL) wend__order_give(out, &out->adjust.mover);
}

/* An order of agents, in the catalogue's struct. @return false: it is of another kind */
static bool fill_order(const wend_live_order *from, wend__order *out) {
    const wend__names names = {.texts = from->names, .count = (size_t)from->name_count};
    const wend__name name = wend__named(from->name_count > 0 ? from->names[0] : NULL),
                     target = wend__named(from->target);
    const wend_cell cell = from->cell_count > 0 ? from->cells[0] : (wend_cell){0, 0, 0};
    const int32_t kind = serve_order_kind(from->order);
    if (kind < 0) return false;
    *out = (wend__order){.kind = kind};
    switch (kind) {
    case WEND__ORDER_AGENT:
        out->agent.name = name, out->agent.mover = wend__named(from->mover), out->agent.def.cell = cell;
        out->agent.def.speed_milli = from->speed_milli, out->agent.def.urgency = from->urgency;
        out->agent.def.flags = from->flags;
        break;
    case WEND__ORDER_GO:
    case WEND__ORDER_FOLLOW:
    case WEND__ORDER_FLEE:
        out->go.names = names, out->go.name = name, out->go.target = target, out->go.def.cell = cell;
        out->go.def.reach = from->reach, out->go.def.distance = from->distance, out->go.def.keep = from->keep;
        break;
    case WEND__ORDER_STEER: out->steer.name = name, out->steer.cell = cell; break;
    case WEND__ORDER_ROUTE:
        out->route.name = name, out->route.mode = from->mode;
        out->route.cells = (wend__cells){from->cells, (size_t)from->cell_count};
        break;
    case WEND__ORDER_TAKE: out->take.name = name, out->take.route = target; break;
    case WEND__ORDER_ADJUST:
        out->adjust.names = names;
        fill_adjust(from, out);
        break;
    default: out->names = names; break;
    }
    return true;
}

void serve_journal_write(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    wend__order line;
    if (order->order == WEND_LIVE_ORDER_EDIT)
        write_edit(journal, kind, order);
    else if (order->order == WEND_LIVE_ORDER_OCCUPY || order->order == WEND_LIVE_ORDER_VACATE)
        write_units(journal, kind, order);
    else if (fill_order(order, &line))
        write_line(journal, kind, &line);
}
