/* SPDX-License-Identifier: MIT */
/* A* (Hart, Nilsson and Raphael 1968) with buckets of half a straight step. */
#include "plain_astar.h"

#include <stdlib.h>
#include <string.h>
#include <wend/search_options.h>

typedef struct record {
    uint32_t g, round; ///< round: the query that wrote the record
} record;

typedef struct entry {
    uint32_t cell, g, next;
} entry;

struct plain_search {
    const plain_ground *ground;
    const plain_query *query;
    record *records;
    uint8_t *legal;   ///< bit i: step i is allowed
    uint8_t *is_goal; ///< goals of this query
    int *first_link, *next_link;
    uint32_t round;
    uint32_t *heads; ///< first entry of each bucket, 0: none
    uint32_t head_count, shift, floor;
    entry *entries;
    uint32_t entry_count, entry_capacity;
    int box[4];          ///< round the goals, reach included: left, top, right, bottom
    int entrances[4];    ///< round the links' entrances
    uint32_t link_bound; ///< from any entrance on
    uint32_t goal_count;
};

static const int step_x[8] = {0, 1, 0, -1, 1, 1, -1, -1}, step_y[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(2);
    return memory;
}

static bool is_open(const plain_ground *g, int x, int y) {
    return x >= 0 && y >= 0 && x < g->width && y < g->height && g->factors[y * g->width + x] != 0;
}

static uint8_t legal_steps(const plain_ground *g, int x, int y) {
    unsigned mask = 0;
    for (int i = 0; i < 8; i++) {
        const bool sides = is_open(g, x + step_x[i], y) && is_open(g, x, y + step_y[i]);
        if (is_open(g, x + step_x[i], y + step_y[i]) && (i < 4 || sides)) mask |= 1u << i;
    }
    return (uint8_t)mask;
}

plain_search *plain_open(const plain_ground *ground) {
    const size_t cells = (size_t)ground->width * (size_t)ground->height;
    plain_search *s = allocate(1, sizeof *s);
    s->ground = ground;
    s->records = allocate(cells, sizeof *s->records);
    s->legal = allocate(cells, 1);
    s->is_goal = allocate(cells, 1);
    s->first_link = allocate(cells, sizeof *s->first_link);
    s->head_count = 1u << 16;
    s->heads = allocate(s->head_count, sizeof *s->heads);
    s->entry_capacity = 1u << 16;
    s->entries = allocate(s->entry_capacity, sizeof *s->entries);
    while ((4u << s->shift) <= (unsigned)ground->straight) s->shift++;
    for (size_t i = 0; i < cells; i++)
        s->legal[i] = legal_steps(ground, (int)i % ground->width, (int)i / ground->width);
    plain_renew_links(s);
    return s;
}

void plain_renew_links(plain_search *s) {
    const plain_ground *g = s->ground;
    for (int i = 0; i < g->width * g->height; i++) s->first_link[i] = -1;
    free(s->next_link);
    s->next_link = allocate((size_t)g->link_count, sizeof *s->next_link);
    for (int i = 0; i < g->link_count; i++) {
        const int from = g->links[i].from.y * g->width + g->links[i].from.x;
        s->next_link[i] = s->first_link[from];
        s->first_link[from] = i;
    }
}

void plain_close(plain_search *s) {
    free(s->records);
    free(s->legal);
    free(s->is_goal);
    free(s->first_link);
    free(s->next_link);
    free(s->heads);
    free(s->entries);
    free(s);
}

/* ---- the estimate ---- */

static uint32_t octile(const plain_ground *g, int across, int down) {
    const int both = across < down ? across : down;
    return (uint32_t)((across + down - 2 * both) * g->straight + both * g->diagonal);
}

static uint32_t to_box(const plain_ground *g, const int box[4], int x, int y) {
    const int across = x < box[0] ? box[0] - x : x > box[2] ? x - box[2] : 0;
    const int down = y < box[1] ? box[1] - y : y > box[3] ? y - box[3] : 0;
    return octile(g, across, down);
}

static uint32_t estimate_walk(const plain_search *s, int x, int y) {
    const plain_query *q = s->query;
    uint32_t least = UINT32_MAX;
    if (q->goal_count == 1 || q->goal_count > 8) return to_box(s->ground, s->box, x, y);
    for (int i = 0; i < q->goal_count; i++) {
        const int across = abs(x - q->goals[i] % s->ground->width), down = abs(y - q->goals[i] / s->ground->width);
        const uint32_t way = octile(s->ground, across, down);
        if (way < least) least = way;
    }
    return least;
}

static uint32_t estimate(const plain_search *s, int cell) {
    const int x = cell % s->ground->width, y = cell / s->ground->width;
    if (s->query->blind) return 0;
    const uint32_t walk = estimate_walk(s, x, y);
    if (s->ground->link_count == 0) return walk;
    const uint32_t leap = s->link_bound + to_box(s->ground, s->entrances, x, y);
    return leap < walk ? leap : walk;
}

static void widen(int box[4], int x, int y, int by) {
    if (x - by < box[0]) box[0] = x - by;
    if (y - by < box[1]) box[1] = y - by;
    if (x + by > box[2]) box[2] = x + by;
    if (y + by > box[3]) box[3] = y + by;
}

static void begin_query(plain_search *s, const plain_query *q) {
    const plain_ground *g = s->ground;
    static const int none[4] = {1 << 29, 1 << 29, -(1 << 29), -(1 << 29)};
    s->query = q;
    s->round++;
    memcpy(s->box, none, sizeof none);
    memcpy(s->entrances, none, sizeof none);
    for (int i = 0; i < q->goal_count; i++) widen(s->box, q->goals[i] % g->width, q->goals[i] / g->width, q->reach);
    s->link_bound = UINT32_MAX;
    for (int i = 0; i < g->link_count; i++) {
        const wend_link *link = &g->links[i];
        const uint32_t way = (uint32_t)link->cost + estimate_walk(s, link->to.x, link->to.y);
        widen(s->entrances, link->from.x, link->from.y, 0);
        if (way < s->link_bound) s->link_bound = way;
    }
}

/* ---- the open list ---- */

static void push(plain_search *s, int cell, uint32_t g) {
    const uint32_t bucket = (g + estimate(s, cell)) >> s->shift;
    if (s->entry_count == s->entry_capacity) {
        s->entry_capacity *= 2;
        s->entries = realloc(s->entries, s->entry_capacity * sizeof *s->entries);
        if (!s->entries) exit(2);
    }
    if (bucket >= s->head_count) {
        const uint32_t before = s->head_count;
        while (bucket >= s->head_count) s->head_count *= 2;
        s->heads = realloc(s->heads, s->head_count * sizeof *s->heads);
        if (!s->heads) exit(2);
        memset(s->heads + before, 0, (s->head_count - before) * sizeof *s->heads);
    }
    s->entries[s->entry_count] = (entry){(uint32_t)cell, g, s->heads[bucket]};
    s->heads[bucket] = s->entry_count++;
    if (bucket < s->floor) s->floor = bucket;
}

/* ---- the search ---- */

static bool is_taken(const plain_search *s, int cell) {
    const plain_query *q = s->query;
    const int width = s->ground->width;
    if (q->occupied == WEND_OCCUPIED_IGNORE || !s->ground->units[cell] || cell == q->start) return false;
    return q->within == WEND_EVERYWHERE ||
           (abs(cell % width - q->start % width) <= q->within && abs(cell / width - q->start / width) <= q->within);
}

static void relax(plain_search *s, int to, uint32_t g) {
    if (is_taken(s, to)) {
        if (s->query->occupied == WEND_OCCUPIED_BLOCK) return;
        g += (uint32_t)s->query->occupied;
    }
    record *r = &s->records[to];
    if (r->round == s->round && r->g <= g) return;
    *r = (record){g, s->round};
    push(s, to, g);
}

static void expand(plain_search *s, int cell, uint32_t g) {
    const plain_ground *ground = s->ground;
    for (unsigned mask = s->legal[cell], i = 0; mask; mask >>= 1, i++) {
        if (!(mask & 1)) continue;
        const int to = cell + step_y[i] * ground->width + step_x[i];
        relax(s, to, g + (uint32_t)((i < 4 ? ground->straight : ground->diagonal) * ground->factors[to]));
    }
    for (int i = s->first_link[cell]; i >= 0; i = s->next_link[i])
        relax(s, ground->links[i].to.y * ground->width + ground->links[i].to.x, g + (uint32_t)ground->links[i].cost);
}

static bool is_goal(const plain_search *s, int cell) {
    const plain_query *q = s->query;
    const int x = cell % s->ground->width, y = cell / s->ground->width;
    if (q->goal_count > 1) return s->is_goal[cell];
    return x >= s->box[0] && x <= s->box[2] && y >= s->box[1] && y <= s->box[3];
}

static int64_t search(plain_search *s, uint64_t *expansions) {
    uint32_t best = UINT32_MAX;
    for (; s->floor < s->head_count; s->floor++) {
        if (best != UINT32_MAX && s->floor > best >> s->shift) break;
        while (s->heads[s->floor]) {
            const entry e = s->entries[s->heads[s->floor]];
            s->heads[s->floor] = e.next;
            if (s->records[e.cell].g != e.g || e.g >= best) continue;
            ++*expansions;
            if (is_goal(s, (int)e.cell))
                best = e.g;
            else
                expand(s, (int)e.cell, e.g);
        }
    }
    return best == UINT32_MAX ? -1 : (int64_t)best;
}

int64_t plain_run(plain_search *s, const plain_query *query, uint64_t *expansions) {
    uint64_t count = 0;
    begin_query(s, query);
    for (int i = 0; i < query->goal_count; i++) s->is_goal[query->goals[i]] = 1;
    s->entry_count = 1;
    s->floor = UINT32_MAX;
    s->records[query->start] = (record){0, s->round};
    push(s, query->start, 0);
    const int64_t cost = search(s, &count);
    if (s->floor < s->head_count) memset(s->heads + s->floor, 0, (s->head_count - s->floor) * sizeof *s->heads);
    for (int i = 0; i < query->goal_count; i++) s->is_goal[query->goals[i]] = 0;
    if (expansions) *expansions = count;
    return cost;
}
