/* SPDX-License-Identifier: MIT */
/* Internal: the catalogue of orders: everything that a world can be ordered to do. An order is a typed struct of
 * wend/order.h. One table has a row for each order, which describes its fields; readers and writers are loops over
 * the fields of a row.
 *
 * table.c        the rows values.c       fields as numbers, their ranges; rows by name; limits of a service by name
 * write_text.c   an order as a line of a script read_text.c    a line of a script as an order write_json.c   an
 * order as a JSON object write_reply.c  completions and events as JSON, and strings copy.c         a copy of an
 * order   avoiding.h     the mover of an order that avoids classes
 *
 * server/live reads JSON by the same table. The room uses base and public types only. */
#ifndef WEND_SRC_ORDERS_ORDERS_H
#define WEND_SRC_ORDERS_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <wend/order.h>
#include <wend/service_tuning.h>
#include <wend/search_options.h>

/* ---- values ---- */

/// Returns the name of an object by its number, such as a12; or by its text.
static inline wend_name wend__numbered(char letter, int64_t number) {
    return (wend_name){.letter = letter, .number = number};
}

static inline wend_name wend__named(const char *text) {
    return (wend_name){.text = text, .length = text ? (uint32_t)strlen(text) : 0};
}

/// Returns the names of movers by their bits.
static inline wend_names wend__movers_of(uint32_t bits) {
    wend_names names = {.bits = bits};
    for (; bits; bits &= bits - 1) names.count++;
    return names;
}

static inline wend_name wend__names_at(const wend_names *names, size_t index) {
    if (names->items) return names->items[index];
    if (names->bits) {
        uint32_t bits = names->bits;
        int32_t mover = 0;
        for (; index > 0; index--) bits &= bits - 1;
        while (!(bits >> mover & 1)) mover++;
        return mover == 0 ? wend__named("default") : wend__numbered('m', mover);
    }
    return names->texts ? wend__named(names->texts[index]) : wend__numbered('a', names->ids[index].index);
}

/* ---- the table ---- */

/// Kinds of values, with their C types.
typedef enum wend__order_field_kind {
    WEND__NUMBER,  ///< an integer of 4 or 8 bytes; signed if its least is negative. Some values may have words
    WEND__CHOICE,  ///< int32_t: one of the words
    WEND__MILLI,   ///< int32_t: thousandths; written as a decimal
    WEND__FLAG,    ///< bool; written as the field's name alone
    WEND__SWITCH,  ///< bool; only in JSON, as true or false
    WEND__CELL,    ///< wend_cell
    WEND__CELLS,   ///< wend_cells: from least to most of them
    WEND__NAME,    ///< wend_name
    WEND__ID,      ///< wend_name, or a whole number in JSON
    WEND__NAMES,   ///< wend_names: one at least
    WEND__FACTORS, ///< wend_factors
    WEND__CLASSES, ///< wend_classes: one at least
    WEND__WEIGHTS, ///< wend_weights
    WEND__CHANGES  ///< wend_change_list
} wend__order_field_kind;

/// The position of a field in a line.
typedef enum wend__order_field_form {
    WEND__PLACED, ///< by its position; a list takes all words that follow, up to an option or a KEYED field
    WEND__MAYBE,  ///< by its position; may be missing
    WEND__KEYED,  ///< by its position, behind its name
    WEND__OPTION, ///< NAME=VALUE; written if it was given or is not the default
    WEND__STATED, ///< NAME=VALUE, always written
    WEND__UNSET   ///< NAME=VALUE, without a default: written if it was given
} wend__order_field_form;

/// Fields of one side only.
enum { WEND__TEXT_ONLY = 1, WEND__JSON_ONLY = 2 };

/// A word, and its value.
typedef struct wend__choice {
    const char *text; ///< NULL: the end of the list
    int32_t value;
} wend__choice;

typedef struct wend__order_field {
    const char *name; ///< the key in JSON, and of NAME=VALUE
    uint8_t kind;     ///< wend__order_field_kind
    uint8_t form;     ///< wend__order_field_form
    uint8_t only;     ///< WEND__TEXT_ONLY, WEND__JSON_ONLY or 0
    bool loose;       ///< a number out of its range spoils the request, not the line
    uint16_t offset;  ///< offset in wend_order
    uint16_t size;
    int64_t least;
    uint64_t most;
    int64_t fallback; ///< the default of a number; unsigned ones of 8 bytes by their bits
    const wend__choice *words;
    const char *noun; ///< beginning of an error; NULL: the name
    const char *says; ///< one sentence for help, man page and protocol
} wend__order_field;

/// Where an order may stand, and what becomes of a message with it. Each with WEND__WIRE has one of ASKS, ALTERS, LOOKS
/// and TIME.
enum {
    WEND__MAKES_MAP = 1u << 0,      ///< exactly one, first
    WEND__SETTING = 1u << 1,        ///< before the first set, fill, request or frame
    WEND__BEFORE_REQUEST = 1u << 2, ///< before the first request or frame
    WEND__ENDS_SETTINGS = 1u << 3,  ///< no setting comes after it
    WEND__RUNS = 1u << 4,           ///< not in a world file
    WEND__MEETS_AGENTS = 1u << 5,   ///< after the agents of the map's world file exist
    WEND__SCRIPT = 1u << 6,
    WEND__WIRE = 1u << 7,
    WEND__JOURNAL = 1u << 8,
    WEND__RECORDED = 1u << 9,    ///< recordings contain it
    WEND__GIVES_GOAL = 1u << 10, ///< agents get another goal
    WEND__OF_SERVICE = 1u << 11, ///< affects only the service: neither the world nor the load changes
    WEND__ASKS = 1u << 12,       ///< is about a request for a path
    WEND__ALTERS = 1u << 13,     ///< changes the world
    WEND__LOOKS = 1u << 14,      ///< changes nothing: any client may send it, even if the server is read-only
    WEND__TIME = 1u << 15, ///< changes the course of time: of an owner, if there is one; watchers of frames get it
    WEND__BY_FOLLOWERS = 1u << 16, ///< a node that does not own the map answers it, too
    WEND__EDIT_LIMIT = 1u << 17,   ///< counts to the limit of a client's edits between two frames
    WEND__WATCHED = 1u << 18,      ///< watchers of edits get it
    WEND__HAS_EPOCH = 1u << 19,    ///< its answer has the map's new epoch
    WEND__HAS_FRAME = 1u << 20     ///< its answer has the number of the last frame
};

typedef struct wend__row {
    const char *name;
    const char *usage; ///< the line, for help and errors
    uint32_t where;    ///< WEND__MAKES_MAP …
    uint32_t field_count;
    const wend__order_field *fields;
    const char *says;
} wend__row;

extern const wend__row wend__order_rows[WEND_ORDER_KINDS];

/// Returns whether a kind of order has one of the bits of `where`.
static inline bool wend__order_is(int32_t kind, uint32_t where) {
    return (wend__order_rows[kind].where & where) != 0;
}

/// Returns the row of a name among those with one of the bits of `where`; −1: none. A name may have one meaning in
/// scripts and another over the wire.
int32_t wend__order_find(const char *name, size_t length, uint32_t where);

/// Returns whether a word is a name with one error: they differ in one place, by at most two letters and half of the
/// name.
bool wend__is_near(const char *word, size_t length, const char *name);

/// Returns the name of a row that a word is near to, among those of wend__order_find(); NULL: none.
const char *wend__order_near(const char *word, size_t length, uint32_t where);
/// The kind's order with all defaults, and with the defaults of public structs.
void wend__order_init(wend_order *order, int32_t kind);
/// Marks the field that is this member as given, for wend_order_gave().
void wend__order_give(wend_order *order, const void *member);

/// Returns the key of a kind of change in the JSON of an edit: nodes, edges, set, fill, steps, links,
/// unlinks, loads, unloads.
const char *wend__change_key(int32_t kind);
/// Returns a change of an edit as the order that makes it.
wend_order wend__change_order(const wend_change_item *item);

/// Copies an order with its lists and texts, in one piece of memory, to be freed with free(). Texts end with a zero.
/// @return NULL: no memory
wend_order *wend__order_copy(const wend_order *order);
/// The same with memory of this function.
wend_order *wend__order_copy_into(const wend_order *order, void *(*alloc)(size_t bytes));

/* ---- limits of a service ---- */

/// X(NAME, name, least, most, holder, member, sentence): holder DEF, TUNING or MAP; the order is that of recordings.
#define WEND__LIMITS(X)                                                                                                \
    X(QUEUE, "queue", 1, 1 << 24, DEF, queue, "requests that wait or run")                                             \
    X(RESERVE, "reserve", 0, 1 << 24, DEF, reserve, "places of the queue for urgency above 0")                         \
    X(DISPLACE, "displace", 0, 1, DEF, displace, "1: urgent requests displace others from a full queue")               \
    X(SHARE, "share", 0, 1, DEF, share, "1: requests that are alike share a search")                                   \
    X(SEARCHES, "searches", 1, 65536, TUNING, searches, "searches that run or are parked")                             \
    X(LANES, "lanes", 1, 64, TUNING, lanes, "searches that take turns in a round")                                     \
    X(NODES, "nodes", 1, UINT64_MAX, DEF, nodes, "node records in the pool")                                           \
    X(CELLS, "cells", 1, UINT64_C(1) << 32, DEF, max_path_cells, "cells of the longest path")                          \
    X(PATHS, "paths", 0, UINT64_MAX, DEF, path_bytes, "bytes of finished paths")                                       \
    X(LIST, "list", 1, 256, TUNING, list, "requests scheduled to a lane in a round")                                   \
    X(FAIR, "fair", 0, UINT32_MAX, TUNING, fair, "one lane in N serves the oldest request; 0: none")                   \
    X(EVICTIONS, "evictions", 0, 1000000, TUNING, evictions, "evictions until a request waits to be the oldest")       \
    X(RESTARTS, "restarts", 0, 1000000, TUNING, restarts, "times that a request is searched again")                    \
    X(GOALS, "goals", 0, 1 << 24, TUNING, goals, "further goals of all pending requests")                              \
    X(HORIZON, "horizon", 0, 1000000, TUNING, horizon, "next cells checked for units at delivery")                     \
    X(SHARE_CELLS, "sharecells", 0, UINT64_C(1) << 31, TUNING, share_cells, "cells of a map with shared fields")       \
    X(SLICE, "slice", 1, UINT64_MAX, TUNING, slice, "expansions of a lane in a round")                                 \
    X(QUANTUM, "quantum", 0, UINT64_MAX, TUNING, quantum, "expansions until a search goes behind its peers; 0: auto")  \
    X(RUSH, "rush", 0, WEND_URGENCY_MAX, TUNING, rush, "urgency whose requests are served alone; 0: none")             \
    X(FAR_NODES, "far_nodes", 0, WEND_MAX_FAR_NODES, TUNING, far_nodes, "crossings that a far search reaches")         \
    X(VERSIONS, "versions", 1, 1000000, MAP, 0, "live versions of the map")

enum {
#define WEND_X(name, text, least, most, holder, member, says) WEND__LIMIT_##name,
    WEND__LIMITS(WEND_X)
#undef WEND_X
        WEND__LIMIT_COUNT
};

typedef struct wend__limit {
    uint64_t least, most;
    const char *says;
} wend__limit;
extern const wend__limit wend__limits[WEND__LIMIT_COUNT];
extern const wend__choice wend__limit_words[];

/// Gets or sets a limit of a service; for `versions`, which is the map's: 0, and nothing happens.
uint64_t wend__limit_get(int32_t what, const wend_service_def *def, const wend_service_tuning *tuning);
void wend__limit_set(int32_t what, uint64_t value, wend_service_def *def, wend_service_tuning *tuning);

/// Parts of the order `state`.
enum { WEND__STATE_MAP, WEND__STATE_SERVICE, WEND__STATE_CROWD, WEND__STATE_REQUEST, WEND__STATE_ROUTE };

/* ---- writing ---- */

/// Returns how many coordinates a cell has on maps of a kind, WEND_KIND_…: 1 on graphs, 2 on a plane, 3 in space.
static inline int32_t wend__kind_axes(int32_t kind) {
    return kind == WEND_KIND_GRAPH ? 1 : kind == WEND_KIND_VOXEL ? 3 : 2;
}

/// Receives the bytes of a text, in pieces.
typedef void wend__put_fn(void *context, const char *bytes, size_t size);

/// Writes an order as a line of a script, without the line's end. An edit is a line for each change, and `publish`.
/// @param axes   as wend__kind_axes() returns it
/// Threads: any. Cost: O(bytes); no memory.
void wend__order_write(const wend_order *order, int32_t axes, wend__put_fn *put, void *context);
/// Writes an order as a JSON object, as in messages. The changes of an edit come by kind.
void wend__order_write_json(const wend_order *order, int32_t axes, wend__put_fn *put, void *context);

/// A completion, and the data that depends on its reader.
typedef struct wend__completion_line {
    const wend_completion *done;
    uint64_t frames;      ///< from submission to delivery
    uint64_t first_epoch; ///< epoch that the reader counts as 0
    int32_t axes;         ///< as wend__kind_axes() returns it
    bool no_cells;        ///< the cells are left out
    bool runs;            ///< the cells are written as runs
} wend__completion_line;

/// Writes the members of a completion as JSON, from "status" on, without braces. docs/formats.md has the keys.
/// Threads: any. Cost: O(bytes); no memory.
void wend__completion_write_json(const wend__completion_line *line, wend__put_fn *put, void *context);
/// An event of an agent.
typedef struct wend__event_line {
    uint64_t frame;
    const char *agent, *event, *why; ///< names; NULL: left out
    wend_cell cell;
    const wend_box *box; ///< in place of the cell; NULL: none
    const wend_cell *to; ///< NULL: `to` and `ahead` are left out
    int32_t ahead;
    bool no_cell; ///< the cell is left out
    int32_t axes; ///< as wend__kind_axes() returns it
} wend__event_line;

/// Returns the line of an event. @param agent   its name; NULL: the event has no agent
static inline wend__event_line wend__event_line_of(uint64_t frame, const char *agent, const wend_agent_event *event,
                                                   int32_t axes) {
    return (wend__event_line){
        .frame = frame,
        .agent = agent,
        .event = wend_constant_name(WEND_NAME_AGENT_EVENT, event->event),
        .why = event->event == WEND_AGENT_EVENT_GAVE_UP ? wend_constant_name(WEND_NAME_WHY, event->why) : NULL,
        .cell = event->cell,
        .box = event->event == WEND_AGENT_EVENT_CLEAR ? &event->box : NULL,
        .to = event->event == WEND_AGENT_EVENT_LINK_AHEAD ? &event->to : NULL,
        .ahead = event->ahead,
        .no_cell = event->event == WEND_AGENT_EVENT_AWAY || event->event == WEND_AGENT_EVENT_CLEAR,
        .axes = axes};
}
void wend__event_write_json(const wend__event_line *line, wend__put_fn *put, void *context);
/// Writes a JSON string, quoted and escaped. Each invalid byte of UTF-8 becomes U+FFFD.
void wend__string_write_json(const char *text, size_t length, wend__put_fn *put, void *context);

/* ---- reading ---- */

/// Fields of the longest row, at most.
/// Returns how many numbers of nodes a script of so many bytes may use. A graph takes about 6 bytes for each number up
/// to the highest one, so a short script must not name a high one.
static inline uint64_t wend__script_nodes(uint64_t bytes) {
    return (UINT64_C(1) << 20) + 32 * bytes;
}

enum { WEND__MOST_FIELDS = 32 };

/// A word of a line, not ended by a zero. Columns count bytes, from 1.
typedef struct wend__span {
    const char *text;
    size_t length, column;
} wend__span;

/// A word shortened for a message, without control characters.
typedef struct wend__shown_word {
    char text[56];
} wend__shown_word;
wend__shown_word wend__show_word(wend__span word);

/// Reads lines. Zero except `axes` and `where` at first. Lists and decoded names of an order are its memory, and valid
/// until it reads the next line.
typedef struct wend__order_reader {
    int32_t axes;   ///< 1: cells are numbers of nodes; 2 and 3: X,Y or X,Y,Z
    uint32_t where; ///< WEND__SCRIPT, WEND__JOURNAL: which orders are allowed
    wend__span *words;
    size_t word_count, word_capacity;
    size_t end_column;            ///< after the last word
    size_t at[WEND__MOST_FIELDS]; ///< the word of each field; 0: missing
    size_t wrong;                 ///< the column of an error
    char why[480];                ///< the error; empty: memory ran out
    wend_name *names;
    wend_cell *cells;
    char *bytes; ///< bytes of decoded names
    size_t name_count, name_capacity, cell_count, cell_capacity, byte_count, byte_capacity;
} wend__order_reader;

/// Splits a line into words: blanks and tabs separate them, # at the start of a word begins a comment.
/// @param line   without its end; a carriage return at its end is dropped
/// @return false: an error, described by `wrong` and `why`
/// Threads: one at a time. Cost: O(length).
bool wend__order_split(wend__order_reader *reader, const char *line, size_t length);
/// Reads the words as an order; there is one at least. @return as above
bool wend__order_read_words(wend__order_reader *reader, wend_order *out);
/// Do both. @return 1: an order; 0: a line without words; −1: an error
int wend__order_read(wend__order_reader *reader, const char *line, size_t length, wend_order *out);
/// Reads a word as a whole number. @return as above; `noun` begins the error
bool wend__order_number(wend__order_reader *reader, wend__span word, const char *noun, uint64_t least, uint64_t most,
                        uint64_t *out);
/// Returns the word of a field of the read order, by its member, or of a list's item; if missing, the row's name.
wend__span wend__order_word(const wend__order_reader *reader, const wend_order *order, const void *member,
                            size_t index);
void wend__order_reader_free(wend__order_reader *reader);

/* ---- values.c ---- */

/// Returns a number, word or flag of an order. Unsigned numbers of 8 bytes by their bits.
int64_t wend__value_get(const wend__order_field *field, const wend_order *order);
void wend__value_set(const wend__order_field *field, wend_order *order, int64_t value);
/// The range of a number; that of a limit follows from its name.
void wend__value_range(const wend__order_field *field, const wend_order *order, int64_t *least, uint64_t *most);
/// Returns the word of a value; NULL: it has none.
const char *wend__value_word(const wend__order_field *field, int64_t value);
/// Returns whether a field is written. Placed fields are, unless they are optional and were not given.
bool wend__value_shows(const wend_order *order, uint32_t index);

#endif
