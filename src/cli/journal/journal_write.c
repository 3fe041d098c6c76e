/* SPDX-License-Identifier: MIT */
/* Orders as lines of a script. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/journal/journal_orders.h"

enum { CELL_BYTES = 40 };

const char *serve_name_write(const char *name, char out[SERVE_NAME_BYTES]) {
    size_t used = 0;
    const bool is_to = strcmp(name, "to") == 0;
    for (const char *at = name; *at != '\0' && used + 4 < SERVE_NAME_BYTES; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool plain = c > ' ' && c != 0x7F && strchr("%#=", c) == NULL && !is_to;
        used += (size_t)snprintf(out + used, SERVE_NAME_BYTES - used, plain ? "%c" : "%%%02x", c);
    }
    return out;
}

static const char *put_cell(int32_t kind, wend_cell cell, char out[CELL_BYTES]) {
    if (kind == WEND_KIND_GRAPH)
        snprintf(out, CELL_BYTES, "%" PRId32, cell.x);
    else if (kind == WEND_KIND_VOXEL)
        snprintf(out, CELL_BYTES, "%" PRId32 ",%" PRId32 ",%" PRId32, cell.x, cell.y, cell.z);
    else
        snprintf(out, CELL_BYTES, "%" PRId32 ",%" PRId32, cell.x, cell.y);
    return out;
}

static void write_change(serve_journal *journal, int32_t kind, const wend_live_change *change) {
    char from[CELL_BYTES], to[CELL_BYTES], value[16];
    put_cell(kind, change->from, from);
    put_cell(kind, change->to, to);
    snprintf(value, sizeof value, "%" PRId32, change->value);
    const char *ground = change->value == WEND_CLASS_BLOCKED ? "blocked" : value;
    switch (change->what) {
    case WEND_LIVE_FILL:
        if (strcmp(from, to) == 0)
            serve_journal_line(journal, "set %s %s", from, ground);
        else
            serve_journal_line(journal, "fill %s %s %s", from, to, ground);
        break;
    case WEND_LIVE_STEP:
        serve_journal_line(journal, "step %s %s %s", from, to, change->value ? "open" : "blocked");
        break;
    case WEND_LIVE_LINK: serve_journal_line(journal, "link %s %s %s", from, to, value); break;
    default: serve_journal_line(journal, "unlink %s %s", from, to); break;
    }
}

static void write_agent(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    char name[SERVE_NAME_BYTES], cell[CELL_BYTES], mover[SERVE_NAME_BYTES] = "";
    if (order->mover != NULL) serve_name_write(order->mover, mover);
    serve_journal_part(journal, "agent %s %s speed=%" PRIu32, serve_name_write(order->names[0], name),
                       put_cell(kind, order->cells[0], cell), order->speed_milli);
    if (order->urgency != 0) serve_journal_part(journal, " urgency=%" PRId32, order->urgency);
    if (order->mover != NULL) serve_journal_part(journal, " mover=%s", mover);
    serve_journal_line(journal, (order->flags & WEND_AGENT_GHOST) != 0 ? " ghost" : "");
}

static void write_names(serve_journal *journal, const char *word, const wend_live_order *order) {
    char name[SERVE_NAME_BYTES];
    serve_journal_part(journal, "%s", word);
    for (uint64_t i = 0; i < order->name_count; i++)
        serve_journal_part(journal, " %s", serve_name_write(order->names[i], name));
}

static void write_go(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    char cell[CELL_BYTES];
    write_names(journal, "go", order);
    serve_journal_part(journal, " to %s", put_cell(kind, order->cells[0], cell));
    if (order->reach != 0) serve_journal_part(journal, " reach=%" PRId32, order->reach);
    serve_journal_line(journal, "%s", "");
}

/* A name, a target, and what belongs to it. */
static void write_target(serve_journal *journal, const wend_live_order *order) {
    char name[SERVE_NAME_BYTES], target[SERVE_NAME_BYTES];
    serve_name_write(order->names[0], name);
    serve_name_write(order->target, target);
    if (order->order == WEND_LIVE_ORDER_FOLLOW)
        serve_journal_line(journal, "follow %s %s reach=%" PRId32, name, target, order->reach);
    else if (order->order == WEND_LIVE_ORDER_FLEE)
        serve_journal_line(journal, "flee %s %s distance=%" PRId32 "%s", name, target, order->distance,
                           order->keep ? " keep" : "");
    else
        serve_journal_line(journal, "take %s %s", name, target);
}

static void write_route(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    static const char *const modes[] = {"once", "loop", "back"}; /* WEND_ROUTE_… */
    char cell[CELL_BYTES];
    write_names(journal, "route", order);
    serve_journal_part(journal, " %s", modes[order->mode]);
    for (uint64_t i = 0; i < order->cell_count; i++)
        serve_journal_part(journal, " %s", put_cell(kind, order->cells[i], cell));
    serve_journal_line(journal, "%s", "");
}

/* The cell is where the agent was: a restart has it elsewhere. */
static void write_adjust(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    char cell[CELL_BYTES], mover[SERVE_NAME_BYTES];
    write_names(journal, "adjust", order);
    if (order->cell_count > 0) serve_journal_part(journal, " cell=%s", put_cell(kind, order->cells[0], cell));
    if (order->speed_milli > 0) serve_journal_part(journal, " speed=%" PRIu32, order->speed_milli);
    if (order->has_urgency) serve_journal_part(journal, " urgency=%" PRId32, order->urgency);
    if (order->mover != NULL) serve_journal_part(journal, " mover=%s", serve_name_write(order->mover, mover));
    serve_journal_line(journal, "%s", "");
}

bool serve_journal_keeps(const wend_live_order *order) {
    return order->order <= WEND_LIVE_ORDER_TAKE || order->order == WEND_LIVE_ORDER_RESET ||
           order->order == WEND_LIVE_ORDER_ADJUST || order->order == WEND_LIVE_ORDER_STEER;
}

void serve_journal_write(serve_journal *journal, int32_t kind, const wend_live_order *order) {
    char cell[CELL_BYTES];
    switch (order->order) {
    case WEND_LIVE_ORDER_EDIT:
        for (uint64_t i = 0; i < order->change_count; i++) write_change(journal, kind, &order->changes[i]);
        serve_journal_line(journal, "publish");
        break;
    case WEND_LIVE_ORDER_OCCUPY:
    case WEND_LIVE_ORDER_VACATE:
        for (uint64_t i = 0; i < order->cell_count; i++)
            serve_journal_line(journal, order->order == WEND_LIVE_ORDER_OCCUPY ? "occupy %s" : "vacate %s",
                               put_cell(kind, order->cells[i], cell));
        break;
    case WEND_LIVE_ORDER_AGENT: write_agent(journal, kind, order); break;
    case WEND_LIVE_ORDER_GO: write_go(journal, kind, order); break;
    case WEND_LIVE_ORDER_FOLLOW:
    case WEND_LIVE_ORDER_FLEE:
    case WEND_LIVE_ORDER_TAKE: write_target(journal, order); break;
    case WEND_LIVE_ORDER_STEER:
        write_names(journal, "steer", order);
        serve_journal_line(journal, " %s", put_cell(kind, order->cells[0], cell));
        break;
    case WEND_LIVE_ORDER_HALT:
        write_names(journal, "halt", order);
        serve_journal_line(journal, "%s", "");
        break;
    case WEND_LIVE_ORDER_REMOVE:
        write_names(journal, "remove", order);
        serve_journal_line(journal, "%s", "");
        break;
    case WEND_LIVE_ORDER_ROUTE: write_route(journal, kind, order); break;
    case WEND_LIVE_ORDER_ADJUST: write_adjust(journal, kind, order); break;
    default: break;
    }
}
