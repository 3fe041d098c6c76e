/* SPDX-License-Identifier: MIT */
/* Reads orders from the lines of a journal, record by record. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/shared/messages.h"

/* ---- copies ---- */

static size_t text_bytes(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *put_text(char **at, const char *text) {
    char *out = *at;
    if (text == NULL) return NULL;
    *at = stpcpy(out, text) + 1;
    return out;
}

/* Arrays first, as they are aligned; the texts behind them. */
wend_live_order *serve_order_copy(const wend_live_order *order) {
    const size_t changes = (size_t)order->change_count * sizeof *order->changes;
    const size_t cells = (size_t)order->cell_count * sizeof *order->cells;
    const size_t names = (size_t)order->name_count * sizeof *order->names;
    size_t bytes = sizeof *order + names + changes + cells + text_bytes(order->target) + text_bytes(order->mover);
    for (uint64_t i = 0; i < order->name_count; i++) bytes += text_bytes(order->names[i]);
    wend_live_order *copy = malloc(bytes);
    if (copy == NULL) return NULL;
    *copy = *order;
    const char **own_names = (const char **)(void *)(copy + 1);
    wend_live_change *own_changes = (wend_live_change *)(void *)((char *)own_names + names);
    wend_cell *own_cells = (wend_cell *)(void *)((char *)own_changes + changes);
    char *at = (char *)own_cells + cells;
    if (changes > 0) memcpy(own_changes, order->changes, changes);
    if (cells > 0) memcpy(own_cells, order->cells, cells);
    for (uint64_t i = 0; i < order->name_count; i++) own_names[i] = put_text(&at, order->names[i]);
    copy->names = own_names;
    copy->changes = own_changes;
    copy->cells = own_cells;
    copy->target = put_text(&at, order->target);
    copy->mover = put_text(&at, order->mover);
    copy->message = NULL;
    copy->message_bytes = 0;
    return copy;
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

/* Options such as speed=500 from word `first` on. A number that is out of its range is checked by nobody else. */
static bool read_options(serve_journal_orders *o, size_t first) {
    wend_live_order *order = &o->order;
    bool good = true;
    for (size_t i = first; i < o->word_count && good; i++) {
        const char *word = o->names[i], *equals = strchr(word, '=');
        const char *value = equals != NULL ? equals + 1 : "";
        int32_t speed = 0;
        if (strcmp(word, "ghost") == 0) {
            order->flags |= WEND_AGENT_GHOST;
        } else if (strcmp(word, "keep") == 0) {
            order->keep = 1;
        } else if (strncmp(word, "mover=", 6) == 0) {
            serve_name_read((char *)(uintptr_t)value), order->mover = value;
        } else if (strncmp(word, "speed=", 6) == 0) {
            good = read_number(value, &speed) && speed > 0 && speed <= WEND_MAX_SPEED_MILLI;
            order->speed_milli = (uint32_t)speed;
        } else if (strncmp(word, "urgency=", 8) == 0) {
            good = read_number(value, &order->urgency);
            order->has_urgency = 1;
        } else if (strncmp(word, "reach=", 6) == 0) {
            good = read_number(value, &order->reach);
        } else if (strncmp(word, "cell=", 5) == 0) {
            good = read_cell(o, value, o->cells);
            order->cells = o->cells, order->cell_count = 1;
        } else {
            good = strncmp(word, "distance=", 9) == 0 && read_number(value, &order->distance);
        }
    }
    return good && order->urgency >= WEND_URGENCY_MIN && order->urgency <= WEND_URGENCY_MAX;
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
    o->order.speed_milli = 250;
    return read_options(o, 3);
}

/* Names, then options, one at least. */
static bool read_adjust(serve_journal_orders *o) {
    size_t end = 1;
    while (end < o->word_count && strchr(o->names[end], '=') == NULL) end++;
    return end < o->word_count && read_names(o, end) && read_options(o, end);
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

/* ---- lines ---- */

/* The order that a line's first word names; −1: none that is kept. */
static int32_t order_named(const char *word) {
    static const char *const words[] = {
#define WEND_X(name, number, text) [number] = text,
        WEND_LIVE_ORDERS(WEND_X)
#undef WEND_X
    };
    for (int32_t kind = WEND_LIVE_ORDER_OCCUPY; kind < (int32_t)(sizeof words / sizeof words[0]); kind++) {
        const wend_live_order order = {.order = kind};
        if (strcmp(word, words[kind]) == 0 && kind != WEND_LIVE_ORDER_RESET && serve_journal_keeps(&order)) return kind;
    }
    return -1;
}

/* The rest of such a line, but of OCCUPY and VACATE. */
static bool read_order(serve_journal_orders *o) {
    switch (o->order.order) {
    case WEND_LIVE_ORDER_AGENT:
    case WEND_LIVE_ORDER_STEER: return read_placed(o);
    case WEND_LIVE_ORDER_GO: return read_go(o);
    case WEND_LIVE_ORDER_FOLLOW:
    case WEND_LIVE_ORDER_FLEE:
    case WEND_LIVE_ORDER_TAKE: return read_target(o);
    case WEND_LIVE_ORDER_HALT:
    case WEND_LIVE_ORDER_REMOVE: return read_names(o, o->word_count);
    case WEND_LIVE_ORDER_ROUTE: return read_route(o);
    default: return read_adjust(o);
    }
}

static bool keep_units(serve_journal_orders *o) {
    const size_t more = (size_t)o->order.cell_count;
    if (o->unit_count + more > o->unit_capacity) {
        const size_t capacity = 2 * (o->unit_count + more);
        wend_cell *units = realloc(o->units, capacity * sizeof *units);
        if (units == NULL) return false;
        o->units = units;
        o->unit_capacity = capacity;
    }
    memcpy(o->units + o->unit_count, o->order.cells, more * sizeof *o->units);
    o->unit_count += more;
    return true;
}

/* ---- records ---- */

static const char no_memory[] = "out of memory";
static const char not_an_order[] = "no order reads like this";
static const char not_an_edit[] = "no edit goes on like this";

/* These return NULL, or what is wrong. */

static const char *keep_order(serve_journal_orders *o, serve_journal_record *record) {
    if (record->count == record->capacity) {
        const size_t capacity = record->capacity == 0 ? 16 : record->capacity * 2;
        wend_live_order **orders = realloc(record->orders, capacity * sizeof *orders);
        if (orders == NULL) return no_memory;
        record->orders = orders;
        record->capacity = capacity;
    }
    wend_live_order *copy = serve_order_copy(&o->order);
    if (copy == NULL) return no_memory;
    record->orders[record->count++] = copy;
    o->order = (wend_live_order){.struct_bytes = sizeof o->order, .owner = 1};
    return NULL;
}

/* Units of several lines are one order, as they came: all of its cells or none. */
static const char *end_units(serve_journal_orders *o, serve_journal_record *record, int32_t kind) {
    if (o->unit_count == 0) return NULL;
    o->order = (wend_live_order){
        .struct_bytes = sizeof o->order, .order = kind, .owner = 1, .cells = o->units, .cell_count = o->unit_count};
    o->unit_count = 0;
    return keep_order(o, record);
}

static const char *read_change_line(serve_journal_orders *o, serve_journal_record *record, bool *is_change) {
    wend_live_change change;
    const int changed = read_change(o, &change);
    *is_change = changed != 0;
    if (changed < 0) return not_an_edit;
    if (changed > 0) return keep_change(o, change) ? NULL : no_memory;
    if (o->order.change_count == 0) return NULL;
    *is_change = true;
    if (strcmp(o->names[0], "publish") != 0 || o->word_count != 1) return not_an_edit;
    o->order.order = WEND_LIVE_ORDER_EDIT;
    return keep_order(o, record);
}

static const char *read_line(serve_journal_orders *o, serve_journal_record *record, int32_t *units) {
    bool is_change;
    if (memchr(o->at.text, '\0', o->at.length) != NULL) return "a zero byte is not text";
    if (!make_room(o, o->at.length + 2)) return no_memory;
    split(o);
    if (o->word_count == 0) return NULL;
    const int32_t kind = order_named(o->names[0]);
    if (kind != *units || kind < 0) {
        const char *wrong = end_units(o, record, *units);
        if (wrong != NULL) return wrong;
    }
    *units = -1;
    const char *wrong = read_change_line(o, record, &is_change);
    if (wrong != NULL || is_change) return wrong;
    if (kind < 0) return not_an_order;
    o->order.order = kind;
    if (kind != WEND_LIVE_ORDER_OCCUPY && kind != WEND_LIVE_ORDER_VACATE)
        return read_order(o) ? keep_order(o, record) : not_an_order;
    if (!read_cells(o, 1)) return not_an_order;
    *units = kind;
    return keep_units(o) ? NULL : no_memory;
}

static void begin_record(serve_journal_orders *o, serve_journal_record *out) {
    for (size_t i = 0; i < out->count; i++) free(out->orders[i]);
    out->count = 0;
    out->wrong = NULL;
    out->line = out->wrong_line = 0;
    o->unit_count = 0;
    o->order = (wend_live_order){.struct_bytes = sizeof o->order, .owner = 1};
}

int serve_journal_next_record(serve_journal_orders *o, serve_journal_record *out, bool *found) {
    int32_t units = -1;
    begin_record(o, out);
    for (serve_journal_line_at before = o->at; serve_journal_next(o->past, &o->at); before = o->at) {
        if (out->line > 0 && o->at.record != out->number) {
            o->at = before; /* the next record begins here */
            break;
        }
        if (out->line == 0) out->line = o->at.line, out->number = o->at.record;
        if (out->wrong == NULL) out->wrong = read_line(o, out, &units), out->wrong_line = o->at.line;
    }
    if (out->wrong == NULL) out->wrong = end_units(o, out, units);
    if (out->wrong == NULL && o->order.change_count > 0) out->wrong = not_an_edit;
    *found = out->line > 0;
    return out->wrong == no_memory ? cli_fail(no_memory) : -1;
}

/* ---- records that were refused ---- */

static const char void_word[] = "# void ";

void serve_journal_write_void(serve_journal *journal, uint64_t record) {
    serve_journal_line(journal, "%s%" PRIu64, void_word, record);
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t *one = a, *two = b;
    return *one < *two ? -1 : *one > *two;
}

size_t serve_journal_voids(const serve_journal_past *past, uint64_t **out) {
    serve_journal_line_at at = {0};
    size_t count = 0, capacity = 0;
    *out = NULL;
    while (serve_journal_next(past, &at)) {
        uint64_t number;
        if (at.length < sizeof void_word || memcmp(at.text, void_word, sizeof void_word - 1) != 0) continue;
        if (sscanf(at.text + sizeof void_word - 1, "%" SCNu64, &number) != 1) continue;
        if (count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            uint64_t *more = realloc(*out, capacity * sizeof *more);
            if (more == NULL) return SIZE_MAX;
            *out = more;
        }
        (*out)[count++] = number;
    }
    if (count > 0) qsort(*out, count, sizeof **out, compare_numbers);
    return count;
}

void serve_journal_orders_free(serve_journal_orders *o) {
    free(o->words);
    free(o->names);
    free(o->cells);
    free(o->changes);
    free(o->units);
}

void serve_journal_record_free(serve_journal_record *record) {
    for (size_t i = 0; i < record->count; i++) free(record->orders[i]);
    free(record->orders);
}
