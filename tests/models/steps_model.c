/* SPDX-License-Identifier: MIT */
/* A model of a grid with closed steps, by the words of the rules, and checks that compare the library with it. */
#include "models/steps_model.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

static size_t cell_of(const walled *w, int32_t x, int32_t y) {
    return (size_t)y * (size_t)w->m.width + (size_t)x;
}

static size_t cells_of(const walled *w) {
    return (size_t)w->m.width * (size_t)w->m.height;
}

static unsigned bit_of(int32_t dx, int32_t dy) {
    return 1u << ((dy + 1) * 3 + dx + 1);
}

walled walled_create(int32_t width, int32_t height, const wend_map_rules *rules) {
    walled w = {.m = model_create(width, height, rules)};
    if (w.m.rules.neighbours == 0) w.m.rules.neighbours = 8;
    w.closed = calloc(cells_of(&w), sizeof *w.closed);
    return w;
}

walled walled_copy(const walled *from) {
    walled w = {.m = model_copy(&from->m)};
    w.closed = malloc(cells_of(from) * sizeof *w.closed);
    memcpy(w.closed, from->closed, cells_of(from) * sizeof *w.closed);
    return w;
}

void walled_free(walled *w) {
    model_free(&w->m);
    free(w->closed);
}

bool walled_closed(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return (w->closed[cell_of(w, x, y)] & bit_of(dx, dy)) != 0;
}

void walled_set(walled *w, wend_edit *edit, int32_t x, int32_t y, int32_t dx, int32_t dy, bool open) {
    unsigned now = w->closed[cell_of(w, x, y)], bit = bit_of(dx, dy);
    w->closed[cell_of(w, x, y)] = (uint16_t)(open ? now & ~bit : now | bit);
    if (edit) cr_assert_eq(wend_edit_set_step(edit, at(x, y), at(x + dx, y + dy), open), WEND_OK);
}

void walled_wall(walled *w, wend_edit *edit, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    walled_set(w, edit, x, y, dx, dy, false);
    walled_set(w, edit, x + dx, y + dy, -dx, -dy, false);
}

/* Two straight steps: through an open cell, and none of them closed. */
static bool way_by(const walled *w, int32_t x, int32_t y, int32_t ax, int32_t ay, int32_t bx, int32_t by) {
    return model_open(&w->m, x + ax, y + ay) && !walled_closed(w, x, y, ax, ay) &&
           !walled_closed(w, x + ax, y + ay, bx, by);
}

/* Returns whether the corner rule allows a diagonal step, as far as the ways round it go. */
static bool corner_lets(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    bool one = way_by(w, x, y, dx, 0, 0, dy), other = way_by(w, x, y, 0, dy, dx, 0);
    if (w->m.rules.neighbours == 4 || w->m.rules.corners == WEND_CORNERS_NEVER) return one && other;
    return w->m.rules.corners == WEND_CORNERS_ALWAYS || one || other;
}

bool walled_step(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0)) return false;
    if (!model_open(&w->m, x + dx, y + dy) || walled_closed(w, x, y, dx, dy)) return false;
    if (dx == 0 || dy == 0) return true;
    return w->m.rules.neighbours == 8 && corner_lets(w, x, y, dx, dy);
}

/* ---- sight ---- */

/* By whole numbers, in units of 1 / (2 columns rows) of the way: the line leaves column i at (2 i + 1) rows, and
 * row j at (2 j + 1) columns. */
bool walled_sees(const walled *w, wend_cell a, wend_cell b) {
    int32_t dx = b.x < a.x ? -1 : 1, dy = b.y < a.y ? -1 : 1;
    int64_t columns = llabs((long long)b.x - a.x), rows = llabs((long long)b.y - a.y);
    if (!model_open(&w->m, a.x, a.y)) return false;
    int32_t x = a.x, y = a.y;
    for (int64_t now = 1; now <= 2 * (columns ? columns : 1) * (rows ? rows : 1); now++) {
        bool east = columns && now % (rows ? rows : 1) == 0 && now / (rows ? rows : 1) % 2 == 1;
        bool south = rows && now % (columns ? columns : 1) == 0 && now / (columns ? columns : 1) % 2 == 1;
        if (!east && !south) continue;
        int32_t sx = east ? dx : 0, sy = south ? dy : 0;
        bool step = !(east && south) || w->m.rules.neighbours == 8;
        if (!model_open(&w->m, x + sx, y + sy) || (step && walled_closed(w, x, y, sx, sy))) return false;
        if (east && south && !corner_lets(w, x, y, sx, sy)) return false;
        x += sx, y += sy;
    }
    cr_assert(x == b.x && y == b.y);
    return true;
}

/* ---- ways ---- */

static int64_t step_cost(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    const wend_map_rules *rules = &w->m.rules;
    int64_t cost = dx && dy ? rules->cost_diagonal : rules->cost_straight;
    return cost * rules->factors[w->m.classes[cell_of(w, x + dx, y + dy)]];
}

/* Bellman and Ford: cells are relaxed until none becomes cheaper. */
int64_t walled_cost(const walled *w, wend_cell from, wend_cell to) {
    size_t cells = cells_of(w), head = 0, tail = 0, ring = cells + 1;
    int64_t *cost = malloc(cells * sizeof *cost);
    size_t *queue = malloc(ring * sizeof *queue);
    bool *waits = calloc(cells, sizeof *waits);
    for (size_t i = 0; i < cells; i++) cost[i] = -1;
    cost[cell_of(w, from.x, from.y)] = 0;
    queue[tail++] = cell_of(w, from.x, from.y);
    while (head != tail) {
        size_t here = queue[head];
        int32_t x = (int32_t)(here % (size_t)w->m.width), y = (int32_t)(here / (size_t)w->m.width);
        head = (head + 1) % ring;
        waits[here] = false;
        for (int32_t d = 0; d < 9; d++) {
            int32_t dx = d % 3 - 1, dy = d / 3 - 1;
            if (!walled_step(w, x, y, dx, dy)) continue;
            size_t next = cell_of(w, x + dx, y + dy);
            int64_t by = cost[here] + step_cost(w, x, y, dx, dy);
            if (cost[next] >= 0 && cost[next] <= by) continue;
            cost[next] = by;
            if (waits[next]) continue;
            waits[next] = true;
            queue[tail] = next;
            tail = (tail + 1) % ring;
        }
    }
    int64_t result = cost[cell_of(w, to.x, to.y)];
    free(cost);
    free(queue);
    free(waits);
    return result;
}

int64_t walled_walk(const walled *w, const wend_cell *cells, size_t count) {
    int64_t cost = 0;
    for (size_t i = 1; i < count; i++) {
        int32_t dx = cells[i].x - cells[i - 1].x, dy = cells[i].y - cells[i - 1].y;
        if (!walled_step(w, cells[i - 1].x, cells[i - 1].y, dx, dy)) return -1;
        cost += step_cost(w, cells[i - 1].x, cells[i - 1].y, dx, dy);
    }
    return cost;
}

/* ---- steps of a version ---- */

static unsigned expected_steps(const walled *w, int32_t x, int32_t y) {
    static const int8_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    unsigned steps = 0;
    for (int d = 0; d < 8; d++) steps |= (unsigned)walled_step(w, x, y, dx[d], dy[d]) << d;
    return steps;
}

static void check_steps(const walled *w, const wend__version *v) {
    for (int32_t y = 0; y < w->m.height; y++)
        for (int32_t x = 0; x < w->m.width; x++) {
            unsigned steps = wend__version_steps(v, x, y), expected = expected_steps(w, x, y);
            cr_assert_eq(steps, expected, "(%d, %d) of %d x %d: steps %02x for %02x, rules %d %d, closed %03x", (int)x,
                         (int)y, (int)w->m.width, (int)w->m.height, steps, expected, (int)w->m.rules.neighbours,
                         (int)w->m.rules.corners, w->closed[cell_of(w, x, y)]);
        }
}

/* Returns whether a step was closed in a part of a chunk, which may be off the map. */
static bool any_closed(const walled *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            if (x >= 0 && y >= 0 && x < w->m.width && y < w->m.height && w->closed[cell_of(w, x, y)]) return true;
    return false;
}

/* Checks that only chunks with closed steps have a list, and exactly the chunks next to a closed step are marked. */
static void check_chunks(const walled *w, const wend__version *v) {
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__chunk *chunk = wend__version_chunk(v, column, row);
            int32_t x = column * 64, y = row * 64;
            bool own = any_closed(w, x, y, x + 63, y + 63);
            bool beside = any_closed(w, x, y - 1, x + 63, y - 1) || any_closed(w, x, y + 64, x + 63, y + 64) ||
                          any_closed(w, x - 1, y, x - 1, y + 63) || any_closed(w, x + 64, y, x + 64, y + 63);
            cr_assert_eq(own, chunk->closed != NULL, "chunk (%d, %d)", (int)column, (int)row);
            cr_assert_eq(own || beside, chunk->closed_near, "chunk (%d, %d)", (int)column, (int)row);
        }
}

static void check_list(const walled *w, wend_map *map) {
    uint64_t closed = 0;
    for (size_t i = 0; i < cells_of(w); i++)
        for (unsigned bits = w->closed[i]; bits; bits &= bits - 1) closed++;
    size_t count, again;
    wend_map_info info = info_now(map);
    wend_map_get_closed_steps(map, NULL, 0, &count);
    cr_assert(info.closed_steps == closed && count == closed, "%u, %u for %u", (unsigned)info.closed_steps,
              (unsigned)count, (unsigned)closed);
    wend_step *steps = malloc((count + 1) * sizeof *steps);
    uint16_t *seen = calloc(cells_of(w), sizeof *seen);
    wend_map_get_closed_steps(map, steps, count, &again);
    cr_assert_eq(again, count);
    for (size_t i = 0; i < count; i++) {
        int32_t x = steps[i].from.x, y = steps[i].from.y, dx = steps[i].to.x - x, dy = steps[i].to.y - y;
        cr_assert(steps[i].from.z == 0 && steps[i].to.z == 0 && walled_closed(w, x, y, dx, dy));
        cr_assert(!(seen[cell_of(w, x, y)] & bit_of(dx, dy)), "listed twice");
        seen[cell_of(w, x, y)] |= (uint16_t)bit_of(dx, dy);
    }
    free(steps);
    free(seen);
}

/* ---- components ---- */

static bool joined(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    if (!model_open(&w->m, x + dx, y + dy)) return false;
    return walled_step(w, x, y, dx, dy) || walled_step(w, x + dx, y + dy, -dx, -dy);
}

/* The number of each open cell's component, from 0; -1 where it is blocked. */
static int32_t *flood(const walled *w, uint64_t *count) {
    size_t cells = cells_of(w);
    int32_t *numbers = malloc(cells * sizeof *numbers), *stack = malloc(cells * sizeof *stack);
    memset(numbers, -1, cells * sizeof *numbers);
    *count = 0;
    for (int32_t seed = 0; seed < (int32_t)cells; seed++) {
        if (numbers[seed] >= 0 || !model_open(&w->m, seed % w->m.width, seed / w->m.width)) continue;
        size_t waiting = 0;
        stack[waiting++] = seed;
        numbers[seed] = (int32_t)*count;
        while (waiting > 0) {
            int32_t here = stack[--waiting], x = here % w->m.width, y = here / w->m.width;
            for (int32_t d = 0; d < 9; d++) {
                int32_t dx = d % 3 - 1, dy = d / 3 - 1, next = here + dy * w->m.width + dx;
                if (d == 4 || !joined(w, x, y, dx, dy) || numbers[next] >= 0) continue;
                numbers[next] = (int32_t)*count;
                stack[waiting++] = next;
            }
        }
        ++*count;
    }
    free(stack);
    return numbers;
}

static bool same(wend__component a, wend__component b) {
    return a.level == b.level && a.column == b.column && a.row == b.row && a.label == b.label;
}

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(wend__component));
}

static void check_components(const walled *w, const wend__version *v) {
    uint64_t count;
    int32_t *numbers = flood(w, &count);
    wend__component *of = calloc(count + 1, sizeof *of);
    bool *known = calloc(count + 1, sizeof *known);
    cr_assert_eq(wend__version_components(v), count, "%u components for %u", (unsigned)wend__version_components(v),
                 (unsigned)count);
    for (int32_t i = 0; i < (int32_t)cells_of(w); i++) {
        if (numbers[i] < 0) continue;
        wend__component here = wend__version_component(v, i % w->m.width, i / w->m.width);
        if (!known[numbers[i]]) of[numbers[i]] = here;
        known[numbers[i]] = true;
        cr_assert(same(here, of[numbers[i]]), "(%d, %d) is apart", (int)(i % w->m.width), (int)(i / w->m.width));
    }
    qsort(of, count, sizeof *of, by_bytes);
    for (size_t i = 1; i < count; i++) cr_assert_not(same(of[i - 1], of[i]), "two components are one");
    free(numbers);
    free(of);
    free(known);
}

void walled_check(const walled *w, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    check_steps(w, v);
    check_chunks(w, v);
    check_list(w, map);
    check_components(w, v);
}
