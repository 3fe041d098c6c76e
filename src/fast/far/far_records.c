/* SPDX-License-Identifier: MIT */
/* Records of a far layer: making one from the cells of a chunk or from the records of the level below, and reading it.
 */
#include "fast/far/far_make.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

enum { STRIDE = WEND__FAR_GATES };

/* Effort of the steps of making a record: choosing the gates of a chunk or block; a flood or search from one of the
 * gates, and its evaluation. */
enum { CHUNK_EFFORT = 800, BLOCK_EFFORT = 2000, FLOOD_EFFORT = 32, PUSHES_AN_EFFORT = 2, EXPANSION_EFFORT = 64 };

/* ---- reading ---- */

static uint32_t widened(const wend__far_record *r, uint16_t cost) {
    return cost == UINT16_MAX ? WEND__FAR_NONE : (uint32_t)cost << r->shift;
}

void wend__far_row(const wend__far_record *r, uint32_t gate, bool backwards, uint32_t costs[WEND__FAR_GATES]) {
    const uint8_t *component = wend__far_components(r), own = component[gate];
    const uint16_t *from = wend__far_costs(r) + r->words[own];
    const uint32_t count = wend__far_count(r);
    uint32_t members = 0, rank = 0, k = 0;
    for (uint32_t j = 0; j < gate; j++) rank += component[j] == own;
    for (uint32_t j = 0; r->mixed && j < count; j++) members += component[j] == own;
    /* costs to earlier gates are a row of a triangle, or of a square; costs to later gates are in their rows */
    const uint32_t row = r->mixed ? rank * members : rank * (rank - 1) / 2;
    for (uint32_t j = 0; j < count; j++) {
        costs[j] = WEND__FAR_NONE;
        if (component[j] != own) continue;
        if (r->mixed && backwards)
            costs[j] = widened(r, from[k * members + rank]);
        else if (k < rank || r->mixed)
            costs[j] = widened(r, from[row + k]);
        else if (k > rank)
            costs[j] = widened(r, from[k * (k - 1) / 2 + rank]);
        k++;
    }
    costs[gate] = 0;
}

uint32_t wend__far_gate_at(const wend__far_record *r, unsigned side, uint32_t place) {
    for (uint32_t i = r->first[side]; i < r->first[side + 1]; i++)
        if (wend__far_places(r)[i] == place) return i;
    return WEND__FAR_NONE;
}

uint32_t wend__far_below(const wend__far *far, wend__far_area a, unsigned side, uint32_t place, wend__far_area *child) {
    const int bits = wend__far_bits(a.level - 1);
    const wend_cell cell = wend__far_cell(a, side, place);
    *child = wend__far_area_at(a.level - 1, cell);
    return wend__far_gate_at(wend__far_get(far, *child), side, place & ((1u << bits) - 1));
}

/* ---- packing ---- */

/* Numbers the components from 0 in the order of their first gates. Returns how many there are. */
static uint8_t renumber(wend__far_draft *draft, uint32_t count) {
    uint8_t number[256], components = 0;
    bool known[256] = {false};
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t c = draft->component[i];
        if (!known[c]) known[c] = true, number[c] = components++;
        draft->component[i] = number[c];
    }
    return components;
}

static uint8_t shift_for(const wend__far_draft *draft, uint32_t count) {
    uint32_t most = 0;
    uint8_t shift = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t cost = draft->costs[i * STRIDE + j];
            if (cost != WEND__FAR_NONE && cost > most) most = cost;
        }
    while ((most + (1u << shift) - 1) >> shift >= UINT16_MAX) shift++;
    return shift;
}

static uint16_t narrowed(uint32_t cost, uint8_t shift) {
    if (cost == WEND__FAR_NONE) return UINT16_MAX;
    return (uint16_t)((cost + (1u << shift) - 1) >> shift);
}

static bool is_priced(const wend__far_draft *draft, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (draft->out[i] != 1 || draft->in[i] != 1) return true;
    return false;
}

/* The costs of one component. Returns how many there are. */
static uint32_t pack_component(const wend__far_draft *draft, uint32_t count, uint8_t component, uint8_t shift,
                               uint16_t *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (draft->component[i] != component) continue;
        for (uint32_t j = 0; j < (draft->mixed ? count : i); j++)
            if (draft->component[j] == component) out[n++] = narrowed(draft->costs[i * STRIDE + j], shift);
    }
    return n;
}

static uint32_t count_costs(const wend__far_draft *draft, uint32_t count, uint8_t components) {
    uint32_t members[256] = {0}, all = 0;
    for (uint32_t i = 0; i < count; i++) members[draft->component[i]]++;
    for (uint32_t c = 0; c < components; c++)
        all += draft->mixed ? members[c] * members[c] : members[c] * (members[c] - 1) / 2;
    return all;
}

static wend__far_record *pack(wend_map *map, wend__far_draft *draft) {
    const uint32_t count = draft->first[4];
    const uint8_t components = renumber(draft, count);
    const bool priced = is_priced(draft, count);
    const uint32_t words = components + 1u + count + count_costs(draft, count, components);
    const size_t bytes = sizeof(wend__far_record) + words * sizeof(uint16_t) + (priced ? 3 : 1) * (size_t)count;
    wend__far_record *r = wend__shared_create(map, bytes);
    if (!r) return NULL;
    memcpy(r->first, draft->first, sizeof r->first);
    r->components = components;
    r->shift = shift_for(draft, count);
    r->mixed = draft->mixed;
    r->priced = priced;
    memcpy(r->words + components + 1, draft->place, count * sizeof(uint16_t));
    uint16_t *costs = r->words + components + 1 + count;
    for (uint8_t c = 0; c < components; c++)
        r->words[c + 1] = (uint16_t)(r->words[c] + pack_component(draft, count, c, r->shift, costs + r->words[c]));
    uint8_t *end = (uint8_t *)(costs + r->words[components]);
    memcpy(end, draft->component, count);
    if (priced) memcpy(end + count, draft->out, count), memcpy(end + 2 * count, draft->in, count);
    return r;
}

/* ---- level 0: from cells ---- */

static void price(const wend__version *view, wend__far_area a, unsigned side, wend__far_draft *draft) {
    for (uint32_t i = draft->first[side]; i < draft->first[4]; i++) {
        const wend__far_step step = wend__far_step_over(view, a, side, draft->place[i]);
        draft->out[i] = step.out, draft->in[i] = step.in;
    }
}

static void choose_in_chunk(const wend__far_maker *m, wend__far_area a, wend__far_draft *draft) {
    wend__far_run runs[WEND__FAR_RUNS];
    for (unsigned side = 0; side < 4; side++) {
        draft->first[side] = draft->first[4];
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (!wend__far_has(m->far, beyond)) continue;
        const wend__far_record *kept = wend__far_kept(m->view, m->far, beyond);
        if (kept) {
            wend__far_freeze(m->view, a, side, kept, draft);
            continue;
        }
        wend__far_choose(0, runs, wend__far_chunk_runs(m->view, a, side, runs), draft);
        price(m->view, a, side, draft);
    }
}

/* On even ground costs are the same in both directions: a flood goes to the gates before, of the same component. */
static void find_even_costs(wend__far_maker *m, uint32_t gate) {
    wend__far_draft *draft = &m->draft;
    const uint32_t *cells = m->cells;
    uint32_t targets[WEND__FAR_GATES], count = 0;
    for (uint32_t j = 0; j < gate; j++)
        if (draft->component[j] == draft->component[gate]) targets[count++] = cells[j];
    if (count > 0 && !m->flood.full) wend__far_flood_reach(&m->flood, cells[gate], targets, count);
    const wend_cell from = {(int32_t)cells[gate] & 63, (int32_t)cells[gate] >> 6, 0};
    for (uint32_t j = 0; j <= gate; j++) {
        const wend_cell to = {(int32_t)cells[j] & 63, (int32_t)cells[j] >> 6, 0};
        uint32_t cost = j == gate ? 0 : WEND__FAR_NONE;
        if (draft->component[j] == draft->component[gate] && j < gate)
            cost = m->flood.full ? wend__far_estimate(m->far, from, to) : m->flood.distance[cells[j]];
        draft->costs[gate * STRIDE + j] = draft->costs[j * STRIDE + gate] = cost;
    }
}

/* Costs on ground of several factors, where a way back may cost otherwise. A gate that is shut leads nowhere. */
static void find_mixed_costs(wend__far_maker *m, uint32_t gate) {
    wend__far_draft *draft = &m->draft;
    uint32_t *costs = &draft->costs[gate * STRIDE];
    const uint32_t gates = draft->first[4];
    if (draft->component[gate] >= WEND__FAR_SHUT) {
        for (uint32_t j = 0; j < gates; j++) costs[j] = WEND__FAR_NONE;
        costs[gate] = 0;
        return;
    }
    wend__far_flood_run(&m->flood, m->cells[gate], false);
    for (uint32_t j = 0; j < gates; j++) costs[j] = m->flood.distance[m->cells[j]];
}

/* The costs from one gate of a chunk. */
static void flood_from(wend__far_maker *m, uint64_t *effort) {
    m->flood.pushed = 0;
    if (m->flood.mixed)
        find_mixed_costs(m, m->gate);
    else
        find_even_costs(m, m->gate);
    m->gate++;
    wend__far_spend(effort, FLOOD_EFFORT + m->flood.pushed / PUSHES_AN_EFFORT);
}

static void find_cells(wend__far_maker *m, wend__far_area a) {
    for (unsigned side = 0; side < 4; side++)
        for (uint32_t i = m->draft.first[side]; i < m->draft.first[side + 1]; i++) {
            const wend_cell cell = wend__far_cell(a, side, m->draft.place[i]);
            m->cells[i] = (uint32_t)(cell.y & 63) << 6 | (uint32_t)(cell.x & 63);
        }
}

uint32_t wend__far_crossing_out(const wend__version *view, const wend__far *far, wend__far_area a,
                                const wend__far_record *kept, uint32_t gate) {
    const unsigned side = wend__far_side(kept, gate);
    const uint32_t place = wend__far_places(kept)[gate];
    const wend__far_area beyond = wend__far_beyond(a, side);
    const wend__far_record *other = wend__far_kept(view, far, beyond);
    if (other) {
        const uint32_t there = wend__far_gate_at(other, side ^ 2, place);
        return there == WEND__FAR_NONE ? 0 : wend__far_crossing(other, there, true);
    }
    const wend_cell cell = wend__far_cell(beyond, side ^ 2, place);
    return wend__version_factor(view, cell.x, cell.y);
}

/* A chunk that is not loaded keeps its gates and costs. What is beyond its borders may have changed. */
static void draft_kept(wend__far_maker *m, wend__far_area a, const wend__far_record *kept) {
    wend__far_draft *draft = &m->draft;
    memcpy(draft->first, kept->first, sizeof draft->first);
    draft->mixed = kept->mixed;
    for (uint32_t i = 0; i < draft->first[4]; i++) {
        draft->place[i] = wend__far_places(kept)[i];
        draft->component[i] = wend__far_components(kept)[i];
        draft->out[i] = (uint8_t)wend__far_crossing_out(m->view, m->far, a, kept, i);
        draft->in[i] = (uint8_t)wend__far_crossing(kept, i, true);
        wend__far_row(kept, i, false, draft->costs + i * STRIDE);
    }
}

static void begin_chunk(wend__far_maker *m, wend__far_area a) {
    wend__far_draft *draft = &m->draft;
    const wend__far_record *kept = wend__far_kept(m->view, m->far, a);
    if (kept) {
        draft_kept(m, a, kept);
        m->gate = draft->first[4];
        return;
    }
    memset(draft->first, 0, sizeof draft->first);
    draft->mixed = wend__far_is_mixed(m->view, a.column, a.row);
    choose_in_chunk(m, a, draft);
    find_cells(m, a);
    if (draft->first[4] > 0) wend__far_flood_read(&m->flood, m->view, a.column, a.row);
}

/* ---- higher levels: from records of the level below ---- */

static wend__far_area child_of(wend__far_area a, unsigned i) {
    return (wend__far_area){a.level - 1, a.column << 2 | (int32_t)(i & 3), a.row << 2 | (int32_t)(i >> 2)};
}

/* Components of all children, united where gates inside of the area join them: parents, by child << 8 | component. */
typedef struct joined {
    uint32_t parents[16 * 256];
} joined;

static void join_children(const wend__far *far, wend__far_area a, joined *j) {
    for (unsigned i = 0; i < 16; i++) {
        const wend__far_area child = child_of(a, i);
        const wend__far_record *r = wend__far_has(far, child) ? wend__far_get(far, child) : NULL;
        for (unsigned c = 0; r && c < r->components; c++) j->parents[i << 8 | c] = i << 8 | c;
    }
    for (unsigned i = 0; i < 16; i++)
        for (unsigned side = WEND__FAR_EAST; side <= WEND__FAR_SOUTH; side++) {
            const unsigned next = i + (side == WEND__FAR_EAST ? 1 : 4);
            const bool rim = side == WEND__FAR_EAST ? (i & 3) == 3 : i >> 2 == 3;
            if (rim || !wend__far_has(far, child_of(a, next))) continue;
            const wend__far_record *here = wend__far_get(far, child_of(a, i));
            const wend__far_record *there = wend__far_get(far, child_of(a, next));
            for (uint32_t g = here->first[side], k = there->first[side ^ 2]; g < here->first[side + 1]; g++, k++)
                wend__set_unite(j->parents, i << 8 | wend__far_components(here)[g],
                                next << 8 | wend__far_components(there)[k]);
        }
}

/* The children along a side, in the order of places. */
static unsigned child_on_side(unsigned side, unsigned i) {
    return side == WEND__FAR_WEST ? i << 2 : side == WEND__FAR_EAST ? i << 2 | 3 : side == WEND__FAR_NORTH ? i : 12 | i;
}

/* Lists the gates of the level below on a side: a run each, with the component in `there`. Components at the rim get
 * numbers from 1 in the order of the sides. */
typedef struct rim {
    uint32_t count[4];
    wend__far_run gates[4][WEND__FAR_RUNS];
} rim;

static void read_rim(const wend__far *far, wend__far_area a, rim *out) {
    joined j;
    uint8_t name[16 * 256] = {0}, names = 0;
    join_children(far, a, &j);
    for (unsigned side = 0; side < 4; side++) {
        out->count[side] = 0;
        for (unsigned i = 0; i < 4; i++) {
            const unsigned number = child_on_side(side, i);
            if (!wend__far_has(far, child_of(a, number))) continue;
            const wend__far_record *r = wend__far_get(far, child_of(a, number));
            for (uint32_t g = r->first[side]; g < r->first[side + 1]; g++) {
                const uint32_t root = wend__set_find(j.parents, number << 8 | wend__far_components(r)[g]);
                if (!name[root] && names < UINT8_MAX) name[root] = ++names;
                const uint16_t place = (uint16_t)((i << wend__far_bits(a.level - 1)) + wend__far_places(r)[g]);
                out->gates[side][out->count[side]++] = (wend__far_run){place, (uint16_t)(place + 1), name[root], 0};
            }
        }
    }
}

/* Computes costs from one gate: Dijkstra's search over the gates of the level below, inside of the area. If the effort
 * is spent, the next call goes on. */
static void search_from(wend__far_maker *m, wend__far_area a, uint64_t *effort) {
    wend__far_search *s = &m->search;
    const wend__far_lower *below = &m->below[m->gate];
    uint32_t *costs = m->draft.costs + m->gate * STRIDE;
    if (!m->searching) {
        wend__far_row(wend__far_get(m->far, below->child), below->gate, false, costs);
        s->far = m->far;
        s->level = a.level - 1;
        s->within_count = 1;
        s->within[0] = a;
        wend__far_search_begin(s);
        wend__far_search_enter(s, below->child, costs);
    }
    const uint64_t before = s->expansions;
    m->searching = !wend__far_search_run(s, *effort / EXPANSION_EFFORT + 1);
    wend__far_spend(effort, FLOOD_EFFORT + (s->expansions - before) * EXPANSION_EFFORT);
    if (m->searching) return;
    for (uint32_t j = 0; j < m->draft.first[4]; j++)
        costs[j] = j == m->gate ? 0 : wend__far_search_cost(s, m->below[j].child, m->below[j].gate);
    m->gate++;
}

static void choose_in_block(const wend__far *far, wend__far_area a, wend__far_draft *draft) {
    rim here, there;
    read_rim(far, a, &here);
    for (unsigned side = 0; side < 4; side++) {
        draft->first[side] = draft->first[4];
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (!wend__far_has(far, beyond)) continue;
        read_rim(far, beyond, &there);
        for (uint32_t i = 0; i < here.count[side]; i++) here.gates[side][i].there = there.gates[side ^ 2][i].here;
        wend__far_choose(a.level, here.gates[side], here.count[side], draft);
    }
}

static void begin_block(wend__far_maker *m, wend__far_area a) {
    wend__far_draft *draft = &m->draft;
    wend__far_lower *below = m->below;
    memset(draft->first, 0, sizeof draft->first);
    draft->mixed = false;
    for (unsigned i = 0; i < 16; i++)
        if (wend__far_has(m->far, child_of(a, i))) draft->mixed |= wend__far_get(m->far, child_of(a, i))->mixed;
    choose_in_block(m->far, a, draft);
    for (unsigned side = 0; side < 4; side++)
        for (uint32_t i = draft->first[side]; i < draft->first[side + 1]; i++) {
            below[i].gate = wend__far_below(m->far, a, side, draft->place[i], &below[i].child);
            const wend__far_record *r = wend__far_get(m->far, below[i].child);
            draft->out[i] = (uint8_t)wend__far_crossing(r, below[i].gate, false);
            draft->in[i] = (uint8_t)wend__far_crossing(r, below[i].gate, true);
        }
}

/* ---- any level ---- */

void wend__far_maker_init(wend__far_maker *m, const wend__version *view, const wend__far *far) {
    m->view = view;
    m->far = far;
    memset(&m->search, 0, sizeof m->search);
    m->flood.diagonal = 0;
    wend__far_flood_init(&m->flood, far);
    wend__far_search_init(&m->search, m->nodes, m->open, 16 * WEND__FAR_GATES, m->areas, 16);
}

void wend__far_record_begin(wend__far_maker *m, wend__far_area a, uint64_t *effort) {
    m->gate = 0;
    m->searching = false;
    if (a.level == 0)
        begin_chunk(m, a);
    else
        begin_block(m, a);
    wend__far_spend(effort, a.level == 0 ? CHUNK_EFFORT : BLOCK_EFFORT);
}

bool wend__far_record_continue(wend__far_maker *m, wend__far_area a, uint64_t *effort) {
    while (m->gate < m->draft.first[4] && *effort > 0)
        if (a.level == 0)
            flood_from(m, effort);
        else
            search_from(m, a, effort);
    return m->gate == m->draft.first[4];
}

wend__far_record *wend__far_record_end(wend_map *map, wend__far_maker *m) {
    return pack(map, &m->draft);
}
