/* SPDX-License-Identifier: MIT */
/* The rows of the catalogue: each order with its fields. */
#include "orders/orders.h"
#include <wend/agents.h>
#include <wend/ways.h>
#include <wend/boxes.h>
#include <wend/routes.h>
#include <wend/crowd_tuning.h>

#define FIELD(label, its_kind, its_form, member, ...)                                                                  \
    {                                                                                                                  \
        .name = label, .kind = WEND__##its_kind, .form = WEND__##its_form, .offset = offsetof(wend_order, member),     \
        .size = sizeof(((wend_order *)0)->member), __VA_ARGS__                                                         \
    }
#define RANGE(from, to) .least = (from), .most = (to)
#define UNLIMITED .fallback = -1 /* the bits of WEND_NO_LIMIT */

enum { MOST_NODE = (1 << 27) - 1, MOST_SIDE = 65536 };

/* ---- words ---- */

static const wend__choice corner_words[] = {
    {"never", WEND_CORNERS_NEVER}, {"one", WEND_CORNERS_ONE}, {"always", WEND_CORNERS_ALWAYS}, {NULL, 0}};
static const wend__choice ground_words[] = {{"open", WEND_CLASS_OPEN}, {"blocked", WEND_CLASS_BLOCKED}, {NULL, 0}};
static const wend__choice load_words[] = {
    {"open", WEND_CLASS_OPEN}, {"blocked", WEND_CLASS_BLOCKED}, {"FROM", WEND_FROM_FILE}, {NULL, 0}};
static const wend__choice step_words[] = {{"open", 1}, {"blocked", 0}, {NULL, 0}};
static const wend__choice mode_words[] = {
    {"exact", WEND_MODE_EXACT}, {"nearest", WEND_MODE_NEAREST}, {"far", WEND_MODE_FAR}, {NULL, 0}};
static const wend__choice engine_words[] = {
    {"auto", WEND_ENGINE_AUTO}, {"astar", WEND_ENGINE_ASTAR}, {"jump", WEND_ENGINE_JUMP}, {NULL, 0}};
static const wend__choice heuristic_words[] = {{"exact", WEND_HEURISTIC_EXACT},
                                               {"manhattan", WEND_HEURISTIC_MANHATTAN},
                                               {"euclid", WEND_HEURISTIC_EUCLID},
                                               {"zero", WEND_HEURISTIC_ZERO},
                                               {NULL, 0}};
static const wend__choice occupied_words[] = {
    {"ignore", WEND_OCCUPIED_IGNORE}, {"block", WEND_OCCUPIED_BLOCK}, {NULL, 0}};
static const wend__choice stale_words[] = {
    {"restart", WEND_ON_STALE_RESTART}, {"deliver", WEND_ON_STALE_DELIVER}, {NULL, 0}};
static const wend__choice unloaded_words[] = {
    {"block", WEND_UNLOADED_BLOCK}, {"known", WEND_UNLOADED_KNOWN}, {"wait", WEND_UNLOADED_WAIT}, {NULL, 0}};
static const wend__choice wrap_words[] = {
    {"x", WEND_WRAP_X}, {"y", WEND_WRAP_Y}, {"xy", WEND_WRAP_X | WEND_WRAP_Y}, {NULL, 0}};
static const wend__choice seam_words[] = {{"seam", WEND_LINK_SEAM}, {NULL, 0}};
static const wend__choice formation_words[] = {{"crowd", WEND_AS_CROWD},   {"line", WEND_AS_LINE},
                                               {"column", WEND_AS_COLUMN}, {"wedge", WEND_AS_WEDGE},
                                               {"box", WEND_AS_BOX},       {NULL, 0}};
static const wend__choice pace_words[] = {{"own", 0}, {"slowest", 1}, {NULL, 0}};
static const wend__choice route_words[] = {
    {"once", WEND_ROUTE_ONCE}, {"loop", WEND_ROUTE_LOOP}, {"back", WEND_ROUTE_BACK}, {NULL, 0}};

/* ---- the map and its settings ---- */

static const wend__order_field map_fields[] = {
    FIELD("file", NAME, PLACED, map.file, .says = "a map file or a world file, relative to the script")};
static const wend__order_field file_fields[] = {
    FIELD("file", NAME, PLACED, map.file, .says = "relative to the script")};
#define SIDE(label, member, text)                                                                                      \
    FIELD(label, NUMBER, PLACED, member, RANGE(1, MOST_SIDE), .noun = "a side", .says = text)
static const wend__order_field voxels_fields[] = {SIDE("width", size.width, "cells from west to east"),
                                                  SIDE("height", size.height, "cells from north to south"),
                                                  SIDE("depth", size.depth, "layers")};
static const wend__order_field grid_fields[] = {
    SIDE("width", size.width, "cells from west to east"), SIDE("height", size.height, "cells from north to south"),
    FIELD("streamed", FLAG, OPTION, size.streamed, .says = "it begins without any land: load brings it"),
    FIELD("wrap", CHOICE, OPTION, size.wrap, .words = wrap_words, .noun = "an axis",
          .says = "axes along which it goes on over its rim"),
    FIELD("sheets", CELLS, OPTION, size.sheets, RANGE(3, 3 * WEND_MAX_SHEETS),
          .says = "boxes that lie elsewhere on the ground: of each two corners, and where the first lies")};
static const wend__order_field neighbours_fields[] = {
    FIELD("neighbours", NUMBER, PLACED, rules.neighbours, RANGE(4, 26),
          .says = "4, 6 (hexagons) or 8, in space 6, 18 or 26; default the most")};
static const wend__order_field corners_fields[] = {FIELD("corners", CHOICE, PLACED, rules.corners,
                                                         .words = corner_words,
                                                         .says = "open cells beside a diagonal step that it needs")};
#define COST(label, its_form, member, text)                                                                            \
    FIELD(label, NUMBER, its_form, member, RANGE(1, WEND_MAX_COST), .noun = "a cost", .says = text)
static const wend__order_field cost_fields[] = {
    COST("straight", PLACED, rules.cost_straight, "cost of a straight step; default 10"),
    COST("diagonal", PLACED, rules.cost_diagonal, "cost of a diagonal step on a plane; default 14"),
    COST("space", MAYBE, rules.cost_space, "cost of a diagonal step in space; default 17")};
static const wend__order_field limit_fields[] = {
    FIELD("what", CHOICE, PLACED, limit.what, .words = wend__limit_words, .noun = "limit", .says = "which limit"),
    FIELD("value", NUMBER, PLACED, limit.value, RANGE(0, UINT64_MAX), .says = "its value")};
static const wend__order_field mover_fields[] = {
    FIELD("name", NAME, PLACED, mover.name, .says = "unique among movers; default is there already"),
    FIELD("size", NUMBER, OPTION, mover.size, RANGE(1, WEND_MAX_MOVER_SIZE), .fallback = 1,
          .says = "cells along a side"),
    FIELD("walker", FLAG, OPTION, mover.walker, .says = "it needs a floor; in space only, and of size 1"),
    FIELD("step_up", NUMBER, OPTION, mover.step_up, RANGE(0, WEND_MAX_LEVELS), .fallback = 1,
          .says = "levels that a walker climbs in a step"),
    FIELD("drop", NUMBER, OPTION, mover.drop, RANGE(0, WEND_MAX_LEVELS), .fallback = 1,
          .says = "levels that a walker goes down in a step"),
    FIELD("headroom", NUMBER, OPTION, mover.headroom, RANGE(1, WEND_MAX_HEADROOM), .fallback = 2,
          .says = "open cells that a walker needs, its own counted"),
    FIELD("like", NAME, OPTION, mover.like, .says = "an earlier mover, whose links it takes, too"),
    FIELD("factors", FACTORS, OPTION, mover.factors,
          .says =
              "by class: the factor of a step's cost, 1 to 255, blocked, avoided: a walker does not stand on it, "
              "either, or shunned: entered only where nothing else leads to its goal; others, and shunned ones without "
              ":FACTOR, are as in default, and 253 (stairs) is 1 for walkers")};
#define NODE(label, member, text)                                                                                      \
    FIELD(label, NUMBER, PLACED, member, RANGE(0, MOST_NODE), .noun = "a node", .says = text)
#define COORDINATE(label, member)                                                                                      \
    FIELD(label, NUMBER, MAYBE, member, RANGE(INT32_MIN, INT32_MAX), .noun = "a coordinate",                           \
          .says = "a coordinate, for straight distances")
static const wend__order_field node_fields[] = {NODE("node", change.from.x, "its number"), COORDINATE("x", change.to.x),
                                                COORDINATE("y", change.to.y), COORDINATE("z", change.to.z)};
static const wend__order_field edge_fields[] = {NODE("from", change.from.x, "where it begins"),
                                                NODE("to", change.to.x, "where it leads"),
                                                COST("cost", PLACED, change.value, "what it costs")};

/* ---- edits and units ---- */

#define PLACE(label, member, text) FIELD(label, CELL, PLACED, member, .says = text)
#define GROUND                                                                                                         \
    FIELD("ground", NUMBER, PLACED, change.value, RANGE(0, 255), .words = ground_words,                                \
          .noun = "ground is open, blocked or a class; a class", .says = "the terrain class: open is 1, blocked 0")
static const wend__order_field set_fields[] = {PLACE("cell", change.from, "which cell"), GROUND};
static const wend__order_field fill_fields[] = {PLACE("from", change.from, "a corner, in the box"),
                                                PLACE("to", change.to, "the other corner, in the box"), GROUND};
static const wend__order_field step_fields[] = {
    PLACE("from", change.from, "where the step begins"), PLACE("to", change.to, "its neighbour"),
    FIELD("state", CHOICE, PLACED, change.value, .words = step_words, .noun = "a step",
          .says = "whether the step may be made, in this direction")};
static const wend__order_field link_fields[] = {
    PLACE("from", change.from, "where it begins"), PLACE("to", change.to, "where it leads"),
    FIELD("cost", NUMBER, PLACED, change.value, RANGE(1, WEND_MAX_COST), .words = seam_words, .noun = "a cost",
          .says = "what it costs; seam: what the step between sheets does"),
    FIELD("movers", NAMES, OPTION, change.movers, RANGE(1, WEND_LINK_MOVERS), .noun = "a list of movers",
          .says = "the movers that take it, and those that are like them; without: all")};
static const wend__order_field load_fields[] = {
    PLACE("chunk", load.change.from, "which chunk: x and y of its cells ÷ 64"),
    FIELD("ground", CHOICE, PLACED, load.change.value, .words = load_words, .fallback = WEND_CLASS_OPEN,
          .says = "the class of all its cells; FROM, only in scripts: a file has them"),
    FIELD("file", NAME, MAYBE, load.file, .only = WEND__TEXT_ONLY,
          .says = "a MovingAI or grid text file of the map's size, with these cells at their place"),
    FIELD("classes", CHANGES, UNSET, load.classes, .only = WEND__JSON_ONLY,
          .says = "an array of classes for each row of its cells, in place of `ground`")};
static const wend__order_field unload_fields[] = {
    PLACE("chunk", change.from, "which chunk: x and y of its cells ÷ 64"),
    FIELD("forget", FLAG, OPTION, change.value, .says = "nothing is kept of it")};
static const wend__order_field edit_fields[] = {
    FIELD("changes", CHANGES, PLACED, changes,
          .says = "nodes, edges, set, fill, steps, links, unlinks, loads and unloads: one version")};
static const wend__order_field units_fields[] = {
    FIELD("cells", CELLS, PLACED, cells, RANGE(1, UINT32_MAX), .says = "a unit for each")};

#define LAYERS(member) FIELD("layers", WEIGHTS, OPTION, member, .says = "costs by place")
#define AVOID(its_form, member)                                                                                        \
    FIELD("avoid", CLASSES, its_form, member, .words = ground_words,                                                   \
          .says = "terrain classes that it never enters, besides those that are blocked for its mover")
#define SHUN(its_form, member)                                                                                         \
    FIELD("shun", CLASSES, its_form, member, .words = ground_words,                                                    \
          .says = "terrain classes that it enters only where nothing else leads to its goal")
static const wend__choice layer_words[] = {{"values", 0}, {"walls", 1}, {NULL, 0}};
static const wend__order_field layer_fields[] = {
    FIELD("name", NAME, PLACED, layer.name, .says = "unique among layers"),
    FIELD("kind", CHOICE, PLACED, layer.kind, .words = layer_words, .noun = "a layer", .says = "what it holds"),
    FIELD("half_life", NUMBER, OPTION, layer.half_life, RANGE(0, UINT32_MAX),
          .says = "frames after which its values halve, rounded down; 0: never"),
    FIELD("within", NUMBER, OPTION, layer.within, RANGE(0, WEND_MAX_WITHIN),
          .says = "of walls: how far from blocked cells its values reach")};
static const wend__order_field paint_fields[] = {
    FIELD("layer", NAME, PLACED, paint.layer, .says = "which layer"),
    FIELD("cells", CELLS, PLACED, paint.cells, RANGE(1, 2), .noun = "a place",
          .says = "a centre, or two corners of a box"),
    FIELD("radius", NUMBER, UNSET, paint.radius, RANGE(0, WEND_MAX_DISC), .says = "of a disc that fades to its rim"),
    FIELD("peak", NUMBER, UNSET, paint.peak, RANGE(1, 255), .says = "what is added to its centre"),
    FIELD("value", NUMBER, UNSET, paint.value, RANGE(0, 255), .says = "of all cells in the box")};
static const wend__order_field fade_fields[] = {
    FIELD("updates", NUMBER, PLACED, fade.updates, RANGE(0, UINT64_MAX), .says = "how many updates")};

/* ---- requests ---- */

#define LOOSE(label, its_form, member, ...) FIELD(label, NUMBER, its_form, member, .loose = true, __VA_ARGS__)
#define COUNT_MOST (UINT64_MAX - 1)
static const wend__order_field request_fields[] = {
    FIELD("id", ID, PLACED, request.id, .says = "a name or a whole number, unique among pending requests"),
    PLACE("from", request.def.start, "the start"),
    PLACE("to", request.def.goal, "the goal"),
    FIELD("goals", CELLS, OPTION, request.goals, RANGE(1, WEND_MAX_GOALS - 1), .loose = true,
          .says = "further goals; the cheapest of all wins"),
    FIELD("engine", CHOICE, OPTION, request.options.engine, .words = engine_words, .says = "which search"),
    FIELD("heuristic", CHOICE, OPTION, request.options.heuristic, .words = heuristic_words, .says = "its heuristic"),
    FIELD("weight", MILLI, OPTION, request.options.weight_milli, RANGE(1000, WEND_WEIGHT_MAX_MILLI), .loose = true,
          .fallback = 1000, .says = "the cost is at most so many times the lowest"),
    FIELD("mode", CHOICE, OPTION, request.def.mode, .words = mode_words,
          .says = "nearest: as near as can be reached; far: a route"),
    LOOSE("reach", OPTION, request.def.reach, RANGE(0, WEND_MAX_REACH), .says = "cells from the goal; not on graphs"),
    FIELD("mover", NAME, OPTION, request.mover, .says = "kind of agent"),
    FIELD("leave_blocked_start", FLAG, OPTION, request.options.leave_blocked_start, .says = "the start may be blocked"),
    FIELD("far_begin", FLAG, OPTION, request.options.far_begin,
          .says = "far: the beginning of the route alone is worked out"),
    LOOSE("occupied", OPTION, request.options.occupied, RANGE(0, WEND_MAX_COST), .words = occupied_words,
          .noun = "occupied (ignore, block or a cost)", .says = "what units on a cell mean: ignore, block or a cost"),
    LOOSE("occupied_within", OPTION, request.options.occupied_within, RANGE(0, WEND_MAX_REACH),
          .fallback = WEND_EVERYWHERE, .says = "units count within so many cells of the start; not on graphs"),
    LOOSE("urgency", OPTION, request.def.urgency, RANGE(WEND_URGENCY_MIN, WEND_URGENCY_MAX),
          .says = "higher goes first"),
    LOOSE("deadline", OPTION, request.def.deadline_frames, RANGE(1, UINT64_MAX), UNLIMITED,
          .says = "it ends as expired by that frame after submission"),
    LOOSE("max", OPTION, request.options.max_expansions, RANGE(0, UINT64_MAX), UNLIMITED,
          .says = "it ends as limit after so many expansions"),
    FIELD("on_stale", CHOICE, OPTION, request.options.on_stale, .words = stale_words,
          .says = "deliver: no restart, but the part that can be walked"),
    FIELD("unloaded", CHOICE, OPTION, request.options.unloaded, .words = unloaded_words,
          .says = "known: ways through known land, too; wait: it waits for land that might matter"),
    LOOSE("agent", OPTION, request.def.agent, RANGE(0, COUNT_MOST), UNLIMITED,
          .says = "a newer request of the same number replaces it"),
    FIELD("cells", SWITCH, OPTION, request.with_cells, .fallback = 1, .only = WEND__JSON_ONLY,
          .says = "false: the completion leaves the cells out"),
    FIELD("at_least", NUMBER, OPTION, request.at_least, RANGE(0, INT64_MAX), .only = WEND__JSON_ONLY,
          .says = "the answer comes once the map has this epoch, or after 10 s as `busy`"),
    LAYERS(request.layers),
    AVOID(OPTION, request.avoid),
    SHUN(OPTION, request.shun)};

#define ABOUT FIELD("request", ID, PLACED, about.id, .says = "the latest of that name")
#define URGENCY(label, its_form, member)                                                                               \
    FIELD(label, NUMBER, its_form, member, RANGE(WEND_URGENCY_MIN, WEND_URGENCY_MAX), .says = "higher goes first")
static const wend__order_field urgency_fields[] = {ABOUT, URGENCY("urgency", PLACED, about.urgency)};
static const wend__order_field goal_fields[] = {ABOUT, PLACE("to", about.to, "the new goal")};
static const wend__order_field expect_fields[] = {
    FIELD("request", ID, PLACED, expect.id, .says = "which request"),
    FIELD("status", NAME, PLACED, expect.status, .says = "how its latest completion ended, or why it was refused"),
    FIELD("cost", NUMBER, UNSET, expect.cost, RANGE(0, INT64_MAX), .says = "what its path costs")};

static const wend__order_field nearest_fields[] = {
    FIELD("id", ID, PLACED, nearest.id, .says = "its name"),
    PLACE("from", nearest.from, "where the ways begin"),
    FIELD("class", NUMBER, UNSET, nearest.terrain, RANGE(0, 255), .says = "places of this terrain class"),
    FIELD("cells", CELLS, OPTION, nearest.cells, RANGE(1, UINT32_MAX), .says = "or these places"),
    FIELD("k", NUMBER, OPTION, nearest.k, RANGE(1, 4096), .fallback = 1, .says = "how many"),
    FIELD("free", FLAG, OPTION, nearest.free, .says = "only places where no unit stands"),
    FIELD("mover", NAME, OPTION, nearest.mover, .says = "kind of agent"),
    LAYERS(nearest.layers),
    FIELD("score", WEIGHTS, OPTION, nearest.score, .says = "costs of the places themselves, whatever is on the way"),
    AVOID(OPTION, nearest.avoid)};

/* ---- derived data, frames ---- */

#define MOVER(member) FIELD("mover", NAME, OPTION, member, .says = "kind of agent")
#define LANDMARKS(its_form)                                                                                            \
    FIELD("landmarks", NUMBER, its_form, accelerate.def.landmarks, RANGE(0, WEND_MAX_LANDMARKS), .says = "landmarks")
#define UNITS FIELD("units", FLAG, OPTION, accelerate.def.units, .says = "accepted, and changes nothing")
#define FAR_LAYER                                                                                                      \
    FIELD("far", NUMBER, OPTION, accelerate.def.far, RANGE(WEND_FAR_LARGE, 1), .fallback = WEND_FAR_LARGE,             \
          .says = "1: a far layer; 0: none; -1: for large or streamed maps")
static const wend__order_field accelerate_fields[] = {MOVER(accelerate.mover), LANDMARKS(UNSET), UNITS, FAR_LAYER};
static const wend__order_field prepare_fields[] = {
    MOVER(accelerate.mover),
    LANDMARKS(STATED),
    FIELD("tables", NUMBER, STATED, accelerate.def.tables, RANGE(0, 1), .fallback = 1, .says = "1: jump tables"),
    FIELD("effort", NUMBER, STATED, accelerate.def.publish_effort, RANGE(0, UINT64_MAX),
          .fallback = WEND_LANDMARK_EFFORT, .says = "work on landmarks when an edit is published"),
    FIELD("bytes", NUMBER, OPTION, accelerate.def.max_bytes, RANGE(0, UINT64_MAX), UNLIMITED, .says = "most memory"),
    FIELD("later", FLAG, OPTION, accelerate.def.later, .says = "tables are made by maintain"),
    UNITS,
    FAR_LAYER};

#define FRAME_LIMIT(label, member, text)                                                                               \
    FIELD(label, NUMBER, OPTION, frame.limits.member, RANGE(0, UINT64_MAX), UNLIMITED, .says = text)
#define BUDGET                                                                                                         \
    FIELD("budget", NUMBER, UNSET, frame.budget.expansions, RANGE(0, UINT64_MAX),                                      \
          .says = "expansions of each frame; default --budget")
static const wend__order_field frame_fields[] = {
    FIELD("count", NUMBER, MAYBE, frame.count, RANGE(0, UINT64_MAX), .fallback = 1, .noun = "a number of frames",
          .says = "how many; default 1"),
    BUDGET,
    FRAME_LIMIT("rounds", rounds, "rounds of lanes in each"),
    FRAME_LIMIT("intakes", intakes, "requests taken in by each"),
    FRAME_LIMIT("deliveries", deliveries, "completions delivered by each"),
    FRAME_LIMIT("chosen", chosen, "answers that each chooses for delivery"),
    FRAME_LIMIT("cells", cells, "path cells that each delivers"),
    FRAME_LIMIT("changes", changes, "changes that each applies"),
    FRAME_LIMIT("checks", checks, "answers that each compares with a newer map")};
static const wend__order_field drain_fields[] = {BUDGET};
static const wend__order_field walk_fields[] = {
    FIELD("frames", NUMBER, OPTION, frame.count, RANGE(0, UINT64_MAX), .fallback = 100000, .says = "at most so many"),
    BUDGET};
static const wend__order_field advance_fields[] = {
    FIELD("frames", NUMBER, OPTION, frame.count, RANGE(1, 1000000), .fallback = 1, .says = "how many frames")};

/* ---- agents ---- */

#define SPEED(its_form, member, standard)                                                                              \
    FIELD("speed", NUMBER, its_form, member, RANGE(1, WEND_MAX_SPEED_MILLI), .fallback = standard,                     \
          .says = "thousandths of a straight step in a frame")
#define WAITS_FOR(its_form, member)                                                                                    \
    FIELD("waits_for", NAMES, its_form, member, RANGE(1, WEND_MAX_WAITED_FOR), .noun = "a list of agents",             \
          .says = "agents never asked to step aside; players: none further")
#define BODY(member)                                                                                                   \
    FIELD("radius", NUMBER, OPTION, member.radius_milli,                                                               \
          RANGE(0, WEND_MAX_RADIUS_MILLI + (WEND_MAX_MOVER_SIZE - 1) * 500),                                           \
          .says = "thousandths of a cell, from 100, below half its side; 0: no body"),                                 \
        FIELD("accel", NUMBER, OPTION, member.accel_milli, RANGE(0, WEND_MAX_ACCEL_MILLI),                             \
              .says = "thousandths of a cell; 0: top speed in 3 frames"),                                              \
        FIELD("turn", NUMBER, OPTION, member.turn_degrees, RANGE(0, WEND_MAX_TURN_DEGREES),                            \
              .says = "degrees that it turns in a frame at most; 0: smooth"),                                          \
        FIELD("turning", NUMBER, OPTION, member.turning_radius_milli, RANGE(0, WEND_MAX_TURNING_MILLI),                \
              .says = "its least circle: it never turns on the spot; 0: none")
static const wend__order_field agent_fields[] = {
    FIELD("name", NAME, PLACED, agent.name, .says = "unique among agents"),
    PLACE("cell", agent.def.cell, "where it stands"),
    SPEED(STATED, agent.def.speed_milli, 250),
    MOVER(agent.mover),
    URGENCY("urgency", OPTION, agent.def.urgency),
    FIELD("ghost", FLAG, OPTION, agent.def.ghost, .says = "it holds no cell"),
    FIELD("parked", FLAG, OPTION, agent.def.parked, .says = "nobody pushes it aside"),
    BODY(agent.body),
    WAITS_FOR(OPTION, agent.waits_for),
    LAYERS(agent.layers),
    AVOID(OPTION, agent.avoid),
    SHUN(OPTION, agent.shun)};
static const wend__order_field body_fields[] = {FIELD("name", NAME, PLACED, body.name, .says = "which agent"),
                                                BODY(body.def)};

#define UNITS_OF_CELL(label, its_form, member, text)                                                                   \
    FIELD(label, NUMBER, its_form, member, RANGE(INT32_MIN, INT32_MAX), .says = text)
static const wend__order_field place_fields[] = {
    FIELD("name", NAME, PLACED, place.name, .says = "which agent"),
    UNITS_OF_CELL("x", STATED, place.at.x, "where its body is, in 1/16384 of a cell"),
    UNITS_OF_CELL("y", STATED, place.at.y, "the same"),
    UNITS_OF_CELL("vx", OPTION, place.velocity.x, "its velocity a frame, in the same"),
    UNITS_OF_CELL("vy", OPTION, place.velocity.y, "the same")};

#define NAMES(member) FIELD("names", NAMES, PLACED, member, .says = "agents")
#define REACH(its_form, standard)                                                                                      \
    FIELD("reach", NUMBER, its_form, go.def.reach, RANGE(0, WEND_MAX_REACH), .fallback = standard,                     \
          .says = "near enough is so many cells away")
#define NAME_FIELD(label, member, text) FIELD(label, NAME, PLACED, member, .says = text)
static const wend__order_field go_fields[] = {
    NAMES(go.names),
    FIELD("to", CELL, KEYED, go.def.cell, .says = "where to; several agents get places beside it"),
    REACH(OPTION, 0),
    FIELD("as", CHOICE, OPTION, go.def.formation, .words = formation_words, .noun = "a formation",
          .says = "how several agents stand, turned the way they go"),
    FIELD("spacing", NUMBER, OPTION, go.def.spacing, RANGE(1, WEND_MAX_SPACING), .fallback = 1,
          .says = "cells from one agent of a formation to the next"),
    FIELD("pace", CHOICE, OPTION, go.def.pace, .words = pace_words, .noun = "a pace",
          .says = "each at its own speed, or all at that of the slowest"),
    FIELD("near", NUMBER, OPTION, go.def.near_enough, RANGE(0, WEND_MAX_REACH),
          .says = "where the cell is taken, so many cells away count as arrived")};
static const wend__order_field follow_fields[] = {NAME_FIELD("name", go.name, "who follows"),
                                                  NAME_FIELD("target", go.target, "whom"), REACH(STATED, 1)};
static const wend__order_field flee_fields[] = {
    NAME_FIELD("name", go.name, "who flees"), NAME_FIELD("target", go.target, "from whom"),
    FIELD("distance", NUMBER, STATED, go.def.distance, RANGE(1, WEND_MAX_REACH), .fallback = 10,
          .says = "far enough is so many cells away"),
    FIELD("keep", FLAG, OPTION, go.def.keep, .says = "it goes on after that")};
static const wend__order_field steer_fields[] = {NAME_FIELD("name", steer.name, "which agent"),
                                                 PLACE("cell", steer.cell, "a neighbour of its cell, or its own")};
static const wend__order_field box_fields[] = {
    FIELD("box", CELLS, PLACED, cells, RANGE(2, 2), .noun = "a box", .says = "two opposite corners, in the box")};
static const wend__order_field letters_fields[] = {
    FIELD("letters", NAMES, PLACED, names, .says = "such as E=. or S=W")};
static const wend__order_field names_fields[] = {NAMES(names)};
static const wend__order_field route_fields[] = {
    NAME_FIELD("name", route.name, "unique among routes"),
    FIELD("mode", CHOICE, PLACED, route.mode, .words = route_words, .noun = "a route", .says = "what comes at its end"),
    FIELD("cells", CELLS, PLACED, route.cells, RANGE(1, UINT32_MAX), .says = "its corners")};
static const wend__order_field take_fields[] = {NAME_FIELD("name", take.name, "which agent"),
                                                NAME_FIELD("route", take.route, "which route")};
static const wend__order_field adjust_fields[] = {
    NAMES(adjust.names),
    FIELD("cell", CELL, UNSET, adjust.cell, .only = WEND__TEXT_ONLY, .says = "where one agent is put"),
    SPEED(UNSET, adjust.speed_milli, 0),
    URGENCY("urgency", UNSET, adjust.urgency),
    FIELD("mover", NAME, UNSET, adjust.mover, .says = "kind of agent"),
    WAITS_FOR(UNSET, adjust.waits_for),
    FIELD("layers", WEIGHTS, UNSET, adjust.layers, .says = "costs by place"),
    AVOID(UNSET, adjust.avoid),
    SHUN(UNSET, adjust.shun)};

#define CROWD(label, member, from, to, text) FIELD(label, NUMBER, UNSET, member, RANGE(from, to), .says = text)
static const wend__order_field crowd_fields[] = {
    CROWD("agents", crowd.def.agents, 1, WEND_MAX_AGENTS, "most agents"),
    CROWD("paths", crowd.def.path_bytes, 0, UINT64_C(1) << 38, "bytes of the paths that agents keep"),
    CROWD("events", crowd.tuning.events, 1, UINT64_C(1) << 24, "events that wait"),
    CROWD("units_within", crowd.tuning.units_within, 0, WEND_MAX_REACH, "searches see units within so many cells"),
    CROWD("tries", crowd.tuning.tries, 1, 1000, "searches for a goal without coming nearer"),
    CROWD("retry", crowd.tuning.retry_updates, 1, 1000000, "updates until an agent behind others searches again"),
    CROWD("routes", crowd.tuning.routes, 0, 65536, "most routes"),
    CROWD("route_cells", crowd.tuning.route_cells, 0, UINT64_C(1) << 28, "cells of all routes"),
    CROWD("head_start", crowd.tuning.head_start, 0, WEND_MAX_HEAD_START,
          "cells that an agent may go before its search ends"),
    CROWD("fields", crowd.tuning.fields, 0, WEND_MAX_CROWD_FIELDS, "flow fields for large groups"),
    CROWD("field_agents", crowd.tuning.field_agents, 0, UINT32_MAX,
          "agents of a group that goes by a field; 0: by the map"),
    CROWD("work", crowd.tuning.work, 0, UINT32_MAX, "pieces of work in an update; 0: no limit"),
    CROWD("patience", crowd.tuning.patience_updates, 0, 1000000, "updates that a closed way is waited for"),
    CROWD("far_beyond", crowd.tuning.far_beyond, 0, UINT32_MAX,
          "cells from which on a goal is gone to by a far route; 0: never"),
    CROWD("link_events", crowd.tuning.link_events, 0, 1, "1: events of links that agents take")};

/* ---- recordings, and the wire ---- */

static const wend__order_field update_fields[] = {
    FIELD("milli", NUMBER, MAYBE, update.milli, RANGE(0, WEND_MAX_ELAPSED_MILLI), .fallback = 1000, .noun = "a time",
          .says = "time that passes, in thousandths of a frame"),
    FIELD("choices", NUMBER, OPTION, update.choices, RANGE(0, COUNT_MOST), UNLIMITED,
          .says = "after so many choices of agents it stops")};
static const wend__choice state_words[] = {{"map", WEND__STATE_MAP},     {"service", WEND__STATE_SERVICE},
                                           {"crowd", WEND__STATE_CROWD}, {"request", WEND__STATE_REQUEST},
                                           {"route", WEND__STATE_ROUTE}, {NULL, 0}};
static const wend__order_field state_fields[] = {
    FIELD("part", CHOICE, PLACED, state.part, .words = state_words, .noun = "a part", .says = "what is restored"),
    FIELD("number", NUMBER, PLACED, state.number, RANGE(0, UINT64_MAX),
          .says = "bytes of a save that are to come; else a place or number"),
    FIELD("text", NAME, MAYBE, state.text, .says = "digits of a save; else a name")};
static const wend__order_field during_fields[] = {
    FIELD("request", ID, PLACED, about.id, .says = "in whose callback the next lines come")};
static const wend__order_field maintain_fields[] = {
    FIELD("effort", NUMBER, PLACED, maintain.effort, RANGE(0, UINT64_MAX), .noun = "an effort", .says = "most work"),
    FIELD("prune", FLAG, OPTION, maintain.prune, .says = "prunes jump tables; with no option all is done"),
    FIELD("tables", FLAG, OPTION, maintain.tables, .says = "makes tables that are lacking"),
    FIELD("landmarks", FLAG, OPTION, maintain.landmarks, .says = "makes landmarks that are lacking"),
    FIELD("far", FLAG, OPTION, maintain.far, .says = "makes what is stale in far layers")};
static const wend__order_field inspect_fields[] = {
    NAME_FIELD("name", inspect.name, "which agent"),
    FIELD("trace", SWITCH, OPTION, inspect.trace, .fallback = 1, .says = "false: without a search")};
static const wend__order_field pace_fields[] = {
    FIELD("hz", NUMBER, UNSET, pace.hz, RANGE(1, 1000), .says = "frames a second"),
    FIELD("budget", NUMBER, UNSET, pace.budget, RANGE(1, 1000000000), .says = "expansions of a frame"),
    FIELD("wander", SWITCH, UNSET, pace.wander, .says = "idle agents get goals"),
    FIELD("history", NUMBER, UNSET, pace.history, RANGE(0, 3600), .says = "seconds with checkpoints")};
static const wend__order_field checkpoint_fields[] = {
    NAME_FIELD("name", checkpoint.name, "its name"),
    FIELD("drop", SWITCH, OPTION, checkpoint.drop, .says = "it is kept no longer")};
static const wend__order_field mark_fields[] = {NAME_FIELD("name", checkpoint.name, "its name")};
static const wend__order_field back_fields[] = {
    FIELD("name", NAME, UNSET, checkpoint.name, .says = "of a checkpoint"),
    FIELD("at", NUMBER, UNSET, checkpoint.at, RANGE(0, UINT64_MAX), .says = "a frame: the last one up to it")};
static const wend__order_field field_fields[] = {
    FIELD("cells", CELLS, PLACED, field.cells, RANGE(1, UINT32_MAX), .says = "its goals"), MOVER(field.mover),
    FIELD("box", CELLS, PLACED, field.box, RANGE(2, 2), .only = WEND__JSON_ONLY,
          .says = "two corners of the cells that are asked for")};
static const wend__order_field jams_fields[] = {
    FIELD("count", NUMBER, OPTION, jams.count, RANGE(1, 4096), .fallback = 16, .says = "the worst, so many"),
    FIELD("within", NUMBER, OPTION, jams.within, RANGE(0, WEND_MAX_REACH), .fallback = 4,
          .says = "cells that a jam reaches from its worst cell; 0: each cell is one")};

/* ---- rows ---- */

enum {
    S = WEND__SCRIPT,
    ASKS = WEND__WIRE | WEND__ASKS,
    W = WEND__WIRE | WEND__ALTERS,
    EDIT = W | WEND__WATCHED | WEND__EDIT_LIMIT,
    LOOK = WEND__WIRE | WEND__LOOKS | WEND__HAS_FRAME,
    ANYWHERE = LOOK | WEND__BY_FOLLOWERS,
    TIME = WEND__WIRE | WEND__TIME | WEND__HAS_FRAME,
    FRAME = WEND__HAS_FRAME,
    EPOCH = WEND__HAS_EPOCH,
    J = WEND__JOURNAL,
    R = WEND__RECORDED,
    RUN = WEND__SCRIPT | WEND__RUNS,
    EDITS = WEND__SCRIPT | WEND__JOURNAL | WEND__RECORDED,
    ENDS = WEND__ENDS_SETTINGS,
    MEETS = WEND__ENDS_SETTINGS | WEND__MEETS_AGENTS,
    AIM = WEND__GIVES_GOAL,
    OF = WEND__OF_SERVICE
};
#define COUNT(fields) (uint32_t)(sizeof(fields) / sizeof(fields)[0]), fields
#define NONE 0, NULL

const wend__row wend__order_rows[WEND_ORDER_KINDS] = {
    [WEND_ORDER_MAP] = {"map", "map FILE", S | WEND__MAKES_MAP, COUNT(map_fields), "the map of a file"},
    [WEND_ORDER_GRID] = {"grid", "grid W H [streamed] [wrap=x|y|xy] [sheets=CELL;...]", S | R | WEND__MAKES_MAP,
                         COUNT(grid_fields), "a flat grid, all open"},
    [WEND_ORDER_VOXELS] = {"voxels", "voxels W H D", S | R | WEND__MAKES_MAP, COUNT(voxels_fields),
                           "a grid in space, all open"},
    [WEND_ORDER_GRAPH] = {"graph", "graph", S | R | WEND__MAKES_MAP, NONE, "a graph, of the nodes that follow"},
    [WEND_ORDER_NEIGHBOURS] = {"neighbours", "neighbours N", S | R | WEND__SETTING, COUNT(neighbours_fields),
                               "to how many neighbours steps lead"},
    [WEND_ORDER_CORNERS] = {"corners", "corners never|one|always", S | R | WEND__SETTING, COUNT(corners_fields),
                            "when a diagonal step may cut corners"},
    [WEND_ORDER_COST] = {"cost", "cost S D [T]", S | R | WEND__SETTING, COUNT(cost_fields), "costs of steps"},
    [WEND_ORDER_LIMIT] = {"limit", "limit WHAT N", S | R | WEND__BEFORE_REQUEST | OF, COUNT(limit_fields),
                          "a limit of the service"},
    [WEND_ORDER_MOVER] = {"mover",
                          "mover NAME [size=N] [walker] [step_up=N] [drop=N] [headroom=N] [like=NAME] "
                          "[CLASS=FACTOR|blocked|avoided|shunned[:FACTOR]]...",
                          S | R, COUNT(mover_fields), "a kind of agent"},
    [WEND_ORDER_NODE] = {"node", "node ID [X Y [Z]]", EDITS, COUNT(node_fields),
                         "adds a node to a graph; numbers are below 1,048,576, and 32 more for each byte of a script"},
    [WEND_ORDER_EDGE] = {"edge", "edge A B COST", EDITS, COUNT(edge_fields), "adds an edge, or changes its cost"},
    [WEND_ORDER_SET] = {"set", "set CELL open|blocked|N", EDITS | ENDS, COUNT(set_fields), "a cell's terrain class"},
    [WEND_ORDER_FILL] = {"fill", "fill CELL CELL open|blocked|N", EDITS | ENDS, COUNT(fill_fields),
                         "the class of all cells of a box"},
    [WEND_ORDER_STEP] = {"step", "step A B open|blocked", EDITS | ENDS, COUNT(step_fields),
                         "opens or closes a step between neighbours"},
    [WEND_ORDER_LINK] = {"link", "link A B COST [movers=NAME;...]", EDITS, COUNT(link_fields),
                         "adds a link, or changes its cost"},
    [WEND_ORDER_UNLINK] = {"unlink", "unlink A B", EDITS, 2, link_fields, "removes a link, or else the edges"},
    [WEND_ORDER_LOAD] = {"load", "load CX,CY open|blocked|FROM [FILE]", EDITS | W, COUNT(load_fields),
                         "loads a chunk of a streamed grid"},
    [WEND_ORDER_UNLOAD] = {"unload", "unload CX,CY [forget]", EDITS | W, COUNT(unload_fields),
                           "unloads a chunk: its cells are blocked"},
    [WEND_ORDER_EDIT] = {"edit", "edit", EDIT | EPOCH | R, COUNT(edit_fields),
                         "changes that are published as one version"},
    [WEND_ORDER_PUBLISH] = {"publish", "publish", EDITS | WEND__RUNS | OF, NONE, "publishes the edits so far"},
    [WEND_ORDER_OCCUPY] = {"occupy", "occupy CELL...", EDITS | EDIT, COUNT(units_fields), "adds units"},
    [WEND_ORDER_VACATE] = {"vacate", "vacate CELL...", EDITS | EDIT, COUNT(units_fields), "removes units"},
    [WEND_ORDER_LAYER] = {"layer", "layer NAME values|walls [half_life=N] [within=N]", S | W | WEND__WATCHED | J | R,
                          COUNT(layer_fields), "adds a layer: a step into a cell costs weight × value ÷ 16 more"},
    [WEND_ORDER_PAINT] = {"paint", "paint NAME CELL [CELL] [radius=N] [peak=N] [value=N]",
                          S | W | WEND__WATCHED | J | R, COUNT(paint_fields),
                          "adds a disc to a layer, or sets its values in a box"},
    [WEND_ORDER_FADE] = {"fade", "fade UPDATES", S | J | R, COUNT(fade_fields), "time passes for layers, as in frames"},
    [WEND_ORDER_REQUEST] = {"request",
                            "request NAME FROM TO [urgency=N] [deadline=N] [max=N] [mode=exact|nearest|far] [reach=N] "
                            "[goals=CELL;CELL...] [mover=NAME] [occupied=ignore|block|COST] [occupied_within=N] "
                            "[leave_blocked_start] [far_begin] [agent=N] [on_stale=restart|deliver] [weight=W] "
                            "[unloaded=block|known|wait] [engine=auto|astar|jump] "
                            "[heuristic=exact|manhattan|euclid|zero] [layers=NAME:WEIGHT;...] [avoid=CLASS;...] "
                            "[shun=CLASS;...]",
                            RUN | ASKS | R, COUNT(request_fields), "asks for a path"},
    [WEND_ORDER_CANCEL] = {"cancel", "cancel NAME", RUN | ASKS | R, 1, urgency_fields, "cancels a request"},
    [WEND_ORDER_URGENCY] = {"urgency", "urgency NAME N", RUN | ASKS | R, COUNT(urgency_fields),
                            "changes a request's urgency"},
    [WEND_ORDER_GOAL] = {"goal", "goal NAME CELL", RUN | ASKS | R, COUNT(goal_fields), "moves a request's goal"},
    [WEND_ORDER_NEAREST] = {"nearest",
                            "nearest NAME FROM [class=N] [cells=CELL;CELL...] [k=N] [free] [mover=NAME] "
                            "[layers=NAME:WEIGHT;...] [score=NAME:WEIGHT;...] [avoid=CLASS;...]",
                            RUN | ANYWHERE, COUNT(nearest_fields),
                            "asks for the nearest places, by what the way costs"},
    [WEND_ORDER_WATCH] = {"watch", "watch NAME", RUN | OF, 1, urgency_fields, "an event when a delivered path breaks"},
    [WEND_ORDER_EXPECT] = {"expect", "expect NAME STATUS [cost=N]", RUN | OF, COUNT(expect_fields),
                           "ends the script with exit 1 where the completion is another"},
    [WEND_ORDER_ACCELERATE] = {"accelerate", "accelerate [mover=NAME] [landmarks=N] [units] [far=N]", RUN | ENDS | OF,
                               COUNT(accelerate_fields), "makes the data of the fast engine"},
    [WEND_ORDER_FRAME] = {"frame",
                          "frame [COUNT] [budget=N] [rounds=N] [intakes=N] [deliveries=N] [cells=N] [changes=N] "
                          "[checks=N] [chosen=N]",
                          RUN | R, COUNT(frame_fields), "runs frames"},
    [WEND_ORDER_DRAIN] = {"drain", "drain [budget=N]", RUN, COUNT(drain_fields), "frames until nothing is pending"},
    [WEND_ORDER_WALK] = {"walk", "walk [frames=N] [budget=N]", RUN, COUNT(walk_fields),
                         "frames until no agent is on its way"},
    [WEND_ORDER_AGENT] = {"agent",
                          "agent NAME CELL [speed=N] [mover=NAME] [urgency=N] [ghost] [parked] [radius=R] [accel=A] "
                          "[turn=T] [turning=R] [waits_for=NAME;NAME...|players] [layers=NAME:WEIGHT;...] "
                          "[avoid=CLASS;...] [shun=CLASS;...]",
                          S | W | J | R | MEETS, COUNT(agent_fields), "adds an agent"},
    [WEND_ORDER_BODY] = {"body", "body NAME [radius=R] [accel=A] [turn=T] [turning=R]", RUN | W | J | R,
                         COUNT(body_fields), "gives an agent a body, or takes it away"},
    [WEND_ORDER_PLACE] = {"place", "place NAME [x=X] [y=Y] [vx=N] [vy=N]", RUN | W | J | R, COUNT(place_fields),
                          "puts an agent's body where the host has moved it"},
    [WEND_ORDER_GO] =
        {"go", "go NAME... to CELL [reach=N] [as=crowd|line|column|wedge|box] [spacing=N] [pace=own|slowest] [near=N]",
         RUN | W | J | R | AIM, COUNT(go_fields), "sends agents to a cell"},
    [WEND_ORDER_FOLLOW] = {"follow", "follow NAME NAME2 [reach=N]", RUN | W | J | R | AIM, COUNT(follow_fields),
                           "follows another agent"},
    [WEND_ORDER_FLEE] = {"flee", "flee NAME NAME2 [distance=N] [keep]", RUN | W | J | R | AIM, COUNT(flee_fields),
                         "flees from another agent"},
    [WEND_ORDER_STEER] = {"steer", "steer NAME CELL", S | W | FRAME | J | R | MEETS | AIM, COUNT(steer_fields),
                          "begins one step of an agent in the next frame"},
    [WEND_ORDER_CLEAR] = {"clear", "clear CELL CELL", RUN | W | FRAME | J | R, COUNT(box_fields),
                          "agents leave a box and do not enter it"},
    [WEND_ORDER_RELEASE] = {"release", "release CELL CELL", RUN | W | FRAME | J | R, COUNT(box_fields),
                            "ends the clearing of a box"},
    [WEND_ORDER_HALT] = {"halt", "halt NAME...", RUN | W | J | R, COUNT(names_fields), "ends agents' goals"},
    [WEND_ORDER_REMOVE] = {"remove", "remove NAME...", S | W | J | R | MEETS, COUNT(names_fields), "removes agents"},
    [WEND_ORDER_ROUTE] = {"route", "route NAME once|loop|back CELL...", S | W | J | R | ENDS, COUNT(route_fields),
                          "a pre-set path by its corners"},
    [WEND_ORDER_TAKE] = {"take", "take NAME ROUTE", RUN | W | J | R | AIM, COUNT(take_fields),
                         "sends an agent along a route"},
    [WEND_ORDER_ADJUST] = {"adjust",
                           "adjust NAME... [cell=CELL] [speed=N] [urgency=N] [mover=NAME] "
                           "[waits_for=NAME;NAME...|players] [layers=NAME:WEIGHT;...|none] "
                           "[avoid=CLASS;...] [shun=CLASS;...]",
                           RUN | W | FRAME | J | R, COUNT(adjust_fields), "changes agents that are there"},
    [WEND_ORDER_POSITIONS] = {"positions", "positions", RUN | ANYWHERE, NONE, "where the agents are"},
    [WEND_ORDER_BODIES] = {"bodies", "bodies", RUN, NONE, "where the agents' bodies are"},
    [WEND_ORDER_WANTED] = {"wanted", "wanted", RUN | OF, NONE, "the chunks at which requests stopped"},
    [WEND_ORDER_CROWD] = {"crowd",
                          "crowd [agents=N] [paths=N] [events=N] [units_within=N] [tries=N] [retry=N] [routes=N] "
                          "[route_cells=N] [head_start=N] [fields=N] [field_agents=N] [work=N] [patience=N] "
                          "[far_beyond=N] [link_events=0|1]",
                          RUN | R | ENDS, COUNT(crowd_fields), "limits of the crowd"},
    [WEND_ORDER_DISBAND] = {"disband", "disband", RUN | R, NONE, "removes the crowd"},
    [WEND_ORDER_UPDATE] = {"update", "update [MILLI] [choices=N]", RUN | R, COUNT(update_fields),
                           "a step of the crowd"},
    [WEND_ORDER_RECORDING] = {"recording", "recording", RUN | R | OF, NONE, "nothing happens but what the lines say"},
    [WEND_ORDER_DURING] = {"during", "during NAME", RUN | R | OF, COUNT(during_fields),
                           "the next lines come within the next frame"},
    [WEND_ORDER_PREPARE] = {"prepare",
                            "prepare [mover=NAME] [landmarks=N] [tables=0|1] [effort=N] [bytes=N] [later] [units] "
                            "[far=N]",
                            RUN | R | ENDS | OF, COUNT(prepare_fields), "makes the data of the fast engine"},
    [WEND_ORDER_MAINTAIN] = {"maintain", "maintain EFFORT [prune] [tables] [landmarks] [far]", RUN | R | ENDS | OF,
                             COUNT(maintain_fields), "brings derived data up to date"},
    [WEND_ORDER_CLOSE] = {"close", "close", RUN | R | OF, NONE, "the service takes no more requests"},
    [WEND_ORDER_PAUSE] = {"pause", "pause", TIME, NONE, "stops the clock"},
    [WEND_ORDER_RESUME] = {"resume", "resume", TIME, NONE, "starts it again"},
    [WEND_ORDER_ADVANCE] = {"step", "step [frames=N]", TIME, COUNT(advance_fields), "runs frames of a paused world"},
    [WEND_ORDER_RESET] = {"reset", "reset", TIME | EPOCH, NONE, "the world begins again"},
    [WEND_ORDER_INSPECT] = {"inspect", "inspect NAME", ANYWHERE, COUNT(inspect_fields), "what an agent does, and why"},
    [WEND_ORDER_PACE] = {"pace", "pace [hz=N] [budget=N]", TIME, COUNT(pace_fields), "how fast the world runs"},
    [WEND_ORDER_SAVE] = {"save", "save", ANYWHERE, NONE, "the world as a script"},
    [WEND_ORDER_FIELD] = {"field", "field CELL... [mover=NAME]", ANYWHERE, COUNT(field_fields),
                          "a flow field's next steps"},
    [WEND_ORDER_SAVE_FILE] = {"save", "save FILE", RUN | MEETS, COUNT(file_fields), "writes the world to a file"},
    [WEND_ORDER_RESTORE] = {"restore", "restore FILE", RUN | ENDS | J, COUNT(file_fields), "goes on from a save"},
    [WEND_ORDER_JAMS] = {"jams", "jams [count=N] [within=N]", RUN | LOOK, COUNT(jams_fields),
                         "where agents were blocked in the last 200 frames"},
    [WEND_ORDER_LETTERS] = {"letters", "letters LETTER=LETTER ...", S, COUNT(letters_fields),
                            "how letters of map files are read: E=. takes E for open ground"},
    [WEND_ORDER_STATE] = {"state", "state map|service|crowd|request|route N [TEXT]", RUN | R | ENDS | OF,
                          COUNT(state_fields), "a part of a save, from which a recording goes on"},
    [WEND_ORDER_CHECKPOINT] = {"checkpoint", "checkpoint NAME", TIME, COUNT(checkpoint_fields), "keeps the world"},
    [WEND_ORDER_CHECKPOINTS] = {"checkpoints", "checkpoints", LOOK, NONE, "which are kept"},
    [WEND_ORDER_ROLL_BACK] = {"restore", "restore [name=NAME] [at=N]", TIME | EPOCH, COUNT(back_fields),
                              "back to a checkpoint"},
    [WEND_ORDER_MARK] = {"mark", "mark NAME", RUN | MEETS, COUNT(mark_fields), "remembers the world as it is"},
    [WEND_ORDER_REWIND] = {"rewind", "rewind NAME", RUN | MEETS, COUNT(mark_fields), "brings a mark back"},
};
