/* SPDX-License-Identifier: MIT */
/* Orders: all that can be said to a world, as typed structs. libwend-live hands its host the orders of clients.
 *
 * An order is a kind, WEND_ORDER_…, and the member of a union for it. docs/orders.md lists the kinds and their fields,
 * ranges and defaults. The catalogue reads and writes them, as lines of scripts and as JSON. */
#ifndef WEND_ORDER_H
#define WEND_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include <wend/acceleration.h>
#include <wend/body.h>
#include <wend/crowd_tuning.h>
#include <wend/service.h>
#include <wend/graph.h>
#include <wend/layers.h>
#include <wend/request_more.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ---- */

/// A name: text, or, where that is NULL, a letter (0: none) and a number, such as a12. The text ends with a zero in
/// orders of libwend-live, and only there. A name that was not given is all zero.
typedef struct wend_name {
    const char *text;
    uint32_t length;
    char letter;
    int64_t number;
} wend_name;

/// Names, in one of three forms: libwend-live has `items`. The name of an agent's id is a and its index.
typedef struct wend_names {
    const wend_name *items;
    const char *const *texts; ///< each ends with a zero
    const wend_agent_id *ids;
    size_t count;
} wend_names;

typedef struct wend_cells {
    const wend_cell *items;
    size_t count;
} wend_cells;

/// Factors of terrain classes.
typedef struct wend_factors {
    uint64_t given[4]; ///< a bit for each class that has one
    uint8_t factors[256];
} wend_factors;

/// How much layers count. The name of a layer's number is l and the number.
typedef struct wend_weights {
    uint32_t count;
    struct wend_named_weight {
        wend_name layer;
        int32_t weight; ///< as in wend_layer_weight
    } items[WEND_MAX_PROFILE_LAYERS];
} wend_weights;

/// Where an edit changes the map, and to what. NODE: the new node is `from.x`; where `value` is 1 its coordinates are
/// `to`. EDGE: from `from.x` to `to.x`; EDGE, LINK: `value` is the cost. SET, FILL: the class; STEP: 1 open, 0 closed;
/// LOAD: the class of all cells of the chunk `from`; UNLOAD: 1 where that chunk is forgotten. FILL: the cells `from` to
/// `to`.
typedef struct wend_change {
    wend_cell from, to;
    int32_t value;
} wend_change;

/// The ground of a load whose cells are in a file.
enum { WEND_FROM_FILE = 256 };

/// A change of an edit.
typedef struct wend_change_item {
    int32_t kind; ///< WEND_ORDER_NODE to WEND_ORDER_UNLOAD
    wend_change change;
} wend_change_item;

/// All changes of one version.
typedef struct wend_change_list {
    const wend_change_item *items;
    size_t count;
} wend_change_list;

/* ---- orders ---- */

/// X(KIND): in the order of the catalogue. NODE to UNLOAD are the kinds of changes.
#define WEND_ORDERS(X)                                                                                                 \
    X(MAP)                                                                                                             \
    X(GRID)                                                                                                            \
    X(VOXELS)                                                                                                          \
    X(GRAPH)                                                                                                           \
    X(NEIGHBOURS)                                                                                                      \
    X(CORNERS)                                                                                                         \
    X(COST)                                                                                                            \
    X(LIMIT)                                                                                                           \
    X(MOVER)                                                                                                           \
    X(NODE)                                                                                                            \
    X(EDGE)                                                                                                            \
    X(SET)                                                                                                             \
    X(FILL)                                                                                                            \
    X(STEP)                                                                                                            \
    X(LINK)                                                                                                            \
    X(UNLINK)                                                                                                          \
    X(LOAD)                                                                                                            \
    X(UNLOAD)                                                                                                          \
    X(EDIT)                                                                                                            \
    X(PUBLISH)                                                                                                         \
    X(OCCUPY)                                                                                                          \
    X(VACATE)                                                                                                          \
    X(LAYER)                                                                                                           \
    X(PAINT)                                                                                                           \
    X(FADE)                                                                                                            \
    X(REQUEST)                                                                                                         \
    X(CANCEL)                                                                                                          \
    X(URGENCY)                                                                                                         \
    X(GOAL)                                                                                                            \
    X(NEAREST)                                                                                                         \
    X(WATCH)                                                                                                           \
    X(EXPECT)                                                                                                          \
    X(ACCELERATE)                                                                                                      \
    X(FRAME)                                                                                                           \
    X(DRAIN)                                                                                                           \
    X(WALK)                                                                                                            \
    X(AGENT)                                                                                                           \
    X(BODY)                                                                                                            \
    X(PLACE)                                                                                                           \
    X(GO)                                                                                                              \
    X(FOLLOW)                                                                                                          \
    X(FLEE)                                                                                                            \
    X(STEER)                                                                                                           \
    X(CLEAR)                                                                                                           \
    X(RELEASE)                                                                                                         \
    X(HALT)                                                                                                            \
    X(REMOVE)                                                                                                          \
    X(ROUTE)                                                                                                           \
    X(TAKE)                                                                                                            \
    X(ADJUST)                                                                                                          \
    X(POSITIONS)                                                                                                       \
    X(BODIES)                                                                                                          \
    X(WANTED)                                                                                                          \
    X(CROWD)                                                                                                           \
    X(DISBAND)                                                                                                         \
    X(UPDATE)                                                                                                          \
    X(RECORDING)                                                                                                       \
    X(DURING)                                                                                                          \
    X(PREPARE)                                                                                                         \
    X(MAINTAIN)                                                                                                        \
    X(CLOSE)                                                                                                           \
    X(PAUSE)                                                                                                           \
    X(RESUME)                                                                                                          \
    X(ADVANCE)                                                                                                         \
    X(RESET)                                                                                                           \
    X(INSPECT)                                                                                                         \
    X(PACE)                                                                                                            \
    X(SAVE)                                                                                                            \
    X(FIELD)                                                                                                           \
    X(SAVE_FILE)                                                                                                       \
    X(RESTORE)                                                                                                         \
    X(JAMS)                                                                                                            \
    X(STATE)                                                                                                           \
    X(CHECKPOINT)                                                                                                      \
    X(CHECKPOINTS)                                                                                                     \
    X(ROLL_BACK)                                                                                                       \
    X(MARK)                                                                                                            \
    X(REWIND)

enum {
#define WEND_X(kind) WEND_ORDER_##kind,
    WEND_ORDERS(WEND_X)
#undef WEND_X
        WEND_ORDER_KINDS
};

// Types in a union without a name are C; to C++ they are an extension, which each compiler has.
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types"
#endif
/// An order. Public structs in it stand for themselves, and last in their members, as they grow; ids in them are not
/// said, as names stand beside them. Lists and texts belong to the one who made the order.
///
/// As those structs grow, a minor version may move members and change the size, also after 1.0. So a host that reads or
/// makes orders is compiled again for each minor version, and keeps no order as bytes, in a file or for another
/// program: it keeps the text (docs/orders.md).
typedef struct wend_order {
    int32_t kind;         ///< WEND_ORDER_…
    int32_t bad_argument; ///< 1: a number of a request does not fit it; it is refused, and the line is good. Else 0
    uint64_t given;       ///< bit i: field i of the catalogue's row was said; wend_order_gave() reads it
    union {
        struct {
            wend_name file;
            int32_t settle; ///< SAVE_FILE: 1: what is unfinished begins again here, too
        } map;              ///< MAP, SAVE_FILE, RESTORE
        struct {
            int32_t width, height, depth;
            int32_t streamed, wrap;
            wend_cells sheets; ///< of each wend_sheet: box.min, box.max, ground
        } size;                ///< GRID, VOXELS
        wend_map_rules rules;  ///< NEIGHBOURS, CORNERS, COST
        struct {
            int32_t what; ///< WEND__LIMIT_…
            uint64_t value;
        } limit;
        struct {
            wend_name name;
            int32_t size, walker, step_up, drop, headroom;
            wend_factors factors;
        } mover;
        wend_change change; ///< NODE to UNLOAD
        struct {
            wend_change change; ///< `value` may be WEND_FROM_FILE
            wend_name file;
            wend_change_list classes; ///< fills behind it
        } load;
        wend_change_list changes; ///< EDIT
        wend_cells cells;         ///< OCCUPY, VACATE; CLEAR, RELEASE: two corners
        struct {
            wend_name name;
            int32_t kind; ///< 0: values, 1: walls
            uint32_t half_life;
            int32_t within; ///< of walls
        } layer;
        struct {
            wend_name layer;
            wend_cells cells;            ///< a centre, or two corners
            int32_t radius, peak, value; ///< one cell: the first two; two cells: the last
        } paint;
        struct {
            uint64_t updates;
        } fade;
        struct {
            wend_name id, mover;
            wend_cells goals;
            int32_t with_cells;
            int64_t at_least;
            wend_request def; ///< its `more` is the one below
            wend_request_more more;
            wend_weights layers;
        } request;
        struct {
            wend_name id, mover;
            wend_cell from;
            wend_cells cells;
            int32_t terrain, free;
            uint32_t k;
            wend_weights layers;
        } nearest;
        struct {
            wend_name id;
            int32_t urgency;
            wend_cell to;
        } about; ///< CANCEL, URGENCY, GOAL, WATCH, DURING
        struct {
            wend_name id, status;
            int64_t cost;
        } expect;
        struct {
            wend_name mover;
            wend_acceleration def;
        } accelerate; ///< ACCELERATE, PREPARE
        struct {
            uint64_t count;
            wend_budget budget;
        } frame; ///< FRAME, DRAIN, WALK; ADVANCE: `count`
        struct {
            wend_name name, mover;
            wend_agent_def def;
            wend_names waits_for;
            wend_body_def body; ///< radius_milli 0: none
            wend_weights layers;
        } agent;
        struct {
            wend_name name;
            wend_body_def def; ///< radius_milli 0: the agent loses its body
        } body;
        struct {
            wend_name name;
            wend_body_vector at, velocity;
        } place;
        struct {
            wend_names names;
            wend_name name, target; ///< FOLLOW, FLEE
            wend_crowd_goal def;
        } go; ///< GO, FOLLOW, FLEE
        struct {
            wend_name name;
            wend_cell cell;
        } steer;
        wend_names names; ///< HALT, REMOVE
        struct {
            wend_name name;
            int32_t mode;
            wend_cells cells;
        } route;
        struct {
            wend_name name, route;
        } take;
        struct {
            wend_names names;
            wend_name mover;
            wend_cell cell;
            uint32_t speed_milli;
            int32_t urgency;
            wend_names waits_for;
            wend_weights layers; ///< none: no layer counts any more
        } adjust;
        struct {
            wend_crowd_def def; ///< its `tuning` is the one below
            wend_crowd_tuning tuning;
        } crowd;
        struct {
            uint32_t milli;
            uint64_t choices;
        } update;
        struct {
            uint64_t effort;
            int32_t prune, tables, landmarks, far; ///< none: all of them
        } maintain;
        struct {
            wend_name name;
            int32_t trace;
        } inspect;
        struct {
            uint32_t hz;
            uint64_t budget;
            int32_t wander;
            uint32_t history; ///< seconds
        } pace;
        struct {
            wend_cells cells, box;
            wend_name mover;
        } field;
        struct {
            uint32_t count;
            int32_t within;
        } jams;
        struct {
            wend_name name;
            uint64_t at;
            int32_t drop;
        } checkpoint; ///< CHECKPOINT, ROLL_BACK, MARK, REWIND
        struct {
            int32_t part;    ///< map, service, crowd, request, route, bodies, from 0 on
            uint64_t number; ///< of a save: bytes that further lines have; else the place of a request, or a route
            wend_name text;  ///< of a save: bytes, as hexadecimal digits; else a name
        } state;
    };
} wend_order;
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic pop
#endif

/// Returns 1 where a field of an order was given, else 0, and it has its default.
/// @param member   the field's place in the order, such as &order->adjust.urgency
/// Threads: any. Cost: O(fields of the kind).
WEND_API int32_t wend_order_gave(const wend_order *order, const void *member);

#ifdef __cplusplus
}
#endif
#endif
