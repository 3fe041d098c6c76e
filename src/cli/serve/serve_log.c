/* SPDX-License-Identifier: MIT */
/* The journal of the server: orders as lines of a script, answered when they are on disk, done again at the start. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

/* ---- lines ---- */

typedef struct log_line {
    char *text;
    size_t used, capacity;
    bool starved;
} log_line;

static void add(log_line *line, const char *text) {
    const size_t length = strlen(text);
    if (line->capacity - line->used <= length) {
        const size_t capacity = (line->used + length) * 2 + 64;
        char *more = line->starved ? NULL : realloc(line->text, capacity);
        line->starved = more == NULL;
        if (more == NULL) return;
        line->text = more;
        line->capacity = capacity;
    }
    memcpy(line->text + line->used, text, length + 1);
    line->used += length;
}

static void add_number(log_line *line, const char *before, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    add(line, before);
    add(line, text);
}

static void add_cell(const serve *server, log_line *line, wend_cell cell) {
    add_number(line, " ", cell.x);
    if (server->kind != WEND_KIND_GRAPH) add_number(line, ",", cell.y);
    if (server->kind == WEND_KIND_VOXEL) add_number(line, ",", cell.z);
}

/* A script's words have no blanks, and no # or = of their own: such bytes become %20 and the like. */
static void add_name(log_line *line, const char *name) {
    char piece[8];
    add(line, " ");
    for (; *name != '\0'; name++) {
        const unsigned char byte = (unsigned char)*name;
        const bool plain = byte > ' ' && byte != 0x7f && strchr("%#=;", byte) == NULL;
        snprintf(piece, sizeof piece, plain ? "%c" : "%%%02x", byte);
        add(line, piece);
    }
}

void serve_log_read_name(char *name) {
    char *out = name;
    unsigned byte;
    for (; *name != '\0'; name++) {
        if (*name == '%' && sscanf(name + 1, "%2x", &byte) == 1) {
            *out++ = (char)byte;
            name += 2;
        } else {
            *out++ = *name;
        }
    }
    *out = '\0';
}

static void end_line(serve *server, log_line *line) {
    if (!line->starved && line->used > 0) serve_journal_line(server->journal, "%s", line->text);
    line->used = 0;
}

/* ---- orders as lines ---- */

static void log_change(serve *server, log_line *line, const wend_live_change *change) {
    static const char *const words[] = {"fill", "step", "link", "unlink"}; /* WEND_LIVE_FILL … */
    add(line, words[change->what]);
    add_cell(server, line, change->from);
    add_cell(server, line, change->to);
    if (change->what == WEND_LIVE_STEP) add(line, change->value ? " open" : " blocked");
    if (change->what == WEND_LIVE_FILL || change->what == WEND_LIVE_LINK) add_number(line, " ", change->value);
    end_line(server, line);
}

static void log_agent(serve *server, log_line *line, const wend_live_order *order) {
    add(line, "agent");
    add_name(line, order->names[0]);
    add_cell(server, line, order->cells[0]);
    add_number(line, " speed=", order->speed_milli);
    add_number(line, " urgency=", order->urgency);
    if (order->mover != NULL) add(line, " mover="), add(line, order->mover);
    if (order->flags & WEND_AGENT_GHOST) add(line, " ghost");
    end_line(server, line);
}

static void log_route(serve *server, log_line *line, const wend_live_order *order) {
    static const char *const modes[] = {" once", " loop", " back"}; /* WEND_ROUTE_… */
    add(line, "route");
    add_name(line, order->names[0]);
    add(line, modes[order->mode]);
    for (uint64_t i = 0; i < order->cell_count; i++) add_cell(server, line, order->cells[i]);
    end_line(server, line);
}

static void log_order(serve *server, log_line *line, const wend_live_order *order) {
    const bool occupy = order->order == WEND_LIVE_ORDER_OCCUPY;
    switch (order->order) {
    case WEND_LIVE_ORDER_EDIT:
        for (uint64_t i = 0; i < order->change_count; i++) log_change(server, line, &order->changes[i]);
        add(line, "publish");
        end_line(server, line);
        break;
    case WEND_LIVE_ORDER_OCCUPY:
    case WEND_LIVE_ORDER_VACATE:
        for (uint64_t i = 0; i < order->cell_count; i++) {
            add(line, occupy ? "occupy" : "vacate");
            add_cell(server, line, order->cells[i]);
            end_line(server, line);
        }
        break;
    case WEND_LIVE_ORDER_AGENT: log_agent(server, line, order); break;
    case WEND_LIVE_ORDER_REMOVE:
        add(line, "remove");
        for (uint64_t i = 0; i < order->name_count; i++) add_name(line, order->names[i]);
        end_line(server, line);
        break;
    default: log_route(server, line, order);
    }
}

/* ---- the journal's answer is the order's ---- */

typedef struct log_waiter {
    serve *server;
    uint64_t reference;
    wend_live_reply reply;
} log_waiter;

static void on_disk(void *context, int error) {
    log_waiter *waiter = context;
    if (error != 0) serve_refuse(&waiter->reply, WEND_LIVE_BUSY, "the journal cannot be written");
    waiter->server->log_waiting--;
    if (waiter->server->live != NULL) wend_live_answer(waiter->server->live, waiter->reference, &waiter->reply);
    free(waiter);
}

bool serve_log_keeps(const serve *server, const wend_live_order *order) {
    switch (order->order) {
    case WEND_LIVE_ORDER_EDIT:
    case WEND_LIVE_ORDER_OCCUPY:
    case WEND_LIVE_ORDER_VACATE:
    case WEND_LIVE_ORDER_AGENT:
    case WEND_LIVE_ORDER_REMOVE:
    case WEND_LIVE_ORDER_ROUTE:
    case WEND_LIVE_ORDER_RESET: return server->journal != NULL;
    default: return false;
    }
}

bool serve_log_write(serve *server, uint64_t reference, const wend_live_order *order, const wend_live_reply *reply) {
    log_waiter *waiter = malloc(sizeof *waiter);
    log_line line = {0};
    int error = ENOMEM;
    if (waiter == NULL) return false;
    *waiter = (log_waiter){server, reference, *reply};
    if (order->order == WEND_LIVE_ORDER_RESET) {
        error = serve_journal_restart(server->journal, on_disk, waiter);
    } else {
        log_order(server, &line, order);
        if (line.starved)
            serve_journal_discard(server->journal);
        else
            error = serve_journal_end_record(server->journal, on_disk, waiter);
        free(line.text);
    }
    if (error == 0) {
        server->log_waiting++;
        return true;
    }
    free(waiter);
    return false;
}

/* ---- the start: the world has the edits, units and routes already ---- */

static bool read_cell(const char *word, wend_cell *out) {
    *out = (wend_cell){0, 0, 0};
    return sscanf(word, "%d,%d,%d", &out->x, &out->y, &out->z) >= 1;
}

/* Agents stand where they were added; another agent may have been added there since this one left. */
static bool add_again(serve *server, char **words, size_t count) {
    wend_live_order order = {.order = WEND_LIVE_ORDER_AGENT, .speed_milli = 250, .cell_count = 1, .name_count = 1};
    wend_places_def places;
    wend_cell cell, free_place;
    size_t found = 0;
    const char *name = words[1];
    if (count < 3 || !read_cell(words[2], &cell)) return false;
    serve_log_read_name(words[1]);
    order.names = &name;
    order.cells = &cell;
    for (size_t i = 3; i < count; i++) {
        if (strncmp(words[i], "speed=", 6) == 0) order.speed_milli = (uint32_t)atoi(words[i] + 6);
        if (strncmp(words[i], "urgency=", 8) == 0) order.urgency = atoi(words[i] + 8);
        if (strncmp(words[i], "mover=", 6) == 0) order.mover = words[i] + 6;
        if (strcmp(words[i], "ghost") == 0) order.flags = WEND_AGENT_GHOST;
    }
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    serve_add(server, &order, &reply);
    if (reply.error == WEND_LIVE_OK) return true;
    wend_places_def_init(&places, sizeof places);
    places.goal = places.from = cell;
    if (wend_map_free_places(server->map, &places, &free_place, 1, &found) != WEND_OK || found == 0) return false;
    cell = free_place;
    reply.error = WEND_LIVE_OK;
    serve_add(server, &order, &reply);
    return reply.error == WEND_LIVE_OK;
}

static bool remove_again(serve *server, char **words, size_t count) {
    for (size_t i = 1; i < count; i++) {
        wend_live_reply reply = {.struct_bytes = sizeof reply};
        serve_log_read_name(words[i]);
        const char *name = words[i];
        wend_live_order order = {.order = WEND_LIVE_ORDER_REMOVE, .owner = 1, .names = &name, .name_count = 1};
        serve_remove(server, &order, &reply);
    }
    return true;
}

static bool order_again(serve *server, char *line) {
    size_t count = 0, capacity = strlen(line) / 2 + 1;
    char **words = malloc(capacity * sizeof *words), *rest = line;
    bool good = words != NULL;
    for (char *word; good && count < capacity && (word = strsep(&rest, " \t")) != NULL;)
        if (*word != '\0' && *word != '#') words[count++] = word;
    if (good && count > 1) {
        if (strcmp(words[0], "agent") == 0) good = add_again(server, words, count);
        if (strcmp(words[0], "remove") == 0) good = remove_again(server, words, count);
    }
    free(words);
    return good;
}

void serve_log_replay(serve *server) {
    serve_journal_line_at at = {0};
    uint64_t failed = 0;
    while (serve_journal_next(&server->past, &at)) {
        char *line = strndup(at.text, at.length);
        failed += line == NULL || !order_again(server, line);
        free(line);
    }
    if (failed > 0)
        cli_note_at(server->options->journal, "%llu lines could not be done again", (unsigned long long)failed);
}
