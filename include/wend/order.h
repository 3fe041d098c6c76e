/* SPDX-License-Identifier: MIT */
/* Growing: kinds of orders may be added: compile again. See docs/stability.md. */
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
#include <wend/search_options.h>
#include <wend/service_tuning.h>

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

/// Names, in one of four forms: libwend-live has `items`. The name of an agent's id is a and its index; the name of a
/// mover's bit is default, or m and its number.
typedef struct wend_names {
    const wend_name *items;
    const char *const *texts; ///< each ends with a zero
    const wend_agent_id *ids;
    uint32_t bits; ///< 1 << mover for each; 0: another form
    size_t count;
} wend_names;

typedef struct wend_cells {
    const wend_cell *items;
    size_t count;
} wend_cells;

/// Terrain classes: bit class % 64 of word class ÷ 64.
typedef struct wend_classes {
    uint64_t bits[4];
} wend_classes;

/// Factors of terrain classes.
typedef struct wend_factors {
    uint64_t given[4];    ///< a bit for each class that has one
    wend_classes avoided; ///< of these the ones that are avoided: their factor is 0
    wend_classes shunned; ///< of these the ones that are shunned; a factor of 0: that of the map's rules
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
    wend_names movers; ///< LINK: the movers that take it; none: all do
} wend_change;

/// The ground of a load with its cells in a file.
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

/// Kinds of orders, in the order of the catalogue (`wend orders`). NODE to UNLOAD are the kinds of changes.
enum {
    WEND_ORDER_MAP = 0,          ///< the map of a file
    WEND_ORDER_GRID = 1,         ///< a flat grid, all open
    WEND_ORDER_VOXELS = 2,       ///< a grid in space, all open
    WEND_ORDER_GRAPH = 3,        ///< a graph, of the nodes that follow
    WEND_ORDER_NEIGHBOURS = 4,   ///< to how many neighbours steps lead
    WEND_ORDER_CORNERS = 5,      ///< when a diagonal step may cut corners
    WEND_ORDER_COST = 6,         ///< costs of steps
    WEND_ORDER_LIMIT = 7,        ///< a limit of the service
    WEND_ORDER_MOVER = 8,        ///< a kind of agent
    WEND_ORDER_NODE = 9,         ///< adds a node to a graph
    WEND_ORDER_EDGE = 10,        ///< adds an edge, or changes its cost
    WEND_ORDER_SET = 11,         ///< a cell's terrain class
    WEND_ORDER_FILL = 12,        ///< the class of all cells of a box
    WEND_ORDER_STEP = 13,        ///< runs frames of a paused world
    WEND_ORDER_LINK = 14,        ///< adds a link, or changes its cost
    WEND_ORDER_UNLINK = 15,      ///< removes a link, or else the edges
    WEND_ORDER_LOAD = 16,        ///< loads a chunk of a streamed grid
    WEND_ORDER_UNLOAD = 17,      ///< unloads a chunk: its cells are blocked
    WEND_ORDER_EDIT = 18,        ///< changes that are published as one version
    WEND_ORDER_PUBLISH = 19,     ///< publishes the edits so far
    WEND_ORDER_OCCUPY = 20,      ///< adds units
    WEND_ORDER_VACATE = 21,      ///< removes units
    WEND_ORDER_LAYER = 22,       ///< adds a layer: a step into a cell costs weight × value ÷ 16 more
    WEND_ORDER_PAINT = 23,       ///< adds a disc to a layer, or sets its values in a box
    WEND_ORDER_FADE = 24,        ///< time passes for layers, as in frames
    WEND_ORDER_REQUEST = 25,     ///< requests a path
    WEND_ORDER_CANCEL = 26,      ///< cancels a request
    WEND_ORDER_URGENCY = 27,     ///< changes a request's urgency
    WEND_ORDER_GOAL = 28,        ///< moves a request's goal
    WEND_ORDER_NEAREST = 29,     ///< requests the nearest places, by what the way costs
    WEND_ORDER_WATCH = 30,       ///< an event when a delivered path breaks
    WEND_ORDER_EXPECT = 31,      ///< ends the script with exit 1 where the completion is another
    WEND_ORDER_ACCELERATE = 32,  ///< makes the data of the fast engine
    WEND_ORDER_FRAME = 33,       ///< runs frames
    WEND_ORDER_DRAIN = 34,       ///< frames until nothing is pending
    WEND_ORDER_WALK = 35,        ///< frames until no agent is on its way
    WEND_ORDER_AGENT = 36,       ///< adds an agent
    WEND_ORDER_BODY = 37,        ///< gives an agent a body, or takes it away
    WEND_ORDER_PLACE = 38,       ///< puts an agent's body where the host has moved it
    WEND_ORDER_GO = 39,          ///< sends agents to a cell
    WEND_ORDER_FOLLOW = 40,      ///< follows another agent
    WEND_ORDER_FLEE = 41,        ///< flees from another agent
    WEND_ORDER_STEER = 42,       ///< begins one step of an agent in the next frame
    WEND_ORDER_CLEAR = 43,       ///< agents leave a box and do not enter it
    WEND_ORDER_RELEASE = 44,     ///< ends the clearing of a box
    WEND_ORDER_HALT = 45,        ///< ends agents' goals
    WEND_ORDER_REMOVE = 46,      ///< removes agents
    WEND_ORDER_ROUTE = 47,       ///< a pre-set path by its corners
    WEND_ORDER_TAKE = 48,        ///< sends an agent along a route
    WEND_ORDER_ADJUST = 49,      ///< changes agents that are there
    WEND_ORDER_POSITIONS = 50,   ///< where the agents are
    WEND_ORDER_BODIES = 51,      ///< where the agents' bodies are
    WEND_ORDER_WANTED = 52,      ///< the chunks at which requests stopped
    WEND_ORDER_CROWD = 53,       ///< limits of the crowd
    WEND_ORDER_DISBAND = 54,     ///< removes the crowd
    WEND_ORDER_UPDATE = 55,      ///< a step of the crowd
    WEND_ORDER_RECORDING = 56,   ///< nothing happens but what the lines say
    WEND_ORDER_DURING = 57,      ///< the next lines come within the next frame
    WEND_ORDER_PREPARE = 58,     ///< makes the data of the fast engine
    WEND_ORDER_MAINTAIN = 59,    ///< brings derived data up to date
    WEND_ORDER_CLOSE = 60,       ///< the service takes no more requests
    WEND_ORDER_PAUSE = 61,       ///< stops the clock
    WEND_ORDER_RESUME = 62,      ///< starts it again
    WEND_ORDER_ADVANCE = 63,     ///< frames of a paused world
    WEND_ORDER_RESET = 64,       ///< the world begins again
    WEND_ORDER_INSPECT = 65,     ///< what an agent does, and why
    WEND_ORDER_PACE = 66,        ///< how fast the world runs
    WEND_ORDER_SAVE = 67,        ///< writes the world to a file
    WEND_ORDER_FIELD = 68,       ///< a flow field's next steps
    WEND_ORDER_SAVE_FILE = 69,   ///< the world into a file
    WEND_ORDER_RESTORE = 70,     ///< back to a checkpoint
    WEND_ORDER_JAMS = 71,        ///< where agents were blocked in the last 200 frames
    WEND_ORDER_STATE = 72,       ///< a part of a save, from which a recording goes on
    WEND_ORDER_CHECKPOINT = 73,  ///< keeps the world
    WEND_ORDER_CHECKPOINTS = 74, ///< which are kept
    WEND_ORDER_ROLL_BACK = 75,   ///< the world as it was in an earlier frame
    WEND_ORDER_MARK = 76,        ///< remembers the world as it is
    WEND_ORDER_REWIND = 77,      ///< brings a mark back
    WEND_ORDER_LETTERS = 78,     ///< how letters of a map file are read
    WEND_ORDER_KINDS = 79
};

// Types in a union without a name are C; to C++ they are an extension, which each compiler has.
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types"
#endif
/// An order. Public structs in it stand for themselves, and last in their members, as they grow; ids in them are not
/// said, as names stand next to them. Lists and texts belong to the one who made the order.
///
/// As those structs grow, a minor version may move members and change the size, also after 1.0. So a host that reads or
/// makes orders is compiled again for each minor version, and keeps no order as bytes, in a file or for another
/// program: it keeps the text (docs/orders.md).
typedef struct wend_order {
    int32_t kind;      ///< WEND_ORDER_…
    bool bad_argument; ///< true: a number of a request does not fit it; it is refused, and the line is good
    uint64_t given;    ///< bit i: field i of the catalogue's row was said; wend_order_gave() reads it
    union {
        struct {
            wend_name file;
        } map; ///< MAP, SAVE_FILE, RESTORE
        struct {
            int32_t width, height, depth;
            bool streamed;
            int32_t wrap;
            wend_cells sheets; ///< of each wend_sheet: box.min, box.max, ground
        } size;                ///< GRID, VOXELS
        wend_map_rules rules;  ///< NEIGHBOURS, CORNERS, COST
        struct {
            int32_t what; ///< WEND__LIMIT_…
            uint64_t value;
        } limit;
        struct {
            wend_name name, like;
            int32_t size, step_up, drop, headroom;
            bool walker;
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
            bool with_cells;
            int64_t at_least;
            wend_request def; ///< its `options` are those below
            wend_search_options options;
            wend_weights layers;
            wend_classes avoid, shun;
        } request;
        struct {
            wend_name id, mover;
            wend_cell from;
            wend_cells cells;
            int32_t terrain;
            bool free;
            uint32_t k;
            wend_weights layers, score;
            wend_classes avoid;
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
            wend_budget budget; ///< its `limits` are NULL: the next member has them
            wend_frame_limits limits;
        } frame; ///< FRAME, DRAIN, WALK; ADVANCE: `count`
        struct {
            wend_name name, mover;
            wend_agent_def def;
            wend_names waits_for;
            wend_body_def body; ///< radius_milli 0: none
            wend_weights layers;
            wend_classes avoid, shun;
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
        wend_names names; ///< HALT, REMOVE; LETTERS: texts such as E=.
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
            wend_classes avoid;  ///< besides those that `mover`, or else the agents' own mover, avoids
            wend_classes shun;   ///< the same of those that it shuns
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
            bool prune, tables, landmarks, far; ///< none: all of them
        } maintain;
        struct {
            wend_name name;
            bool trace;
        } inspect;
        struct {
            uint32_t hz;
            uint64_t budget;
            bool wander;
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

/// Returns whether a field of an order was given; else it has its default.
/// @param member   the field's place in the order, such as &order->adjust.urgency
/// Threads: any. Cost: O(fields of the kind).
WEND_API bool wend_order_gave(const wend_order *order, const void *member);

#ifdef __cplusplus
}
#endif
#endif
