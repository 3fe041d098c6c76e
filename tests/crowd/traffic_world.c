/* SPDX-License-Identifier: MIT */
/* A plain simulator of agents on a flat grid, around the traffic. */
#include "crowd/traffic_world.h"
#include "crowd/traffic_check.h"
#include "map/version/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRAIGHT = 10, DIAGONAL = 14, FAR = INT32_MAX };

static wend__work plenty = {.left = UINT32_MAX};

static const int8_t dx8[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy8[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

/* ---- distance fields ---- */

struct traffic_field {
    struct traffic_field *next;
    wend_cell goal;
    uint32_t left[];
};

static size_t cell_index(const traffic_world *w, wend_cell cell) {
    return (size_t)cell.y * (size_t)w->width + (size_t)cell.x;
}

bool traffic_world_is_open(const traffic_world *w, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < w->width && y < w->height && w->open[y * w->width + x];
}

/* Relaxes cells from a queue until nothing changes, which is enough for small worlds: costs are small integers. */
static void measure(const traffic_world *w, struct traffic_field *field) {
    size_t cells = (size_t)w->width * (size_t)w->height, head = 0, tail = 0, room = cells + 1;
    uint32_t *queue = malloc(room * sizeof *queue);
    uint8_t *waits = calloc(cells, 1);
    for (size_t i = 0; i < cells; i++) field->left[i] = FAR;
    field->left[cell_index(w, field->goal)] = 0;
    queue[tail++] = (uint32_t)cell_index(w, field->goal);
    while (head != tail) {
        uint32_t from = queue[head];
        head = (head + 1) % room;
        waits[from] = 0;
        wend_cell a = {(int32_t)(from % (uint32_t)w->width), (int32_t)(from / (uint32_t)w->width), 0};
        for (int d = 0; d < 8; d++) {
            wend_cell b = {a.x + dx8[d], a.y + dy8[d], 0};
            if (!traffic_check_step(w, b, a)) continue;
            uint32_t cost = field->left[from] + (d < 4 ? STRAIGHT : DIAGONAL);
            uint32_t to = (uint32_t)cell_index(w, b);
            if (cost >= field->left[to]) continue;
            field->left[to] = cost;
            if (waits[to]) continue;
            waits[to] = 1;
            queue[tail] = to;
            tail = (tail + 1) % room;
        }
    }
    free(queue);
    free(waits);
}

static const uint32_t *field_of(traffic_world *w, wend_cell goal) {
    for (struct traffic_field *f = w->fields; f; f = f->next)
        if (f->goal.x == goal.x && f->goal.y == goal.y) return f->left;
    struct traffic_field *f = malloc(sizeof *f + (size_t)w->width * (size_t)w->height * sizeof f->left[0]);
    f->goal = goal, f->next = w->fields;
    w->fields = f;
    measure(w, f);
    return f->left;
}

/* The neighbour from which the goal is nearest; the cell itself where none is nearer. */
static wend_cell downhill(const traffic_world *w, const uint32_t *left, wend_cell at) {
    wend_cell best = at;
    uint32_t least = left[cell_index(w, at)];
    for (int d = 0; d < 8; d++) {
        wend_cell to = {at.x + dx8[d], at.y + dy8[d], 0};
        if (!traffic_check_step(w, at, to) || left[cell_index(w, to)] == FAR) continue;
        uint32_t cost = left[cell_index(w, to)] + (d < 4 ? STRAIGHT : DIAGONAL);
        if (cost <= least && !(best.x != at.x || best.y != at.y ? cost == least : false)) best = to, least = cost;
    }
    return best;
}

/* ---- paths ---- */

static void plan(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    wend_request request = path_request(w->map, w->agents[i].at, driver->goal);
    wend_search_begin(w->search, &request);
    while (!wend_search_step(w->search, 1000000, NULL)) continue;
    size_t count = 0;
    driver->path_count = driver->path_at = 0;
    driver->plans++;
    if (wend_search_get_path(w->search, driver->path, driver->path_capacity, &count)) return;
    if (count > driver->path_capacity) {
        driver->path_capacity = (uint32_t)count * 2;
        driver->path = realloc(driver->path, driver->path_capacity * sizeof *driver->path);
        wend_search_get_path(w->search, driver->path, driver->path_capacity, &count);
    }
    driver->path_count = (uint32_t)count;
}

/* Returns the next cell of the path, or a step back to the path; its own cell: there is none. */
static wend_cell on_path(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    wend_cell at = w->agents[i].at;
    uint32_t low = driver->path_at > 3 ? driver->path_at - 3 : 0;
    uint32_t high = driver->path_at + 6 < driver->path_count ? driver->path_at + 6 : driver->path_count;
    for (uint32_t k = high; k-- > low;)
        if (is_same_cell(driver->path[k], at)) {
            driver->path_at = k;
            if (k + 1 == driver->path_count) return at;
            return traffic_check_step(w, at, driver->path[k + 1]) ? driver->path[k + 1] : at;
        }
    for (uint32_t k = high; k-- > low;)
        if (traffic_check_step(w, at, driver->path[k])) {
            driver->path_at = k ? k - 1 : 0;
            return driver->path[k];
        }
    return at;
}

static wend_cell next_by_path(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    wend_cell at = w->agents[i].at;
    if (driver->plan_wait && --driver->plan_wait == 0) plan(w, i);
    if (driver->plan_wait) return at;
    wend_cell next = on_path(w, i);
    if (is_same_cell(next, at)) driver->plan_wait = w->plan_frames;
    return next;
}

static uint32_t ahead_of(void *context, uint32_t i, wend_cell *cells, uint32_t capacity) {
    traffic_world *w = context;
    traffic_driver *driver = &w->drivers[i];
    wend_cell cell = w->agents[i].next;
    for (uint32_t k = 0; k < capacity; k++) {
        cells[k] = cell;
        if (w->paths && driver->path_at + 2 + k >= driver->path_count) return k + 1;
        cell = w->paths ? driver->path[driver->path_at + 2 + k] : downhill(w, driver->field, cell);
    }
    return capacity;
}

/* ---- the world ---- */

void traffic_world_create(traffic_world *w, int32_t width, int32_t height, const uint8_t *open, uint32_t agents) {
    *w = (traffic_world){.width = width, .height = height, .capacity = agents, .plan_frames = 2, .hash = 14695981039u};
    size_t cells = (size_t)width * (size_t)height;
    w->open = malloc(cells);
    memcpy(w->open, open, cells);
    wend_map_def def = default_map();
    def.kind = WEND_KIND_GRID, def.width = width, def.height = height;
    if (wend_map_create(&def, &w->map)) abort();
    wend_edit *edit;
    wend_box all = {{0, 0, 0}, {width - 1, height - 1, 0}};
    if (wend_edit_begin(w->map, &edit) || wend_edit_set_box(edit, all, open, (size_t)width) ||
        wend_edit_publish(edit, NULL))
        abort();
    w->memory = aligned_alloc(64, (wend__traffic_bytes(w->map, agents) + 63) & ~(size_t)63);
    w->traffic = wend__traffic_init(w->memory, w->map, agents);
    w->agents = wend__traffic_agents(w->traffic), w->drivers = calloc(agents, sizeof *w->drivers);
    w->asking = malloc(agents * sizeof *w->asking), w->holder = calloc(cells, sizeof *w->holder);
    w->middle = calloc(4 * cells, sizeof *w->middle);
    wend_search_def search = default_search();
    search.nodes = 4 * cells + 65536;
    if (wend_search_create(&search, &w->search)) abort();
}

void traffic_world_of_text(traffic_world *w, const char *const *rows, int32_t count, uint32_t agents) {
    int32_t width = (int32_t)strlen(rows[0]);
    uint8_t *open = malloc((size_t)width * (size_t)count);
    for (int32_t y = 0; y < count; y++)
        for (int32_t x = 0; x < width; x++) open[y * width + x] = rows[y][x] != '#';
    traffic_world_create(w, width, count, open, agents);
    free(open);
}

static void forget_fields(traffic_world *w) {
    for (struct traffic_field *f = w->fields, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    w->fields = NULL;
}

void traffic_world_destroy(traffic_world *w) {
    for (uint32_t i = 0; i < w->count; i++) free(w->drivers[i].path);
    forget_fields(w);
    wend_search_destroy(w->search);
    wend_map_release(w->map);
    free(w->drivers);
    free(w->asking);
    free(w->memory);
    free(w->holder);
    free(w->middle);
    free(w->open);
}

uint32_t traffic_world_add(traffic_world *w, wend_cell cell, int32_t speed_milli) {
    uint32_t i = w->count++;
    wend__version *version = wend__map_newest(w->map);
    if (wend__traffic_enter(w->traffic, version, i, cell, WEND_MOVER_DEFAULT, false)) abort();
    wend__map_release(version, false);
    w->drivers[i] = (traffic_driver){.start = cell, .goal = cell, .speed_milli = speed_milli, .path_capacity = 64};
    w->drivers[i].path = malloc(64 * sizeof(wend_cell));
    return i;
}

void traffic_world_go(traffic_world *w, uint32_t i, wend_cell goal) {
    traffic_driver *driver = &w->drivers[i];
    driver->goal = goal, driver->wants = true, driver->began = w->frame;
    driver->plan_wait = 0;
    if (w->paths)
        plan(w, i);
    else
        driver->field = field_of(w, goal);
    driver->lone_frames = traffic_world_lone_frames(w, i);
}

uint64_t traffic_world_lone_frames(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    int64_t cost = 0, speed = (int64_t)driver->speed_milli * STRAIGHT;
    if (w->paths)
        for (uint32_t k = 1; k < driver->path_count; k++)
            cost += is_same_cell((wend_cell){driver->path[k].x, driver->path[k - 1].y, 0}, driver->path[k]) ||
                            driver->path[k].x == driver->path[k - 1].x
                        ? STRAIGHT
                        : DIAGONAL;
    else
        cost = driver->field[cell_index(w, w->agents[i].at)];
    return (uint64_t)((cost * 1000 + speed - 1) / speed);
}

void traffic_world_set_open(traffic_world *w, wend_cell cell, bool open) {
    w->open[cell_index(w, cell)] = open;
    if (wend_map_set_cell(w->map, cell, open ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL)) abort();
    if (w->paths) return;
    forget_fields(w);
    for (uint32_t i = 0; i < w->count; i++) w->drivers[i].field = field_of(w, w->drivers[i].goal);
}

/* ---- a frame ---- */

static void walk(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    wend__traffic_agent *t = &w->agents[i];
    int64_t left = driver->length - driver->done, use = left < driver->budget ? left : driver->budget;
    driver->done += use;
    driver->budget -= use;
    if (driver->done < driver->length) return;
    t->from = t->at;
    driver->done = driver->length = 0;
}

/* The step that a driver at rest wants now. */
static void want(traffic_world *w, uint32_t i) {
    traffic_driver *driver = &w->drivers[i];
    wend__traffic_agent *t = &w->agents[i];
    t->ready = driver->length == 0 && driver->budget > 0, t->next = t->at;
    if (!t->ready) return;
    if (is_same_cell(t->at, driver->goal)) {
        if (driver->wants) driver->ended = w->frame;
        driver->wants = false;
        t->has_goal = 0;
        return;
    }
    t->has_goal = driver->wants, t->urgency = driver->wants ? 0 : -1;
    if (driver->wants || !driver->stays_away) {
        if (!w->paths && !driver->field) driver->field = field_of(w, driver->goal);
        t->next = w->paths ? next_by_path(w, i) : downhill(w, driver->field, t->at);
    }
}

/* The processor time of this process, which has one thread. */
static uint64_t now_ns(void) {
    return (uint64_t)clock() * (1000000000u / CLOCKS_PER_SEC);
}

static bool decide(traffic_world *w) {
    wend__version *version = wend__map_newest(w->map);
    traffic_check_before(w);
    uint64_t began = now_ns();
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->agents[i].ready) w->asking[count++] = i;
    wend__traffic_decide(w->traffic, version, w->asking, count, &plenty, ahead_of, NULL, w);
    w->decide_ns += now_ns() - began;
    w->decisions++;
    wend__map_release(version, false);
    bool any = false;
    for (uint32_t i = 0; i < w->count; i++) {
        wend__traffic_agent *t = &w->agents[i];
        if (!t->moved) {
            if (!w->drivers[i].length) w->drivers[i].budget = 0;
            continue;
        }
        any = true;
        w->steps++;
        w->pushed_steps += t->pushed;
        w->drivers[i].pushes += t->pushed;
        w->hash = (w->hash ^ ((uint64_t)i << 40 | (uint64_t)t->at.y << 20 | (uint64_t)t->at.x)) * 1099511628211u;
        w->drivers[i].length = (t->from.x != t->at.x && t->from.y != t->at.y ? DIAGONAL : STRAIGHT) * 1000;
        w->drivers[i].done = 0;
    }
    traffic_check_after(w);
    return any;
}

bool traffic_world_step(traffic_world *w) {
    w->frame++;
    for (uint32_t i = 0; i < w->count; i++) {
        w->drivers[i].budget = (int64_t)w->drivers[i].speed_milli * STRAIGHT;
        if (w->drivers[i].length) walk(w, i);
    }
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < w->count; i++) want(w, i);
        if (!decide(w)) break;
        for (uint32_t i = 0; i < w->count; i++)
            if (w->drivers[i].length && w->drivers[i].budget) walk(w, i);
    }
    return !w->fault;
}

uint32_t traffic_world_run(traffic_world *w, uint64_t most) {
    for (;;) {
        uint32_t left = 0;
        for (uint32_t i = 0; i < w->count; i++) left += w->drivers[i].wants;
        if (!left || w->frame >= most || !traffic_world_step(w)) return left;
    }
}

void traffic_world_print(const traffic_world *w) {
    for (int32_t y = 0; y < w->height; y++) {
        for (int32_t x = 0; x < w->width; x++) {
            int32_t i = wend__traffic_holder(w->traffic, (wend_cell){x, y, 0});
            putchar(i >= 0 ? (w->drivers[i].wants ? 'a' : 'A') + i % 26 : w->open[y * w->width + x] ? '.' : '#');
        }
        putchar('\n');
    }
    putchar('\n');
}
