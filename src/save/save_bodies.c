/* SPDX-License-Identifier: MIT */
/* The bodies of a crowd, behind all else in its save: their state. A save without bodies ends before. */
#include "agents/discs/state.h"
#include "agents/update/agents.h"
#include "map/version/version.h"
#include "save/save_crowd.h"

enum { ONE = WEND_BODY_UNITS, MILLI = 1000, SPARE = 1 << 21, HALF_MAP = 1 << 30 };
enum { MOST_ACCEL = WEND_MAX_ACCEL_MILLI / MILLI * ONE, ROUNDED = 6 };

/* ---- fields ---- */

WEND__INLINE void pass_vector(wend__words *f, bool reads, wend__vec *v, int32_t least, int32_t most) {
    WEND__FIELD(v->x);
    WEND__FIELD(v->y);
    if (!reads || (v->x >= least && v->x <= most && v->y >= least && v->y <= most)) return;
    *v = (wend__vec){0, 0};
    f->bad = true;
}

/* Leaves room for further counting. */
WEND__INLINE void pass_count(wend__words *f, bool reads, int32_t *count, int32_t least) {
    WEND__FIELD(*count);
    if (!reads || (*count >= least && *count <= INT32_MAX - SPARE)) return;
    *count = 0;
    f->bad = true;
}

WEND__INLINE void line_fields(wend__words *f, bool reads, wend__body_line *line) {
    const int32_t far = wend__most(f->map->width, f->map->height) * ONE - 1;
    pass_vector(f, reads, &line->from, 0, far);
    pass_vector(f, reads, &line->way, -far, far);
    WEND__FIELD(line->changes);
    WEND__FIELD(line->steps);
    WEND__FIELD(line->until);
}

WEND__INLINE void disc_fields(wend__crowd_save *c, wend__words *f, bool reads, wend__body *body) {
    const bool wraps = wend__wraps(c->version); /* points may be half a side beyond the rim */
    const int32_t near = wraps ? -HALF_MAP / 2 - SPARE : -SPARE, far = HALF_MAP + (wraps ? HALF_MAP / 2 : 0) + SPARE;
    pass_vector(f, reads, &body->at, 0, wend__most(f->map->width, f->map->height) * ONE - 1);
    pass_vector(f, reads, &body->velocity, -ONE, ONE);
    pass_vector(f, reads, &body->facing, -2 * ONE, 2 * ONE);
    pass_vector(f, reads, &body->aim, near, far);
    WEND__FIELD_BELOW(body->radius, WEND_MAX_MOVER_SIZE * ONE);
    WEND__FIELD_BELOW(body->speed, ONE + 1);
    WEND__FIELD_BELOW(body->accel, MOST_ACCEL + 1);
    WEND__FIELD_BELOW(body->offset, WEND_MAX_MOVER_SIZE * ONE);
    WEND__FIELD_BELOW(body->turn, WEND_MAX_TURN_DEGREES + 1);
    WEND__FIELD_BELOW(body->turning, WEND_MAX_TURNING_MILLI / MILLI * ONE + 1);
    WEND__FIELD_BELOW(body->mover, wend__version_movers(c->version));
}

WEND__INLINE void step_fields(wend__words *f, bool reads, wend__body *body) {
    const int32_t far = wend__most(f->map->width, f->map->height) * ONE - 1;
    WEND__FIELD_BELOW(body->state, WEND__BODY_GOES + 1);
    WEND__FIELD_BELOW(body->parked, 2);
    WEND__FIELD_BELOW(body->goes_on, 2);
    WEND__FIELD_BELOW(body->backs, 2);
    WEND__FIELD_BELOW(body->in_wall, 2);
    WEND__FIELD_BELOW(body->pressed, 2);
    WEND__FIELD_BELOW(body->at_via, 2);
    WEND__FIELD_BELOW(body->strict, 2);
    WEND__FIELD_BELOW(body->swaps, 2);
    WEND__FIELD_BELOW(body->halted, 2);
    pass_count(f, reads, &body->blocked, 0);
    WEND__FIELD(body->via_step);
    WEND__FIELD(body->step);
    pass_vector(f, reads, &body->via, 0, far);
    pass_vector(f, reads, &body->post, 0, far);
}

static wend_bodies *bodies_of(const wend__crowd_save *c) {
    return c->crowd->bodies;
}

/* ---- slots ---- */

/// An agent with a body.
typedef struct body_slot {
    uint32_t index;
    wend__body_line line;
    wend__body body;
} body_slot;

static uint32_t slot_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    body_slot *slot = of;
    WEND__FIELD_BELOW(slot->index, c->crowd->def.agents);
    line_fields(f, reads, &slot->line);
    disc_fields(c, f, reads, &slot->body);
    step_fields(f, reads, &slot->body);
    return wend__crowd_fields_end(&own, words, bad);
}

/* Returns whether a body is on the way between two cells, or before a link. */
static bool is_on_step(const wend__crowd_save *c, const wend__bodies *engine, const wend__body *body) {
    const wend_map *map = c->crowd->def.map;
    if (!wend__map_has(map, wend__cell_at(body->via)) || !wend__map_has(map, wend__cell_at(body->post))) return false;
    const wend__vec leg = wend__bodies_off(engine, body->via, body->post);
    const wend__vec off = wend__bodies_off(engine, body->at, body->post);
    return wend__least(leg.x, leg.y) >= -2 * ONE && wend__most(leg.x, leg.y) <= 2 * ONE &&
           wend__least(off.x, off.y) >= -4 * ONE && wend__most(off.x, off.y) <= 4 * ONE;
}

/* Returns whether a disc is that of its agent, where the agent is. */
static bool is_disc_of(const wend__crowd_save *c, const wend__bodies *engine, const body_slot *slot) {
    const wend__traffic_agent *in_traffic = &c->crowd->in_traffic[slot->index];
    const wend__body *body = &slot->body;
    const wend_body_def def = wend__body_def_of(body);
    const bool here = c->crowd->phase[slot->index] > WEND__PHASE_AWAY;
    if (!in_traffic->body) return false;
    if (here == (body->state == WEND__BODY_NONE) || wend__bodies_check_def(&def, in_traffic->size)) return false;
    return !here ||
           (body->radius == (int32_t)wend__bodies_radius(def.radius_milli) && body->mover == in_traffic->mover &&
            body->speed > 0 && body->offset == engine->floors[body->mover].offset && is_on_step(c, engine, body));
}

/* @param before   the slots below are restored */
static wend_error restore_slot(wend__crowd_save *c, wend_bodies *bodies, const body_slot *slot, uint32_t before) {
    wend__bodies *engine = bodies->engine;
    const uint32_t i = slot->index;
    const wend_map *map = c->crowd->def.map;
    const wend__vec at = slot->body.at;
    const bool on_map = at.x < map->width * ONE && at.y < map->height * ONE;
    if (!wend__save_check(&c->save, i >= before && i < c->crowd->used && on_map)) return WEND_OK;
    if (!wend__bodies_open_floor(engine, slot->body.mover)) return WEND_OUT_OF_MEMORY;
    if (!wend__save_check(&c->save, is_disc_of(c, engine, slot))) return WEND_OK;
    engine->of[i] = slot->body;
    bodies->lines[i] = slot->line;
    if (slot->body.state == WEND__BODY_NONE) return WEND_OK;
    wend__body_enter_bin(engine, i);
    engine->count++;
    engine->vehicles += slot->body.turning > 0;
    wend__save_check(&c->save, i < engine->used);
    return WEND_OK;
}

void wend__hash_body(wend__crowd_save *c, uint32_t index) {
    const wend_bodies *bodies = bodies_of(c);
    if (!bodies || !c->crowd->in_traffic[index].body) return;
    body_slot slot = {index, bodies->lines[index], bodies->engine->of[index]};
    wend__series_begin(&c->series);
    wend__crowd_pass(c, slot_fields, &slot);
}

static wend_error pass_slots(wend__crowd_save *c, wend_bodies *bodies) {
    wend__bodies *engine = bodies->engine;
    uint32_t count = c->save.reads ? 0 : c->crowd->body_count, have = 0, before = 0;
    wend_error error = WEND_OK;
    wend__save_below(&c->save, &count, c->crowd->used + UINT64_C(1));
    wend__series_begin(&c->series);
    for (uint32_t k = 0; k < count && !c->save.bad && !error; k++) {
        body_slot slot = {0};
        if (!c->save.reads) {
            while (!c->crowd->in_traffic[before].body) before++;
            slot = (body_slot){before, bodies->lines[before], engine->of[before]};
        }
        wend__crowd_pass(c, slot_fields, &slot);
        if (c->save.reads && !c->save.bad) error = restore_slot(c, bodies, &slot, before);
        have += c->crowd->in_traffic[slot.index].body;
        before = slot.index + 1;
    }
    wend__save_check(&c->save, error || have == c->crowd->body_count);
    return error;
}

/* Returns whether no disc touches another one: as in debug builds after an update. */
static bool are_apart(wend_bodies *bodies) {
    const wend__bodies *engine = bodies->engine;
    wend__others_update(&bodies->others);
    for (uint32_t i = 0; i < engine->used; i++) {
        const wend__body *body = &engine->of[i];
        if (body->state == WEND__BODY_NONE) continue;
        if (wend__body_touches(engine, i, body->at, (wend__vec){0, 0}, body->radius) >= 0) return false;
        if (wend__body_touches(engine, i, body->at, (wend__vec){0, 0}, body->radius - ROUNDED) != -1) return false;
    }
    return true;
}

/* ---- counts of the engine ---- */

static uint32_t engine_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend__bodies *engine = of;
    WEND__FIELD_BELOW(engine->used, c->crowd->used + UINT64_C(1));
    WEND__FIELD_BELOW(engine->most_radius, WEND_MAX_MOVER_SIZE * ONE);
    WEND__FIELD_BELOW(engine->most_offset, WEND_MAX_MOVER_SIZE * ONE);
    WEND__FIELD(engine->posts);
    if (engine->posts > 0 || engine->posts < INT32_MIN / 2) f->bad = true;
    return wend__crowd_fields_end(&own, words, bad);
}

/* ---- all of it ---- */

void wend__forget_bodies(wend_crowd *crowd, uint32_t slots) {
    WEND__DEBUG_ASSERT(slots <= crowd->def.agents);
    if (!crowd->bodies) return;
    wend_bodies *bodies = crowd->bodies;
    wend__bodies_clear(bodies->engine, slots);
    memset(bodies->lines, 0, slots * sizeof *bodies->lines);
}

wend_error wend__save_bodies(wend__crowd_save *c) {
    wend_bodies *bodies = bodies_of(c);
    const bool reads = c->save.reads;
    if (reads && c->save.at == c->save.bytes) wend__save_check(&c->save, c->crowd->body_count == 0);
    if (reads ? c->save.bad || c->save.at == c->save.bytes : !bodies) return WEND_OK;
    if (!bodies) {
        const wend_error opened = wend__bodies_open(c->crowd);
        if (opened) return opened;
        bodies = bodies_of(c);
    }
    wend__bodies *engine = bodies->engine;
    if (!reads && engine->used == 0) return WEND_OK; /* as long as no agent has had a body, all counts are 0 */
    bodies->version = c->version;
    wend__bodies_follow(engine, c->version);
    wend__series_begin(&c->series);
    wend__crowd_pass(c, engine_fields, engine);
    const wend_error error = c->save.bad ? WEND_OK : pass_slots(c, bodies);
    if (reads && !c->save.bad && !error) wend__save_check(&c->save, are_apart(bodies));
    return error;
}
