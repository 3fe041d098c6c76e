/* SPDX-License-Identifier: MIT */
/* Reads orders from the lines of a journal. Seals say that the lines are as they were written, so any line that is no
 * order is an error of its own. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/shared/messages.h"

static int fail(const serve_journal_orders *o, const char *what) {
    return cli_fail_at(o->file, o->at.line, 1, "%s", what);
}

/* ---- words ---- */

static int digit_of(char c) {
    const char *digits = "0123456789abcdef", *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

void serve_name_read(char *word) {
    char *out = word;
    for (; *word != '\0'; word++) {
        const int high = word[0] == '%' ? digit_of(word[1]) : -1, low = high >= 0 ? digit_of(word[2]) : -1;
        if (low >= 0) word += 2;
        *out++ = low >= 0 ? (char)(high * 16 + low) : *word;
    }
    *out = '\0';
}

/* Room for a line's words, names and cells: there are at most half as many as it has bytes. */
static bool make_room(serve_journal_orders *o, size_t bytes) {
    if (bytes <= o->word_capacity) return true;
    char *words = realloc(o->words, bytes);
    if (words != NULL) o->words = words;
    const char **names = realloc(o->names, bytes * sizeof *names);
    if (names != NULL) o->names = names;
    wend_cell *cells = realloc(o->cells, bytes * sizeof *cells);
    if (cells != NULL) o->cells = cells;
    if (words == NULL || names == NULL || cells == NULL) return false;
    o->word_capacity = bytes;
    return true;
}

/* The line's words, up to a comment, in o->names. */
static void split(serve_journal_orders *o) {
    memcpy(o->words, o->at.text, o->at.length);
    o->words[o->at.length] = '\0';
    o->word_count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(o->words, " \t\r", &rest); word != NULL && word[0] != '#';
         word = strtok_r(NULL, " \t\r", &rest))
        o->names[o->word_count++] = word;
}

static bool read_cell(const serve_journal_orders *o, const char *word, wend_cell *out) {
    int used = 0;
    *out = (wend_cell){0, 0, 0};
    if (o->kind == WEND_KIND_GRAPH) return sscanf(word, "%d%n", &out->x, &used) == 1 && word[used] == '\0';
    if (sscanf(word, "%d,%d%n", &out->x, &out->y, &used) != 2) return false;
    if (word[used] == '\0') return true;
    return sscanf(word, "%d,%d,%d%n", &out->x, &out->y, &out->z, &used) == 3 && word[used] == '\0';
}

static bool read_number(const char *word, int32_t *out) {
    int used = 0;
    return sscanf(word, "%d%n", out, &used) == 1 && word[used] == '\0';
}

/* ---- edits ---- */

static bool read_ground(const char *word, int32_t *out) {
    if (strcmp(word, "blocked") == 0) return *out = WEND_CLASS_BLOCKED, true;
    if (strcmp(word, "open") == 0) return *out = WEND_CLASS_OPEN, true;
    return read_number(word, out);
}

/* @return 1: a change; 0: a line of another kind; −1: an error */
static int read_change(const serve_journal_orders *o, wend_live_change *out) {
    static const struct {
        const char *name;
        int32_t what;
        size_t words;
    } kinds[] = {{"set", WEND_LIVE_FILL, 3},
                 {"fill", WEND_LIVE_FILL, 4},
                 {"step", WEND_LIVE_STEP, 4},
                 {"link", WEND_LIVE_LINK, 4},
                 {"unlink", WEND_LIVE_UNLINK, 3}};
    size_t kind = 0;
    while (kind < 5 && strcmp(o->names[0], kinds[kind].name) != 0) kind++;
    if (kind == 5) return 0;
    if (o->word_count != kinds[kind].words) return -1;
    *out = (wend_live_change){.what = kinds[kind].what};
    const char *last = o->names[o->word_count - 1];
    if (!read_cell(o, o->names[1], &out->from)) return -1;
    out->to = out->from;
    if (kind > 0 && !read_cell(o, o->names[2], &out->to)) return -1;
    if (out->what == WEND_LIVE_FILL && !read_ground(last, &out->value)) return -1;
    if (out->what == WEND_LIVE_STEP) out->value = strcmp(last, "open") == 0;
    if (out->what == WEND_LIVE_LINK && !read_number(last, &out->value)) return -1;
    return 1;
}

static bool keep_change(serve_journal_orders *o, wend_live_change change) {
    const size_t used = (size_t)o->order.change_count;
    if (used == o->change_capacity) {
        const size_t capacity = used == 0 ? 64 : used * 2;
        wend_live_change *changes = realloc(o->changes, capacity * sizeof *changes);
        if (changes == NULL) return false;
        o->changes = changes;
        o->change_capacity = capacity;
    }
    o->changes[used] = change;
    o->order.changes = o->changes;
    o->order.change_count = used + 1;
    return true;
}

/* ---- other orders ---- */

/* Cells of the words from `first` on. */
static bool read_cells(serve_journal_orders *o, size_t first) {
    for (size_t i = first; i < o->word_count; i++)
        if (!read_cell(o, o->names[i], &o->cells[i - first])) return false;
    o->order.cells = o->cells;
    o->order.cell_count = o->word_count - first;
    return o->word_count > first;
}

/* Names are the words from 1 to before `end`; decoded in place. */
static bool read_names(serve_journal_orders *o, size_t end) {
    for (size_t i = 1; i < end; i++) serve_name_read((char *)(uintptr_t)o->names[i]);
    o->order.names = o->names + 1;
    o->order.name_count = end - 1;
    return end > 1;
}

/* Options such as speed=500 from word `first` on. */
static bool read_options(serve_journal_orders *o, size_t first) {
    wend_live_order *order = &o->order;
    int32_t speed = 250;
    bool good = true;
    for (size_t i = first; i < o->word_count && good; i++) {
        const char *word = o->names[i], *equals = strchr(word, '=');
        const char *value = equals != NULL ? equals + 1 : "";
        if (strcmp(word, "ghost") == 0)
            order->flags |= WEND_AGENT_GHOST;
        else if (strcmp(word, "keep") == 0)
            order->keep = 1;
        else if (strncmp(word, "mover=", 6) == 0)
            serve_name_read((char *)(uintptr_t)value), order->mover = value;
        else if (strncmp(word, "speed=", 6) == 0)
            good = read_number(value, &speed);
        else if (strncmp(word, "urgency=", 8) == 0)
            good = read_number(value, &order->urgency);
        else if (strncmp(word, "reach=", 6) == 0)
            good = read_number(value, &order->reach);
        else
            good = strncmp(word, "distance=", 9) == 0 && read_number(value, &order->distance);
    }
    order->speed_milli = (uint32_t)speed;
    return good;
}

static bool read_go(serve_journal_orders *o) {
    size_t to = 1;
    while (to < o->word_count && strcmp(o->names[to], "to") != 0) to++;
    if (to + 1 >= o->word_count || !read_names(o, to) || !read_cell(o, o->names[to + 1], o->cells)) return false;
    o->order.cells = o->cells;
    o->order.cell_count = 1;
    return read_options(o, to + 2);
}

/* A name, a cell, and options. */
static bool read_placed(serve_journal_orders *o) {
    if (o->word_count < 3 || !read_cell(o, o->names[2], o->cells) || !read_names(o, 2)) return false;
    o->order.cells = o->cells;
    o->order.cell_count = 1;
    return read_options(o, 3);
}

/* A name and another one. */
static bool read_target(serve_journal_orders *o) {
    if (o->word_count < 3 || !read_names(o, 2)) return false;
    serve_name_read((char *)(uintptr_t)o->names[2]);
    o->order.target = o->names[2];
    o->order.reach = o->order.order == WEND_LIVE_ORDER_FOLLOW ? 1 : 0;
    o->order.distance = 10;
    return read_options(o, 3);
}

static bool read_route(serve_journal_orders *o) {
    static const char *const modes[] = {"once", "loop", "back"}; /* WEND_ROUTE_… */
    if (o->word_count < 4) return false;
    while (o->order.mode < 3 && strcmp(o->names[2], modes[o->order.mode]) != 0) o->order.mode++;
    return o->order.mode < 3 && read_names(o, 2) && read_cells(o, 3);
}

/* @return 1: an order; 0: a line that is none; −1: an error */
static int read_order(serve_journal_orders *o) {
    static const char *const words[] = {
#define WEND_X(name, number, text) [number] = text,
        WEND_LIVE_ORDERS(WEND_X)
#undef WEND_X
    };
    const int32_t end = (int32_t)(sizeof words / sizeof words[0]);
    int32_t kind = WEND_LIVE_ORDER_OCCUPY;
    while (kind < end && strcmp(o->names[0], words[kind]) != 0) kind++;
    o->order.order = kind;
    switch (kind) {
    case WEND_LIVE_ORDER_OCCUPY:
    case WEND_LIVE_ORDER_VACATE: return read_cells(o, 1) ? 1 : -1;
    case WEND_LIVE_ORDER_AGENT:
    case WEND_LIVE_ORDER_STEER: return read_placed(o) ? 1 : -1;
    case WEND_LIVE_ORDER_GO: return read_go(o) ? 1 : -1;
    case WEND_LIVE_ORDER_FOLLOW:
    case WEND_LIVE_ORDER_FLEE:
    case WEND_LIVE_ORDER_TAKE: return read_target(o) ? 1 : -1;
    case WEND_LIVE_ORDER_HALT:
    case WEND_LIVE_ORDER_REMOVE: return read_names(o, o->word_count) ? 1 : -1;
    case WEND_LIVE_ORDER_ROUTE: return read_route(o) ? 1 : -1;
    default: return 0;
    }
}

int serve_journal_next_order(serve_journal_orders *o, bool *found) {
    wend_live_change change;
    o->order = (wend_live_order){.struct_bytes = sizeof o->order, .owner = 1};
    while ((*found = serve_journal_next(o->past, &o->at))) {
        if (!make_room(o, o->at.length + 2)) return cli_fail("out of memory");
        split(o);
        if (o->word_count == 0) continue;
        if (o->order.change_count == 0) o->line = o->at.line;
        const int changed = read_change(o, &change);
        if (changed > 0 && !keep_change(o, change)) return cli_fail("out of memory");
        if (changed > 0) continue;
        if (changed == 0 && strcmp(o->names[0], "publish") == 0 && o->order.change_count > 0) {
            o->order.order = WEND_LIVE_ORDER_EDIT;
            return -1;
        }
        if (changed < 0 || o->order.change_count > 0) return fail(o, "no edit goes on like this");
        const int read = read_order(o);
        if (read > 0) return -1;
        if (read < 0) return fail(o, "no order reads like this");
    }
    return -1;
}

void serve_journal_orders_free(serve_journal_orders *o) {
    free(o->words);
    free(o->names);
    free(o->cells);
    free(o->changes);
}
