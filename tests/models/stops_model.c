/* SPDX-License-Identifier: MIT */
/* A model of stops: see stops_model.h. */
#include "models/stops_model.h"

#include "fast/stops/stop_tables.h"
#include "fast/stops/stops.h"
#include "map/store/directions.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

/* ---- exits ---- */

/* A way of one step or two: the prices of its steps, and which are diagonal. */
typedef struct way {
    int64_t cost;
    int32_t diagonals;
    bool diagonal_first;
} way;

static bool on_nine(int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < 3 && y < 3;
}

static bool may_step(const nine *n, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return on_nine(x, y) && on_nine(x + dx, y + dy) && n->factors[y][x] && n->factors[y + dy][x + dx] &&
           n->steps[y][x][dy + 1][dx + 1];
}

static way longer(const nine *n, way before, bool first, int32_t dx, int32_t dy, int32_t to_x, int32_t to_y) {
    const bool diagonal = dx && dy;
    before.cost += (int64_t)(diagonal ? n->diagonal : n->straight) * n->factors[to_y][to_x];
    before.diagonals += diagonal;
    if (first) before.diagonal_first = diagonal;
    return before;
}

/* Returns whether the second way must go, because of the first. */
static bool beats(const nine *n, way a, way b) {
    const bool turned = a.diagonal_first && !b.diagonal_first;
    if (a.cost != b.cost) return a.cost < b.cost;
    if (n->diagonal == n->straight && a.diagonals != b.diagonals) return a.diagonals < b.diagonals;
    if (n->diagonal == 2 * n->straight && a.diagonals != b.diagonals) return a.diagonals > b.diagonals;
    return turned;
}

/* Returns whether there is a way from p to e, not over the middle, that beats `over`. */
static bool has_better(const nine *n, const int32_t p[2], const int32_t e[2], way over) {
    const way none = {0, 0, false};
    const int32_t dx = e[0] - p[0], dy = e[1] - p[1];
    if (abs(dx) <= 1 && abs(dy) <= 1 && may_step(n, p[0], p[1], dx, dy) &&
        beats(n, longer(n, none, true, dx, dy, e[0], e[1]), over))
        return true;
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++) {
            const int32_t ax = x - p[0], ay = y - p[1], bx = e[0] - x, by = e[1] - y;
            if ((x == 1 && y == 1) || (x == p[0] && y == p[1]) || (x == e[0] && y == e[1]) || n->units[y][x]) continue;
            if (abs(ax) > 1 || abs(ay) > 1 || abs(bx) > 1 || abs(by) > 1) continue;
            if (!may_step(n, p[0], p[1], ax, ay) || !may_step(n, x, y, bx, by)) continue;
            if (beats(n, longer(n, longer(n, none, true, ax, ay, x, y), false, bx, by, e[0], e[1]), over)) return true;
        }
    return false;
}

unsigned nine_exits(const nine *n, unsigned d) {
    const int32_t dx = wend__dx[d], dy = wend__dy[d], p[2] = {1 - dx, 1 - dy};
    unsigned exits = 0;
    if (!may_step(n, p[0], p[1], dx, dy)) return 0;
    const way arrived = longer(n, (way){0, 0, false}, true, dx, dy, 1, 1);
    for (unsigned i = 0; i < WEND__DIRECTIONS; i++) {
        const int32_t e[2] = {1 + wend__dx[i], 1 + wend__dy[i]};
        if ((e[0] == p[0] && e[1] == p[1]) || !may_step(n, 1, 1, wend__dx[i], wend__dy[i])) continue;
        const way over = longer(n, arrived, false, wend__dx[i], wend__dy[i], e[0], e[1]);
        if (!has_better(n, p, e, over)) exits |= 1u << i;
    }
    return exits;
}

nine nine_of(const walled *w, int32_t x, int32_t y) {
    nine n = {.straight = w->m.rules.cost_straight, .diagonal = w->m.rules.cost_diagonal};
    for (int32_t r = 0; r < 3; r++)
        for (int32_t c = 0; c < 3; c++) {
            const int32_t at_x = x + c - 1, at_y = y + r - 1;
            if (!model_open(&w->m, at_x, at_y)) continue;
            n.factors[r][c] = w->m.rules.factors[w->m.classes[at_y * w->m.width + at_x]];
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
                n.steps[r][c][wend__dy[d] + 1][wend__dx[d] + 1] = walled_step(w, at_x, at_y, wend__dx[d], wend__dy[d]);
        }
    return n;
}

/* ---- by open cells alone ---- */

/* The same cells, all of one factor, with all the steps that the rule "no corner cut" allows. */
static nine evened(const nine *n) {
    nine even = *n;
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++) even.factors[y][x] = n->factors[y][x] != 0;
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++)
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++) {
                    const bool there = on_nine(x + dx, y + dy) && (dx || dy);
                    even.steps[y][x][dy + 1][dx + 1] = there && even.factors[y][x] && even.factors[y + dy][x + dx] &&
                                                       even.factors[y][x + dx] && even.factors[y + dy][x];
                }
    memset(even.units, 0, sizeof even.units);
    return even;
}

unsigned nine_natural_exits(const nine *n, unsigned d) {
    const nine even = evened(n);
    return nine_exits(&even, d);
}

/* ---- worlds ---- */

void stops_world_close(stops_world *o, wend_edit *edit, uint32_t count, bool open, uint64_t *seed) {
    const int32_t width = o->w.m.width, height = o->w.m.height;
    while (count--) {
        const int32_t x = (int32_t)draw(seed, (uint32_t)width), y = (int32_t)draw(seed, (uint32_t)height);
        const unsigned d = draw(seed, WEND__DIRECTIONS);
        const int32_t dx = wend__dx[d], dy = wend__dy[d];
        if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
        walled_set(&o->w, edit, x, y, dx, dy, open);
        if (draw(seed, 2)) walled_set(&o->w, edit, x + dx, y + dy, -dx, -dy, open);
    }
}

void stops_world_link(stops_world *o, wend_edit *edit, wend_cell from, wend_cell to) {
    if (from.x == to.x && from.y == to.y) return;
    if (wend_edit_remove_link(edit, from, to) == WEND_OK) o->links[from.y * o->w.m.width + from.x]--;
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 50, 0}), WEND_OK);
    o->links[from.y * o->w.m.width + from.x]++;
}

stops_world stops_world_create(const stops_mixture *mix, uint64_t seed) {
    wend_map_rules rules = default_rules();
    rules.cost_straight = mix->straight, rules.cost_diagonal = mix->diagonal;
    stops_world o = {.w = walled_create(mix->width, mix->height, &rules)};
    const uint32_t cells = (uint32_t)(mix->width * mix->height);
    o.links = calloc(cells, 1);
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t roll = draw(&seed, 1000);
        const uint8_t slow = (uint8_t)(2 + draw(&seed, 3));
        o.w.m.classes[i] = roll < mix->blocked               ? WEND_CLASS_BLOCKED
                           : roll < mix->blocked + mix->slow ? slow
                                                             : WEND_CLASS_OPEN;
    }
    o.map = map_of(&o.w.m);
    wend_edit *edit = begin_edit(o.map);
    stops_world_close(&o, edit, cells * mix->closed / 1000, false, &seed);
    for (uint32_t i = cells * mix->entrances / 1000; i > 0; i--) {
        const uint32_t a = draw(&seed, cells), b = draw(&seed, cells), w = (uint32_t)mix->width;
        stops_world_link(&o, edit, at((int32_t)(a % w), (int32_t)(a / w)), at((int32_t)(b % w), (int32_t)(b / w)));
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return o;
}

void stops_world_free(stops_world *o) {
    wend_map_release(o->map);
    walled_free(&o->w);
    free(o->links);
}

/* ---- stops ---- */

static bool is_special(const nine *n, bool entrance) {
    const nine even = evened(n);
    bool special = entrance;
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++) {
            special = special || (n->factors[y][x] && n->factors[y][x] != n->factors[1][1]);
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++)
                    special = special || (may_step(&even, x, y, dx, dy) && !may_step(n, x, y, dx, dy));
        }
    return special;
}

static unsigned stops_of(const nine *n, bool entrance) {
    const nine even = evened(n);
    unsigned stops = 0, legal = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) legal |= (unsigned)may_step(n, 1, 1, wend__dx[d], wend__dy[d]) << d;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int32_t dx = wend__dx[d], dy = wend__dy[d];
        if (!may_step(n, 1 - dx, 1 - dy, dx, dy)) continue;
        const unsigned natural = nine_exits(&even, d), exits = nine_exits(n, d);
        if (n->factors[1][1] != n->factors[1 - dy][1 - dx] || exits & ~natural || natural & ~legal) stops |= 1u << d;
    }
    return entrance ? 255 : stops;
}

/* Returns whether the cell is a stop for an arrival in direction d, by the lines. */
static bool on_lines(const wend__stop_lines *lines, unsigned x, unsigned y, unsigned d) {
    static const uint8_t quadrants[4] = {WEND__QUADRANT_NE, WEND__QUADRANT_SE, WEND__QUADRANT_SW, WEND__QUADRANT_NW};
    if (d < 4) return lines->straight[d][d & 1 ? y : x] >> (d & 1 ? x : y) & 1;
    const unsigned k = quadrants[d & 3], p = k & 1 ? x : 63 - x, q = k & 2 ? y : 63 - y;
    return lines->diagonal[k][(p - q) & 63] >> p & 1;
}

static void check_open_cell(const nine *n, bool entrance, const wend__stop_chunk *chunk, unsigned local) {
    const bool special = is_special(n, entrance);
    const unsigned x = local & 63, y = local >> 6, stops = special ? stops_of(n, entrance) : 0;
    cr_assert(chunk || !special);
    if (!chunk) return;
    const int32_t number = wend__stop_number(chunk, local);
    cr_assert_eq(number >= 0, special);
    cr_assert_eq(chunk->special[y] >> x & 1, special);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        cr_assert_eq(on_lines(&chunk->tight, x, y, d), stops >> d & 1);
        cr_assert_eq(wend__marked(&chunk->loose, local, d), special);
        if (special) cr_assert_eq(chunk->exits[number] >> 8 * d & 255, nine_exits(n, d));
    }
    if (special) cr_assert_eq(wend__stop_arrivals(chunk)[number], stops);
}

static void check_open_mask(const nine *n, const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> 6, y >> 6);
    const wend__stop_chunk *stops = wend__stop_chunk_at(v, x >> 6, y >> 6);
    unsigned open = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        open |= (unsigned)(n->factors[1 + wend__dy[d]][1 + wend__dx[d]] != 0) << d;
    cr_assert_eq(wend__open_mask(chunk, stops, (uint32_t)((y & 63) << 6 | (x & 63))), open);
    cr_assert_eq(stops && stops->open, chunk->closed_near);
}

static void check_chunk(const wend__stop_chunk *chunk) {
    uint32_t count = 0;
    for (unsigned y = 0; y < 64; y++) {
        cr_assert_eq(chunk->before[y], count);
        count += wend__popcount64(chunk->special[y]);
        cr_assert_eq(chunk->loose.here[WEND__MARKS_ACROSS][WEND__QUADRANT_SE] >> y & 1, chunk->special[y] != 0);
    }
    cr_assert_eq(chunk->count, count);
}

/* Checks that the summaries equal those of the loose marks. */
static void check_block(const wend__stop_block *block) {
    wend__mark_block *fresh = calloc(1, sizeof *fresh);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__stop_chunk *chunk = block->chunks[i];
        const bool special = chunk && chunk->count > 0;
        if (chunk) check_chunk(chunk);
        cr_assert_eq(block->marks.chunks[i], special ? &chunk->loose : NULL);
        fresh->chunks[i] = special ? &chunk->loose : NULL;
        wend__mark_block_special(fresh, i, chunk != NULL);
    }
    wend__mark_block_sum(fresh);
    memcpy(fresh->chunks, block->marks.chunks, sizeof fresh->chunks);
    cr_assert_arr_eq(fresh, &block->marks, sizeof *fresh);
    free(fresh);
}

void stops_check(const walled *w, const uint8_t *links, const wend__version *v) {
    for (int32_t y = 0; y < v->height; y++)
        for (int32_t x = 0; x < v->width; x++) {
            const nine n = nine_of(w, x, y);
            const wend__stop_chunk *chunk = wend__stop_chunk_at(v, x >> 6, y >> 6);
            const unsigned local = (unsigned)((y & 63) << 6 | (x & 63));
            check_open_mask(&n, v, x, y);
            if (n.factors[1][1])
                check_open_cell(&n, links[y * v->width + x] > 0, chunk, local);
            else
                cr_assert(!chunk || wend__stop_number(chunk, local) == WEND__NO_STOP);
        }
    for (size_t i = 0; i < wend__version_blocks(v); i++)
        if (wend__stop_block_at(v, i)) check_block(wend__stop_block_at(v, i));
}

static void check_chunks_alike(const wend__stop_chunk *a, const wend__stop_chunk *b) {
    cr_assert_eq(!a, !b);
    if (!a || a == b) return;
    cr_assert_arr_eq(&a->tight, &b->tight, sizeof a->tight);
    cr_assert_arr_eq(&a->loose, &b->loose, sizeof a->loose);
    cr_assert_arr_eq(a->special, b->special, sizeof a->special);
    cr_assert_arr_eq(a->before, b->before, sizeof a->before);
    cr_assert_eq(a->count, b->count);
    cr_assert_arr_eq(a->exits, b->exits, a->count * 9);
    cr_assert_eq(!a->open, !b->open);
    cr_assert_arr_eq(a->over, b->over, sizeof a->over);
    if (a->open) cr_assert_arr_eq(a->open, b->open, WEND__CHUNK_CELLS);
}

void stops_check_alike(const wend__version *a, const wend__version *b) {
    cr_assert_eq(!a->stops, !b->stops);
    for (size_t i = 0; a->stops && i < wend__version_blocks(a); i++) {
        const wend__stop_block *one = a->stops->blocks[i], *other = b->stops->blocks[i];
        cr_assert_eq(!one, !other);
        if (!one || one == other) continue;
        const size_t summaries = offsetof(wend__mark_block, ahead);
        cr_assert_arr_eq((const char *)&one->marks + summaries, (const char *)&other->marks + summaries,
                         sizeof one->marks - summaries);
        for (unsigned k = 0; k < WEND__BLOCK_CHUNKS; k++) check_chunks_alike(one->chunks[k], other->chunks[k]);
    }
}
