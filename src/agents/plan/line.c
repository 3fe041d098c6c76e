/* SPDX-License-Identifier: MIT */
/* The straight line of a disc. The first steps of its path are replaced by as many king's steps along the line
 * from its centre to the last cell in sight, also where others pushed it off its path. Where it would meet another disc
 * in open ground, the line has a bend. */
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"

#include "agents/state/bodies.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

enum {
    ONE = WEND__BODY_ONE,
    LOOKED_AT = 100,   ///< steps of the path that a line may replace
    KEPT_FOR = 8,      ///< steps for which a line is kept, but where places lie on it
    MORE_OFF_PATH = 3, ///< steps by which a line back to the path may cost more than the path
};

/// Cells of a path or a line.
typedef struct cell_row {
    uint32_t steps;
    wend_cell cells[LOOKED_AT + 1];
    uint64_t costs[LOOKED_AT + 1]; ///< to each cell
} cell_row;

/* Returns whether what stands on a cell stays: a unit of the host, or an agent that it parks or steers. */
WEND__INLINE bool is_cell_shut(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    if (wend__occupancy_at(crowd->def.map->occupancy, cell) == 0) return false;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    if (holder == (int32_t)index) return false;
    return holder < 0 || crowd->in_traffic[holder].parked || crowd->in_traffic[holder].steered;
}

/* Returns whether what stands on a place stays. */
static bool is_shut(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const int32_t size = crowd->in_traffic[index].size;
    if (WEND__LIKELY(size == 1)) return is_cell_shut(crowd, index, cell);
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++)
            if (is_cell_shut(crowd, index, (wend_cell){cell.x + x, cell.y + y, cell.z})) return true;
    return false;
}

/// The ground on which a line is drawn.
typedef struct line_ground {
    const wend_crowd *crowd;
    const wend__version *version, *view; ///< view: its mover's
    uint32_t index;                      ///< the agent
    bool plain;                          ///< all steps are plain ones, of one sheet that does not wrap
} line_ground;

static line_ground ground_of(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__version *view = wend__version_view(version, crowd->in_traffic[index].mover);
    const bool plain = wend__has_plain_steps(view, version) && !view->sheets && !wend__wraps(view);
    return (line_ground){crowd, version, view, index, plain};
}

static uint64_t cost_of_step(const line_ground *ground, wend_cell from, wend_cell to) {
    if (WEND__LIKELY(ground->plain)) return wend__plain_step_cost(ground->view, from, to);
    return wend__step_cost(ground->version, ground->crowd->in_traffic[ground->index].mover, from, to);
}

/* Finds a step on plain ground: the mask of a cell has the steps to both corners, too. */
static uint64_t find_plain_step(const line_ground *ground, wend_cell from, wend_cell way, wend_cell *to) {
    *to = (wend_cell){from.x + way.x, from.y + way.y, 0};
    if (!wend__on_map(ground->view, to->x, to->y)) return UINT64_MAX;
    const uint32_t steps = wend__version_steps(ground->view, from.x, from.y);
    const int32_t d = wend__flat_direction(way.x, way.y);
    if (d < 0 || !(steps >> d & 1)) return UINT64_MAX;
    if (d < WEND__NE) return (uint64_t)ground->view->rules.cost_straight;
    const uint32_t corners = 1U << (way.x > 0 ? WEND__E : WEND__W) | 1U << (way.y > 0 ? WEND__S : WEND__N);
    if ((steps & corners) != corners) return UINT64_MAX;
    if (is_shut(ground->crowd, ground->index, (wend_cell){to->x, from.y, 0})) return UINT64_MAX;
    if (is_shut(ground->crowd, ground->index, (wend_cell){from.x, to->y, 0})) return UINT64_MAX;
    return (uint64_t)ground->view->rules.cost_diagonal;
}

/* Finds the cell to which a disc can step, past open corners.
 * @return the cost; UINT64_MAX: it can not */
static uint64_t find_step(const line_ground *ground, wend_cell from, wend_cell way, wend_cell *to) {
    if (!wend__is_unit(way.x) || !wend__is_unit(way.y)) return UINT64_MAX;
    if (WEND__LIKELY(ground->plain)) return find_plain_step(ground, from, way, to);
    if (!wend__find_beside(ground->view, from, way.x, way.y, to)) return UINT64_MAX;
    for (int32_t k = 0; k < 2 && way.x && way.y; k++) {
        wend_cell corner;
        if (!wend__find_corner(ground->view, from, *to, k > 0, &corner)) return UINT64_MAX;
        if (cost_of_step(ground, from, corner) == UINT64_MAX || is_shut(ground->crowd, ground->index, corner))
            return UINT64_MAX;
    }
    return cost_of_step(ground, from, *to);
}

bool wend__disc_may_step(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                         wend_cell to) {
    const line_ground ground = ground_of(crowd, version, index);
    wend_cell end;
    return !is_shut(crowd, index, to) &&
           find_step(&ground, from, wend__map_apart(crowd->def.map, from, to), &end) != UINT64_MAX;
}

/* Returns the cell of a line after some steps, each of which goes on by one along its longer side. */
static wend_cell cell_on_line(wend__vec from, wend__vec way, wend_cell begin, int32_t steps, bool flat) {
    wend_cell cell = begin;
    if (flat) {
        cell.x += steps;
        const int64_t along = (int64_t)cell.x * ONE + ONE / 2 - from.x;
        cell.y = wend__cell_along(from.y + (way.x ? wend__quotient(along * way.y, way.x) : 0));
    } else {
        cell.y += steps;
        const int64_t along = (int64_t)cell.y * ONE + ONE / 2 - from.y;
        cell.x = wend__cell_along(from.x + (way.y ? wend__quotient(along * way.x, way.y) : 0));
    }
    return cell;
}

/* Adds the cells along a line to a row, from its last cell on, which the beginning of the line need not be in. Returns
 * false if some step is closed, or the row is full.
 * @param begin   the last cell of the row, as seen from the body, which may lie beyond a rim or a seam; so does `end`
 * @param last    NULL: the cell at the end may be any; else the one to which the line must lead */
static bool add_line(const line_ground *ground, wend__vec from, wend_cell begin, wend__vec end, const wend_cell *last,
                     cell_row *row) {
    const wend_cell to = wend__cell_at(end);
    const int32_t dx = to.x - begin.x, dy = to.y - begin.y;
    const bool flat = wend__distance(dx, 0) >= wend__distance(dy, 0);
    const int32_t steps = (int32_t)wend__distance(flat ? dx : dy, 0), sign = (flat ? dx : dy) < 0 ? -1 : 1;
    const wend__vec way = wend__minus(end, from);
    wend_cell seen = begin;
    if (row->steps + (uint32_t)steps > LOOKED_AT) return false;
    for (int32_t k = 1; k <= steps; k++) {
        const wend_cell next = k < steps ? cell_on_line(from, way, begin, sign * k, flat) : to;
        const wend_cell step = {next.x - seen.x, next.y - seen.y, 0};
        wend_cell cell;
        const uint64_t cost = find_step(ground, row->cells[row->steps], step, &cell);
        if (cost == UINT64_MAX || (k < steps && is_shut(ground->crowd, ground->index, cell))) return false;
        row->cells[row->steps + 1] = cell;
        row->costs[row->steps + 1] = row->costs[row->steps] + cost;
        row->steps++;
        seen = next;
    }
    return steps > 0 && (!last || wend__same_cell(row->cells[row->steps], *last));
}

/* Returns the middle of its own cell for the centre of a body in the middle of its place. */
static wend__vec own_point(const wend__body *body, wend__vec centre) {
    return (wend__vec){centre.x - body->offset, centre.y - body->offset};
}

/* Draws the line from a disc to the middle of a cell; from the middle of its own cell if that from its centre is
 * closed. Returns whether there is one. */
static bool draw(const line_ground *ground, wend_cell to, wend__body_line *line, cell_row *row) {
    const wend_crowd *crowd = ground->crowd;
    const uint32_t index = ground->index;
    wend__bodies *engine = crowd->bodies->engine;
    const wend__body *body = wend__bodies_get(engine, index);
    const wend_cell at = crowd->in_traffic[index].at;
    const wend__vec way = wend__bodies_off(engine, body->at, wend__body_middle(body, to));
    if (wend__same_cell(to, at) || !wend__bodies_sees(engine, index, way)) return false;
    const wend__vec own = own_point(body, body->at), end = wend__plus(own, way);
    const wend__vec middle = wend__plus(own, wend__bodies_off(engine, body->at, wend__body_middle(body, at)));
    const wend__vec begins[2] = {own, middle};
    for (uint32_t k = 0; k < 2; k++) {
        row->steps = 0, row->cells[0] = at, row->costs[0] = 0;
        line->from = wend__plus(body->at, wend__minus(begins[k], own));
        line->way = wend__minus(end, begins[k]);
        if (add_line(ground, begins[k], wend__cell_at(middle), end, &to, row)) return true;
    }
    return false;
}

/* Lists the first cells of a path up to a link or a closed step. */
static void read_path(const line_ground *ground, cell_row *row) {
    const wend_crowd *crowd = ground->crowd;
    const wend__agent_path *path = &crowd->agents[ground->index].path;
    const int32_t size = crowd->in_traffic[ground->index].size;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    row->steps = 0, row->cells[0] = path->base, row->costs[0] = 0;
    while (row->steps + 1 < LOOKED_AT && wend__path_reader_next(&reader)) {
        const wend_cell last = row->cells[row->steps];
        if (!ground->plain && wend__body_leaps(ground->version, size, last, reader.cell)) return;
        const uint64_t cost = cost_of_step(ground, last, reader.cell);
        if (cost == UINT64_MAX) return;
        row->costs[row->steps + 1] = row->costs[row->steps] + cost;
        row->cells[++row->steps] = reader.cell;
    }
}

/// A line, and the cells along it.
typedef struct drawn_line {
    wend__body_line line;
    cell_row row;
} drawn_line;

/* Finds the last cell of a path to which a line leads that costs no more. Returns its number; 0: none.
 * @param on      the agent is on its path
 * @param lines   room for two
 * @param found   receives that line, one of both */
static uint32_t find_last(const line_ground *ground, const cell_row *path, bool on, drawn_line *lines,
                          drawn_line **found) {
    const uint64_t more = on || path->steps == 0 ? 0 : MORE_OFF_PATH * path->costs[1];
    uint32_t seen = 0, unseen = path->steps + 1, tried = 0;
    for (uint32_t k = path->steps; unseen - seen > 1; k = seen + (unseen - seen) / 2) {
        drawn_line *own = &lines[tried];
        const bool leads = draw(ground, path->cells[k], &own->line, &own->row);
        if (leads && own->row.costs[own->row.steps] <= path->costs[k] + more)
            seen = k, *found = own, tried = !tried;
        else
            unseen = k;
    }
    return seen;
}

/* Leads a line round the first disc that it would meet, on one side. Returns false if there is none, or no bend helps.
 * @param side   1: the better side; −1: the other one
 * @param ends   receives whether the other side is no better */
static bool bend(const line_ground *ground, int32_t side, drawn_line *drawn, bool *ends) {
    const wend_crowd *crowd = ground->crowd;
    const uint32_t index = ground->index;
    wend__body_line *line = &drawn->line;
    cell_row *row = &drawn->row;
    wend__bodies *engine = crowd->bodies->engine;
    const wend__body *body = wend__bodies_get(engine, index);
    const wend_cell at = crowd->in_traffic[index].at, last = row->cells[row->steps];
    const wend__vec own = own_point(body, body->at);
    const wend__vec middle = wend__plus(own, wend__bodies_off(engine, body->at, wend__body_middle(body, at)));
    const wend__vec end = wend__minus(wend__plus(line->from, line->way), body->at);
    wend__vec by = {0, 0};
    *ends = true;
    if (!wend__bodies_bend(engine, index, end, side, &by)) return false;
    const wend__vec point = wend__plus(own, by);
    if (wend__same_cell(wend__cell_at(point), wend__cell_at(middle))) return false; /* no bend is needed */
    *ends = false;
    if (!wend__bodies_sees(engine, index, by)) return false;
    cell_row bent;
    bent.steps = 0, bent.cells[0] = at, bent.costs[0] = 0;
    if (!add_line(ground, own, wend__cell_at(middle), point, NULL, &bent)) return false;
    if (bent.steps > LOOKED_AT / 2 || wend__same_cell(bent.cells[bent.steps], last)) return false;
    *ends = wend__same_cell(bent.cells[1], wend__body_cell_at(body, body->via)); /* never back to where it came from */
    const uint32_t until = bent.steps;
    if (*ends || !add_line(ground, point, wend__cell_at(point), wend__plus(own, end), &last, &bent)) return false;
    *row = bent;
    line->way = wend__minus(wend__plus(body->at, by), line->from);
    line->until = until;
    return true;
}

/* ---- vehicles ---- */

/* Returns whether it may step, past corners that nobody else holds. */
static bool opens(void *context, wend_cell from, wend_cell to) {
    const line_ground *ground = context;
    const wend_crowd *crowd = ground->crowd;
    const wend_cell at = wend__bodies_seen_cell(crowd->bodies->engine, ground->index, from);
    const wend_cell way = {to.x - from.x, to.y - from.y, 0};
    wend_cell end, corner;
    if (!wend__map_has(crowd->def.map, at)) return false;
    if (find_step(ground, at, way, &end) == UINT64_MAX || is_shut(crowd, ground->index, end)) return false;
    for (uint32_t k = 0; k < 2 && way.x && way.y; k++) {
        const int32_t holder = wend__find_corner(ground->view, at, end, k > 0, &corner)
                                   ? wend__traffic_holder(crowd->traffic, corner)
                                   : -1;
        if (holder >= 0 && holder != (int32_t)ground->index) return false;
    }
    return true;
}

/* Leads a vehicle to a cell: along arcs, then straight. Returns whether it finds a way. */
static bool drive(line_ground *ground, wend_cell to, wend__body_line *line, cell_row *row) {
    enum { PATIENT = 4 }; /* choices after which others that stand are gone round */
    const wend_crowd *crowd = ground->crowd;
    const uint32_t index = ground->index;
    wend__bodies *engine = crowd->bodies->engine;
    const wend__body *body = wend__bodies_get(engine, index);
    const wend__vec way = wend__bodies_off(engine, body->at, wend__body_middle(body, to));
    const wend__drive_request request = {.context = ground,
                                         .opens = opens,
                                         .to = wend__plus(body->at, way),
                                         .others_stay = crowd->agents[index].stall.stood > PATIENT};
    wend__drive found;
    *line = (wend__body_line){.from = body->at, .way = way};
    if (!wend__bodies_drive(engine, index, &request, &found)) return false;
    row->steps = 0, row->cells[0] = crowd->in_traffic[index].at, row->costs[0] = 0;
    for (uint32_t k = 1; k < found.count; k++, row->steps++) {
        const wend_cell step = {found.cells[k].x - found.cells[k - 1].x, found.cells[k].y - found.cells[k - 1].y, 0};
        const uint64_t cost = find_step(ground, row->cells[k - 1], step, &row->cells[k]);
        if (cost == UINT64_MAX) return false;
        row->costs[k] = row->costs[k - 1] + cost;
    }
    const bool arrives = row->steps > 0 && wend__same_cell(row->cells[row->steps], to);
    if (!arrives && !add_line(ground, own_point(body, found.straight_from), found.cells[found.count - 1],
                              own_point(body, request.to), &to, row))
        return false;
    wend__vehicle_aim(engine, index, found.aim, found.backs, found.goes_on);
    return true;
}

/* Returns whether a vehicle goes on along its drive: until the next cell, or the end of the arc. */
static bool drives_on(const wend_crowd *crowd, uint32_t index) {
    enum { LOOKS_AGAIN = 8 };
    const wend__body *body = wend__bodies_get(crowd->bodies->engine, index);
    const wend__agent_path *path = &crowd->agents[index].path;
    const wend__body_line *line = &crowd->bodies->lines[index];
    const wend__vec left = wend__minus(body->aim, body->at);
    const int32_t near = body->goes_on ? body->speed : body->halted ? ONE / 32 : 0;
    const bool is_there = wend__length(left) < near;
    return line->changes == path->changes && line->steps == path->stored.steps && !is_there &&
           crowd->agents[index].stall.stood % LOOKS_AGAIN != LOOKS_AGAIN / 2 + 1;
}

/* Returns whether a line is to be kept: the disc follows it, and drew it a few steps ago. */
static bool is_kept(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const wend__body_line *line = &crowd->bodies->lines[index];
    return wend__line_is_drawn(line) && !wend__bodies_get(crowd->bodies->engine, index)->strict &&
           line->changes == path->changes && path->stored.steps > line->until &&
           line->steps < path->stored.steps + (wend__bodies_lean(crowd->bodies->engine, index) ? 1 : KEPT_FOR);
}

/* Returns whether an agent has a path that a line may replace. */
static bool may_draw(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const uint32_t off = agent->path.recent_count;
    if (crowd->in_traffic[index].steered || agent->goal.kind == WEND__GOAL_NONE) return false;
    if (agent->goal.kind == WEND__GOAL_ROUTE || wend__is_searching(&agent->request)) return false;
    return agent->path.stored.steps > 0 || (off > 0 && off <= WEND__RECENT_CELLS); /* or pushed off its last cell */
}

void wend__line_draw(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__body_line *line = &crowd->bodies->lines[index];
    const bool on = path->recent_count == 0 && wend__same_cell(path->base, crowd->in_traffic[index].at);
    const bool vehicle = wend__bodies_is_vehicle(crowd->bodies->engine, index);
    if (!may_draw(crowd, index) || (on && (vehicle ? drives_on(crowd, index) : is_kept(crowd, index)))) return;
    line_ground ground = ground_of(crowd, version, index);
    drawn_line lines[2], *drawn = lines;
    cell_row cells;
    *line = (wend__body_line){.until = 0};
    read_path(&ground, &cells);
    uint32_t last = find_last(&ground, &cells, on, lines, &drawn);
    if (vehicle && on && last == 0 && cells.steps > 0) last = 1; /* an arc may lead there all the same */
    if (last == 0 && (on || (!vehicle && path->recent_count > WEND__RECENT_CELLS))) return;
    if (vehicle && !drive(&ground, cells.cells[last], &drawn->line, &drawn->row)) {
        drawn->line.changes = path->changes, drawn->line.steps = path->stored.steps;
        *line = drawn->line; /* it does not search again at once */
        return;
    }
    if (!vehicle && last == 0 && !draw(&ground, cells.cells[0], &drawn->line, &drawn->row)) return;
    drawn->line.until = drawn->row.steps;
    bool ends = vehicle || !wend__bodies_in_open(crowd->bodies->engine, index), bends = false;
    for (int32_t side = 1; side >= -1 && !ends && !bends; side -= 2) bends = bend(&ground, side, drawn, &ends);
    if (!wend__path_lead(crowd, version, index, last, drawn->row.cells, drawn->row.steps)) return;
    *line = drawn->line;
    line->changes = path->changes;
    line->steps = path->stored.steps;
    line->until = path->stored.steps - line->until;
}

bool wend__line_foot(const wend_crowd *crowd, uint32_t index, wend__vec middle, wend__vec *by) {
    enum { SHIFT = 14 }; /* so that products fit */
    const wend__body_line *line = &crowd->bodies->lines[index];
    const wend__vec off = wend__bodies_off(crowd->bodies->engine, line->from, middle);
    const int64_t square = wend__vec_dot(line->way, line->way), along = wend__vec_dot(off, line->way);
    if (square >> SHIFT == 0 || along <= 0 || along >= square) return false;
    *by = wend__minus(wend__scaled(line->way, along >> SHIFT, square >> SHIFT), off);
    return true;
}

wend__vec wend__line_left(const wend_crowd *crowd, uint32_t index) {
    const wend__body_line *line = &crowd->bodies->lines[index];
    const wend__vec at = wend__bodies_get(crowd->bodies->engine, index)->at;
    if (!wend__line_is_drawn(line)) return (wend__vec){0, 0};
    return wend__plus(wend__bodies_off(crowd->bodies->engine, at, line->from), line->way);
}

bool wend__line_is_along_x(const wend_crowd *crowd, uint32_t index) {
    const wend__vec left = wend__line_left(crowd, index);
    if (!wend__line_is_drawn(&crowd->bodies->lines[index])) return index % 2 == 0;
    return wend__distance(left.x, 0) >= wend__distance(left.y, 0);
}
