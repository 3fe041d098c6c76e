/* SPDX-License-Identifier: MIT */
/* The rules of discs: no two touch, none is on a blocked cell, none is too fast, and each is in its agent's cell,
 * or on a step to it. */
#include "body/discs.h"
#include "models/apart.h"

#include <stdio.h>
#include <wend/agents.h>

enum { ONE = WEND_BODY_UNITS, HALF = ONE / 2 };
enum { DRAWN = ONE / 500 }; ///< points of agents without bodies are rounded to thousandths

#define BROKEN(...) return snprintf(d->text, sizeof d->text, __VA_ARGS__), false

static int64_t square(int64_t n) {
    return n * n;
}

/* How far two numbers along an axis are apart, over the rim where that is shorter. */
static int64_t apart_along(int64_t a, int64_t b, int64_t around) {
    const int64_t d = a < b ? b - a : a - b;
    return around > 0 && around - d < d ? around - d : d;
}

/* Measures on the ground; discs without steps between their cells do not meet. */
static int64_t square_on_ground(const discs_ground *g, const disc *a, const disc *b) {
    if (!g->joined(g->context, a->here, b->here)) return INT64_MAX;
    const wend_cell own = g->shift(g->context, a->here), other = g->shift(g->context, b->here);
    return square(a->x + (int64_t)own.x * ONE - b->x - (int64_t)other.x * ONE) +
           square(a->y + (int64_t)own.y * ONE - b->y - (int64_t)other.y * ONE);
}

static int64_t square_apart(const discs *d, const disc *a, const disc *b) {
    if (d->ground) return square_on_ground(d->ground, a, b);
    return square(apart_along(a->x, b->x, (int64_t)d->around_x * ONE)) +
           square(apart_along(a->y, b->y, (int64_t)d->around_y * ONE));
}

static int64_t cell_of(int64_t at) {
    return (at + HALF) >= 0 ? (at + HALF) / ONE : -1;
}

/* ---- places ---- */

/* Narrows the parts of a way, in units of it, at which a centre is at most half a cell beside it along one axis.
 * @param off   along the axis, from where the way begins
 * @param to    where the way leads: −1, 0 or 1 */
static bool narrow_part(int64_t off, int64_t to, int64_t part[2]) {
    enum { WIDE = HALF + 2 }; /* what is rounded counts */
    const int64_t along = to < 0 ? -off : off;
    if (to == 0) return off >= -WIDE && off <= WIDE;
    if (along - WIDE > part[0]) part[0] = along - WIDE;
    if (along + WIDE < part[1]) part[1] = along + WIDE;
    return part[0] <= part[1];
}

/* The signed way between two numbers along an axis, over the rim where that is shorter. */
static int64_t way_along(int64_t from, int64_t to, int64_t around) {
    const int64_t way = to - from;
    if (around == 0 || (2 * way <= around && 2 * way >= -around)) return way;
    return way > 0 ? way - around : way + around;
}

/* Writes the way from the place before to a cell, in cells. */
static void way_from_before(const discs *d, const disc *own, wend_cell cell, int64_t way[2]) {
    wend_cell from = {0, 0, 0}, to = {0, 0, 0};
    if (d->ground)
        from = d->ground->shift(d->ground->context, own->before), to = d->ground->shift(d->ground->context, cell);
    way[0] = way_along(own->before.x + from.x, cell.x + to.x, d->around_x);
    way[1] = way_along(own->before.y + from.y, cell.y + to.y, d->around_y);
}

static bool are_next(const int64_t way[2]) {
    return square(way[0]) <= 1 && square(way[1]) <= 1;
}

/* Returns whether a centre is in its place, or on the way there: at most half a cell along each axis from the straight
 * line between the middles of the last place and of this one. Before a leap it is in the last one.
 * @param centre   the cell of the centre */
static bool is_on_step(const discs *d, const disc *own, wend_cell centre) {
    const int64_t half = (own->size - 1) * HALF;
    int64_t way[2], here[2];
    way_from_before(d, own, own->cell, way);
    way_from_before(d, own, centre, here);
    int64_t part[2] = {0, are_next(way) ? ONE : 0};
    return narrow_part(own->x - half + (here[0] - centre.x) * ONE, way[0], part) &&
           narrow_part(own->y - half + (here[1] - centre.y) * ONE, way[1], part);
}

/* ---- reading ---- */

static void read_agent(disc *out, const wend_agent_state *agent) {
    out->x = (int64_t)agent->point.x * ONE / 1000 + (out->size - 1) * HALF;
    out->y = (int64_t)agent->point.y * ONE / 1000 + (out->size - 1) * HALF;
    out->radius = out->size * HALF, out->cell = out->here = agent->cell;
}

static bool read_body(discs *d, uint32_t i, const wend_body_state *body, const wend_agent_state *agent,
                      uint32_t elapsed) {
    disc *own = &d->of[i];
    const disc before = *own;
    const int64_t most = (int64_t)agent->speed_milli * ONE / 1000;
    own->x = body->exact_at.x, own->y = body->exact_at.y;
    own->vx = body->exact_velocity.x, own->vy = body->exact_velocity.y;
    own->radius = (int64_t)body->radius_milli * ONE / 1000, own->cell = agent->cell;
    own->most = most < ONE ? most : ONE;
    if (elapsed > 0 && square(own->vx) + square(own->vy) > square(own->most + 1))
        BROKEN("body %u has a velocity of %lld,%lld, the most is %lld", i, (long long)own->vx, (long long)own->vy,
               (long long)own->most);
    const int64_t half = (own->size - 1) * HALF;
    own->here = (wend_cell){(int32_t)cell_of(own->x - half), (int32_t)cell_of(own->y - half), 0};
    const bool in_place = own->here.x == own->cell.x && own->here.y == own->cell.y;
    if (!before.there || !before.body || before.placed)
        own->before = own->here; /* the host put it there */
    else if (before.cell.x != own->cell.x || before.cell.y != own->cell.y)
        own->before = before.cell;
    const int64_t far = own->most * elapsed / 1000 + 2;
    int64_t way[2];
    way_from_before(d, own, own->cell, way);
    const bool leaps = d->links && in_place && !are_next(way);
    if (before.there && before.body && !before.placed && !leaps && square_apart(d, own, &before) > square(far))
        BROKEN("body %u went from %lld,%lld to %lld,%lld, the most is %lld", i, (long long)before.x,
               (long long)before.y, (long long)own->x, (long long)own->y, (long long)far);
    if (!in_place && !own->inside && !is_on_step(d, own, own->here))
        BROKEN("body %u at %lld,%lld is not in the cell %d,%d, nor on the way there from %d,%d", i, (long long)own->x,
               (long long)own->y, own->cell.x, own->cell.y, own->before.x, own->before.y);
    return true;
}

static bool read_all(discs *d, wend_crowd *crowd, uint32_t elapsed) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(crowd, &view);
    d->count = view.count;
    for (uint32_t i = 0; i < view.count; i++) {
        wend_agent_state agent = {.struct_bytes = sizeof agent};
        wend_body_state body = {.struct_bytes = sizeof body};
        disc *own = &d->of[i];
        const bool there = view.ids[i].generation > 0 && !wend_crowd_get_agent(crowd, view.ids[i], &agent) &&
                           agent.state != WEND_AGENT_AWAY && !agent.ghost;
        const bool has_body = there && !wend_crowd_get_body(crowd, view.ids[i], &body);
        if (has_body != own->body || !there) own->there = false;
        own->size = there && agent.mover > 0 ? d->sizes[agent.mover] : 1;
        if (has_body && !read_body(d, i, &body, &agent, elapsed)) return false;
        if (there && !has_body) read_agent(own, &agent);
        own->inside &= own->there || own->placed;
        own->there = there, own->body = has_body, own->placed = false;
    }
    return true;
}

/* ---- rules ---- */

static bool share_cell(const discs *d, const disc *a, const disc *b) {
    wend_map_info map = {.kind = WEND_KIND_GRID, .width = d->around_x, .height = d->around_y};
    map.wrap = (d->around_x ? WEND_WRAP_X : 0) | (d->around_y ? WEND_WRAP_Y : 0);
    const stand own = stand_of(&map, a->cell, a->cell, a->size), other = stand_of(&map, b->cell, b->cell, b->size);
    return stands_overlap(&map, &own, &other);
}

static bool check_pair(discs *d, uint32_t i, uint32_t j) {
    const disc *a = &d->of[i], *b = &d->of[j];
    const int64_t sum = a->radius + b->radius - (a->body && b->body ? 0 : DRAWN);
    const int64_t apart = square_apart(d, a, b);
    const bool pressed = a->body && b->body && (a->pressed || b->pressed);
    const int64_t near = pressed ? sum * 95 / 100 : sum;
    d->pairs++;
    d->of[i].overlaps |= apart < square(sum), d->of[j].overlaps |= apart < square(sum);
    if (apart < square(near))
        BROKEN("%u at %lld,%lld and %u at %lld,%lld touch: %lld", i, (long long)a->x, (long long)a->y, j,
               (long long)b->x, (long long)b->y, (long long)near);
    if ((!a->body || !b->body) && share_cell(d, a, b))
        BROKEN("%u and %u, not both with bodies, share a cell at %d,%d", i, j, a->cell.x, a->cell.y);
    return true;
}

static int64_t beside(int64_t at, int64_t cell) {
    const int64_t low = cell * ONE - HALF, high = cell * ONE + HALF;
    return at < low ? low - at : at > high ? at - high : 0;
}

static bool check_walls(discs *d, uint32_t i, bool (*blocked)(void *, int32_t, int32_t), void *context) {
    disc *own = &d->of[i];
    const discs_ground *g = d->ground;
    const int32_t x = own->here.x - 1, y = own->here.y - 1, side = own->size + 2;
    bool covers = false; /* by its disc, or by the cells that its agent covers */
    for (int32_t k = 0; k < side * side; k++) {
        const int32_t cx = x + k % side, cy = y + k / side;
        if (!(g ? g->blocked(g->context, own->here, k % side - 1, k / side - 1) : blocked(context, cx, cy))) continue;
        d->walls++;
        covers |= cx > x && cy > y && cx <= x + own->size && cy <= y + own->size;
        covers |= way_along(cx, own->cell.x, d->around_x) == 0 && way_along(cy, own->cell.y, d->around_y) == 0;
        covers |= square(beside(own->x, cx)) + square(beside(own->y, cy)) < square(own->radius);
    }
    if (covers && !own->inside)
        BROKEN("body %u at %lld,%lld, radius %lld, is on a blocked cell, in %d,%d of size %d", i, (long long)own->x,
               (long long)own->y, (long long)own->radius, own->cell.x, own->cell.y, own->size);
    own->inside &= covers || own->here.x != own->cell.x || own->here.y != own->cell.y;
    return true;
}

bool discs_check(discs *d, wend_crowd *crowd, uint32_t elapsed_milli,
                 bool (*blocked)(void *context, int32_t x, int32_t y), void *context) {
    if (!read_all(d, crowd, elapsed_milli)) return false;
    for (uint32_t i = 0; i < d->count; i++) d->of[i].overlaps = false;
    for (uint32_t i = 0; i < d->count; i++) {
        if (!d->of[i].there || !d->of[i].body) continue;
        if (!check_walls(d, i, blocked, context)) return false;
        for (uint32_t j = 0; j < d->count; j++)
            if (j != i && d->of[j].there && (j > i || !d->of[j].body) && !check_pair(d, i, j)) return false;
    }
    for (uint32_t i = 0; i < d->count; i++) d->of[i].pressed &= d->of[i].there && d->of[i].overlaps;
    return true;
}
