/* SPDX-License-Identifier: MIT */
/* Movers: each mover's view of a map, against plain arrays, after any changes. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

/* A mover with random factors: about a third of the classes below 8 are blocked. */
static wend_mover random_mover(uint64_t *seed, int32_t size) {
    wend_mover mover = default_mover();
    mover.size = size;
    for (int class = 0; class < 8; class++)
        mover.factors[class] = draw(seed, 3) == 0 ? 0 : (uint8_t)(1 + (draw(seed, 2) ? draw(seed, 255) : 0));
    mover.factors[1] = 1;
    return mover;
}

static uint8_t stands(const model *m, const wend_mover *mover, int32_t x, int32_t y) {
    uint8_t most = 0;
    for (int32_t dy = 0; dy < mover->size; dy++)
        for (int32_t dx = 0; dx < mover->size; dx++) {
            if (x + dx >= m->width || y + dy >= m->height) return 0;
            uint8_t factor = mover->factors[m->classes[(size_t)(y + dy) * (size_t)m->width + (size_t)(x + dx)]];
            if (factor == 0) return 0;
            if (factor > most) most = factor;
        }
    return most;
}

/* Returns the ground that the mover sees, as a model of a map. */
static model ground_model(const model *m, const wend_mover *mover) {
    wend_map_rules rules = m->rules;
    for (unsigned class = 0; class < 256; class++) rules.factors[class] = (uint8_t)class;
    model ground = model_create(m->width, m->height, &rules);
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++)
            ground.classes[(size_t)y * (size_t)m->width + (size_t)x] = stands(m, mover, x, y);
    return ground;
}

/* Components by flooding: 0 blocked, else numbers from 1 on. */
static uint32_t *flood(const model *m, uint64_t *components) {
    size_t count = (size_t)m->width * (size_t)m->height, *stack = malloc(count * sizeof *stack);
    uint32_t *of = calloc(count, sizeof *of), next = 0;
    for (size_t start = 0; start < count; start++) {
        if (of[start] || !model_open(m, (int32_t)(start % (size_t)m->width), (int32_t)(start / (size_t)m->width)))
            continue;
        size_t depth = 0;
        stack[depth++] = start;
        of[start] = ++next;
        while (depth) {
            size_t at = stack[--depth];
            int32_t x = (int32_t)(at % (size_t)m->width), y = (int32_t)(at / (size_t)m->width);
            for (int32_t i = 0; i < 9; i++) {
                int32_t dx = i % 3 - 1, dy = i / 3 - 1;
                if (i == 4 || !model_step(m, x, y, dx, dy)) continue;
                size_t to = (size_t)(y + dy) * (size_t)m->width + (size_t)(x + dx);
                if (of[to]) continue;
                of[to] = next;
                stack[depth++] = to;
            }
        }
    }
    free(stack);
    *components = next;
    return of;
}

static void check_reachable(wend_map *map, int32_t id, const model *ground, uint64_t *seed) {
    uint64_t components;
    uint32_t *of = flood(ground, &components);
    for (int i = 0; i < 200; i++) {
        wend_cell a = at((int32_t)draw(seed, (uint32_t)ground->width), (int32_t)draw(seed, (uint32_t)ground->height));
        wend_cell b = at((int32_t)draw(seed, (uint32_t)ground->width), (int32_t)draw(seed, (uint32_t)ground->height));
        uint32_t from = of[(size_t)a.y * (size_t)ground->width + (size_t)a.x];
        uint32_t to = of[(size_t)b.y * (size_t)ground->width + (size_t)b.x];
        bool reachable;
        cr_assert_eq(wend_map_reachable(map, id, a, b, &reachable), WEND_OK);
        cr_assert_eq(reachable, from && from == to, "mover %d from (%d, %d) to (%d, %d)", id, a.x, a.y, b.x, b.y);
    }
    wend__version *v = wend__map_acquire(map, false);
    cr_assert_eq(wend__version_components(wend__version_view(v, id)), components, "mover %d", id);
    wend__map_release(v, false);
    free(of);
}

/* Everything that mover `id` sees. */
static void check_mover(wend_map *map, int32_t id, const model *m, const wend_mover *mover, uint64_t *seed) {
    OWNED(model_free) model expected = ground_model(m, mover);
    wend__version *v = wend__map_acquire(map, false);
    const wend__version *ground = wend__version_view(v, id);
    cr_assert_eq(wend__version_mover_size(v, id), mover->size);
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++) {
            uint8_t factor = expected.classes[(size_t)y * (size_t)m->width + (size_t)x];
            cr_assert_eq(wend__cell_factor(ground, at(x, y)), factor, "mover %d, size %d, at (%d, %d): %u for %u", id,
                         mover->size, x, y, wend__cell_factor(ground, at(x, y)), factor);
        }
    model_check(&expected, ground);
    wend__map_release(v, false);
    check_reachable(map, id, &expected, seed);
}

static int32_t add(wend_map *map, const wend_mover *mover) {
    int32_t id = -1;
    cr_assert_eq(wend_map_add_mover(map, mover, &id), WEND_OK);
    return id;
}

static model noise(int32_t width, int32_t height, uint64_t *seed) {
    model m = model_create(width, height, NULL);
    for (int32_t i = 0; i < width * height; i++)
        m.classes[i] = draw(seed, 12) == 0 ? (uint8_t)draw(seed, 8) : WEND_CLASS_OPEN;
    return m;
}

static wend_box random_box(const model *m, int32_t most, uint64_t *seed) {
    int32_t x = (int32_t)draw(seed, (uint32_t)m->width), y = (int32_t)draw(seed, (uint32_t)m->height);
    int32_t right = x + (int32_t)draw(seed, (uint32_t)most), bottom = y + (int32_t)draw(seed, (uint32_t)most);
    return box_of(x, y, right < m->width ? right : m->width - 1, bottom < m->height ? bottom : m->height - 1);
}

static void fill_both(wend_edit *edit, model *m, wend_box box, uint8_t class) {
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) m->classes[(size_t)y * (size_t)m->width + (size_t)x] = class;
}

/* Some cells and some boxes. */
static void change_both(wend_map *map, model *m, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = draw(seed, 6); i > 0; i--) fill_both(edit, m, random_box(m, 1, seed), (uint8_t)draw(seed, 8));
    for (uint32_t i = draw(seed, 3); i > 0; i--)
        fill_both(edit, m, random_box(m, 90, seed), draw(seed, 2) ? WEND_CLASS_OPEN : (uint8_t)draw(seed, 8));
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void change_rules(wend_map *map, model *m, uint64_t *seed) {
    m->rules.neighbours = draw(seed, 2) ? 8 : 4, m->rules.corners = (int32_t)draw(seed, 3);
    m->rules.factors[2 + draw(seed, 6)] = (uint8_t)draw(seed, 4);
    cr_assert_eq(wend_map_set_rules(map, &m->rules), WEND_OK);
}

static void set_one(wend_map *map, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, cell, class, NULL), WEND_OK);
}

Test(map_movers, have_documented_defaults) {
    wend_mover mover = default_mover();
    wend_map_rules rules = default_rules();
    cr_assert_eq(mover.struct_bytes, sizeof mover);
    cr_assert_eq(mover.size, 1);
    cr_assert_eq(memcmp(mover.factors, rules.factors, sizeof mover.factors), 0);
}

Test(map_movers, are_numbered_and_told) {
    OWNED_MAP *map = map_of_size(70, 70);
    uint64_t seed = 1;
    wend_mover first = random_mover(&seed, 3), second = random_mover(&seed, 1), told = {.struct_bytes = sizeof told};
    cr_assert_eq(add(map, &first), 1);
    cr_assert_eq(add(map, &second), 2);
    wend_map_info info = info_now(map);
    wend_map_rules info_rules = rules_now(map);
    cr_assert_eq(info.movers, 3);
    cr_assert_eq(info.epoch, 0u);
    cr_assert_eq(wend_map_get_mover(map, 1, &told), WEND_OK);
    cr_assert_eq(memcmp(&told, &first, sizeof told), 0);
    cr_assert_eq(wend_map_get_mover(map, 2, &told), WEND_OK);
    cr_assert_eq(memcmp(&told, &second, sizeof told), 0);
    info_rules.factors[5] = 77;
    cr_assert_eq(wend_map_set_rules(map, &info_rules), WEND_OK);
    cr_assert_eq(wend_map_get_mover(map, WEND_MOVER_DEFAULT, &told), WEND_OK);
    cr_assert(told.size == 1 && told.factors[5] == 77 && told.struct_bytes == sizeof told);
    cr_assert_eq(wend_map_get_mover(map, 3, &told), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_get_mover(map, -1, &told), WEND_BAD_ARGUMENT);
}

static wend_error try_add(wend_map *map, uint32_t struct_bytes, int32_t size) {
    wend_mover mover = default_mover();
    int32_t id = -7;
    mover.struct_bytes = struct_bytes, mover.size = size;
    wend_error error = wend_map_add_mover(map, &mover, &id);
    cr_assert_eq(error != WEND_OK, id == -7);
    return error;
}

Test(map_movers, of_impossible_size_or_structure_are_refused) {
    OWNED_MAP *map = map_of_size(10, 10);
    int32_t id = -7;
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(try_add(map, offsetof(wend_mover, walker) - 1, 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_add(map, sizeof(wend_mover), 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_add(map, sizeof(wend_mover), -1), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_add(map, sizeof(wend_mover), WEND_MAX_MOVER_SIZE + 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_add_mover(map, NULL, &id), WEND_BAD_ARGUMENT);
    cr_assert_eq(map_bytes(map), bytes);
    cr_assert_eq(try_add(map, sizeof(wend_mover), WEND_MAX_MOVER_SIZE), WEND_OK); /* larger than the map */
}

Test(map_movers, are_sixty_four_at_most) {
    uint64_t seed = 3;
    OWNED(model_free) model m = noise(40, 30, &seed);
    OWNED_MAP *map = map_of(&m);
    wend_mover movers[WEND_MAX_MOVERS];
    for (int32_t i = 1; i < WEND_MAX_MOVERS; i++) {
        movers[i] = random_mover(&seed, 1 + i % 4);
        cr_assert_eq(add(map, &movers[i]), i);
    }
    cr_assert_eq(try_add(map, sizeof(wend_mover), 1), WEND_BAD_ARGUMENT);
    change_both(map, &m, &seed);
    change_rules(map, &m, &seed);
    change_both(map, &m, &seed);
    for (int32_t i = 1; i < WEND_MAX_MOVERS; i++) check_mover(map, i, &m, &movers[i], &seed);
}

Test(map_movers, come_while_a_search_has_the_map) {
    OWNED_MAP *map = map_of_size(70, 70);
    wend__version *pinned = wend__map_acquire(map, true);
    cr_assert_eq(try_add(map, sizeof(wend_mover), 2), WEND_OK);
    cr_assert_eq(wend__version_movers(pinned), 1);
    set_one(map, at(3, 3), 0);
    cr_assert_eq(try_add(map, sizeof(wend_mover), 2), WEND_OK);
    wend__map_release(pinned, true);
    cr_assert_eq(wend__map_movers(map), 3);
}

/* A mover that avoids classes is made once, is like its own mover, and is that one where nothing is avoided. */
Test(map_movers, avoid_classes) {
    OWNED_MAP *map = map_of_size(70, 70);
    const uint64_t two[4] = {1 << 2}, blocked[4] = {1 << WEND_CLASS_BLOCKED}, both[4] = {1 << 2 | 1 << 3};
    wend_mover got = {.struct_bytes = sizeof got};
    int32_t id, again;
    cr_assert_eq(wend_map_mover_avoiding(map, 0, two, &id), WEND_OK);
    cr_assert_eq(id, 1);
    cr_assert(wend_map_mover_avoiding(map, 0, two, &again) == WEND_OK && again == 1);
    cr_assert(wend_map_mover_avoiding(map, 0, blocked, &again) == WEND_OK && again == 0);
    cr_assert(wend_map_mover_avoiding(map, 1, two, &again) == WEND_OK && again == 1);
    cr_assert(wend_map_mover_avoiding(map, 1, both, &again) == WEND_OK && again == 2);
    cr_assert_eq(wend_map_get_mover(map, 2, &got), WEND_OK);
    cr_assert(got.like == 1 && got.avoided[0] == both[0] && got.factors[2] == 0 && got.factors[3] == 0);
    cr_assert_eq(wend_map_mover_avoiding(map, 3, two, &again), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_mover_avoiding(map, 0, NULL, &again), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_mover_avoiding(map, 0, two, NULL), WEND_BAD_ARGUMENT);
    got.like = 3;
    cr_assert_eq(wend_map_add_mover(map, &got, NULL), WEND_BAD_ARGUMENT);
    got.like = -2;
    cr_assert_eq(wend_map_add_mover(map, &got, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__map_movers(map), 3);
}

/* A mover that shuns classes takes two numbers: its own, as which it goes round them, and that of a bolder one. */
Test(map_movers, shun_classes) {
    OWNED_MAP *map = map_of_size(70, 70);
    const uint64_t two[4] = {1 << 2}, blocked[4] = {1 << WEND_CLASS_BLOCKED}, three[4] = {1 << 3};
    wend_mover got = {.struct_bytes = sizeof got}, usual = default_mover();
    int32_t id, again;
    cr_assert(wend_map_mover_shunning(map, 0, two, &id) == WEND_OK && id == 1);
    cr_assert_eq(wend__map_movers(map), 3);
    cr_assert(wend_map_mover_shunning(map, 0, two, &again) == WEND_OK && again == 1);
    cr_assert(wend_map_mover_shunning(map, 0, blocked, &again) == WEND_OK && again == 0);
    cr_assert_eq(wend_map_get_mover(map, 1, &got), WEND_OK);
    cr_assert(got.like == 0 && got.shunned[0] == two[0] && got.factors[2] == usual.factors[2]);
    cr_assert_eq(wend_map_get_mover(map, 2, &got), WEND_OK);
    cr_assert(got.like == 1 && got.shunned[0] == 0 && got.factors[2] == usual.factors[2]);
    set_one(map, at(3, 3), 2);
    cr_assert_eq(wend__cell_factor(wend__version_view(map->newest, 1), at(3, 3)), 0);
    cr_assert_eq(wend__cell_factor(wend__version_view(map->newest, 2), at(3, 3)), usual.factors[2]);
    cr_assert(wend_map_mover_avoiding(map, 1, two, &again) == WEND_OK && again == 3);
    cr_assert_eq(wend_map_get_mover(map, 3, &got), WEND_OK);
    cr_assert(got.avoided[0] == two[0] && got.shunned[0] == 0, "it is avoided, so it need not be shunned");
    cr_assert(wend_map_mover_shunning(map, 3, three, &again) == WEND_OK && again == 4);
    cr_assert_eq(wend__version_way_out(map->newest, 4), 0, "it leaves what it avoids as the default mover");
    cr_assert_eq(wend__version_bolder(map->newest, 4), 5);
    got = usual, got.shunned[0] = two[0], got.factors[2] = 99, got.like = 0;
    cr_assert_eq(wend_map_add_mover(map, &got, &again), WEND_OK);
    cr_assert_eq(wend_map_mover_shunning(map, 0, two, &again), WEND_OK);
    cr_assert_eq(again, 1, "the other one has another factor");
    cr_assert_eq(wend_map_mover_shunning(map, 8, two, &again), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_mover_shunning(map, 0, NULL, &again), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_mover_shunning(map, 0, two, NULL), WEND_BAD_ARGUMENT);
}

Test(map_movers, of_whom_one_that_shuns_needs_two_places) {
    OWNED_MAP *map = map_of_size(20, 20);
    const uint64_t two[4] = {1 << 2}, three[4] = {1 << 3};
    int32_t id;
    while (wend__map_movers(map) < WEND_MAX_MOVERS - 2) cr_assert_eq(try_add(map, sizeof(wend_mover), 1), WEND_OK);
    cr_assert_eq(wend_map_mover_shunning(map, 0, two, &id), WEND_OK);
    cr_assert_eq(wend_map_mover_shunning(map, 0, three, &id), WEND_BAD_ARGUMENT);
    OWNED_MAP *other = map_of_size(20, 20);
    while (wend__map_movers(other) < WEND_MAX_MOVERS - 1) cr_assert_eq(try_add(other, sizeof(wend_mover), 1), WEND_OK);
    cr_assert_eq(wend_map_mover_shunning(other, 0, two, &id), WEND_BAD_ARGUMENT, "one place is left");
    cr_assert_eq(wend__map_movers(other), WEND_MAX_MOVERS - 1);
}

static void follow_changes(int32_t size, int32_t width, int32_t height) {
    uint64_t seed = (uint64_t)size * 7919;
    OWNED(model_free) model m = noise(width, height, &seed);
    OWNED_MAP *map = map_of(&m);
    wend_mover movers[2] = {random_mover(&seed, size), random_mover(&seed, size)};
    for (int i = 0; i < 2; i++) cr_assert_eq(add(map, &movers[i]), i + 1);
    for (int round = 0; round < enough_or_many(5, 12); round++) {
        if (round) change_both(map, &m, &seed);
        if (round % 4 == 3) change_rules(map, &m, &seed);
        for (int i = 0; i < 2; i++) check_mover(map, i + 1, &m, &movers[i], &seed);
    }
}

Test(map_movers, s26_of_every_size_see_every_change) {
    const int32_t next = few_or_many(7, 1);
    for (int32_t size = 1; size <= WEND_MAX_MOVER_SIZE; size += next) follow_changes(size, 131 + size, 203 - size);
}

Test(map_movers, see_maps_narrower_than_themselves) {
    for (int32_t size = 1; size <= WEND_MAX_MOVER_SIZE; size += 3) {
        follow_changes(size, 7, 150);
        follow_changes(size, 150, size);
        follow_changes(size, 64, 64);
    }
}

Test(map_movers, see_what_is_in_other_blocks) {
    uint64_t seed = 8;
    OWNED(model_free) model m = model_create(2100, 70, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_mover mover = random_mover(&seed, 9);
    cr_assert_eq(add(map, &mover), 1);
    wend_edit *edit = begin_edit(map);
    fill_both(edit, &m, box_of(1024, 20, 1024, 20),
              0); /* first cell of a block: the mover covers it from the one before */
    fill_both(edit, &m, box_of(2048, 64, 2048, 64), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    check_mover(map, 1, &m, &mover, &seed);
}

Test(map_movers, of_forks_go_their_own_way) {
    uint64_t seed = 11;
    OWNED(model_free) model m = noise(150, 140, &seed);
    wend_map *map = map_of(&m), *fork;
    wend_mover movers[3] = {random_mover(&seed, 2), random_mover(&seed, 5), random_mover(&seed, 1)};
    for (int i = 0; i < 2; i++) add(map, &movers[i]);
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_lt(map_bytes(map) - bytes, 2000u); /* grounds are shared */
    OWNED(model_free) model other = model_copy(&m);
    cr_assert_eq(add(fork, &movers[2]), 3);
    cr_assert_eq(wend__map_movers(map), 3);
    for (int round = 0; round < 4; round++) {
        change_both(map, &m, &seed);
        change_both(fork, &other, &seed);
        change_rules(fork, &other, &seed);
        for (int i = 0; i < 2; i++) check_mover(map, i + 1, &m, &movers[i], &seed);
        for (int i = 0; i < 3; i++) check_mover(fork, i + 1, &other, &movers[i], &seed);
    }
    wend_map_release(map); /* parts that the fork shares with it stay */
    change_both(fork, &other, &seed);
    for (int i = 0; i < 3; i++) check_mover(fork, i + 1, &other, &movers[i], &seed);
    wend_map_release(fork);
}

static const wend__version *ground_of(wend_map *map, int32_t id) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__version *ground = wend__version_view(v, id);
    wend__map_release(v, false);
    return ground;
}

Test(map_movers, keep_what_they_see_where_nothing_changes_for_them) {
    OWNED_MAP *map = map_of_size(200, 200);
    wend_mover keyholder = default_mover();
    wend_mover other = default_mover();
    keyholder.factors[5] = 1, other.factors[5] = 0;
    add(map, &keyholder);
    add(map, &other);
    const wend__version *before[2] = {ground_of(map, 1), ground_of(map, 2)};
    set_one(map, at(70, 80), 5); /* their own door */
    cr_assert_eq(ground_of(map, 1), before[0]);
    cr_assert_neq(ground_of(map, 2), before[1]);
    before[1] = ground_of(map, 2);
    wend_map_rules info_rules = rules_now(map);
    info_rules.factors[5] = 9; /* their factors are their own */
    cr_assert_eq(wend_map_set_rules(map, &info_rules), WEND_OK);
    cr_assert_eq(ground_of(map, 1), before[0]);
    cr_assert_eq(ground_of(map, 2), before[1]);
}

Test(map_movers, added_amid_a_batch_see_what_it_publishes) {
    uint64_t seed = 21;
    OWNED(model_free) model m = noise(100, 100, &seed);
    OWNED_MAP *map = map_of(&m);
    wend_mover first = random_mover(&seed, 2), second = random_mover(&seed, 3);
    add(map, &first);
    wend_edit *edit = begin_edit(map);
    OWNED(model_free) model after = model_copy(&m);
    fill_both(edit, &after, box_of(40, 3, 70, 20), 0);
    cr_assert_eq(add(map, &second), 2);
    check_mover(map, 2, &m, &second, &seed);
    fill_both(edit, &after, box_of(1, 90, 99, 90), 3);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend__map_movers(map), 3);
    check_mover(map, 1, &after, &first, &seed);
    check_mover(map, 2, &after, &second, &seed);
}

Test(map_movers, are_told_whether_a_batch_parts_two_cells_for_them) {
    uint64_t seed = 31;
    for (int round = 0; round < 40; round++) {
        OWNED(model_free) model m = noise(90, 80, &seed);
        m.rules.corners = (int32_t)draw(&seed, 3);
        OWNED_MAP *map = map_of(&m);
        wend_mover mover = random_mover(&seed, 1 + (int32_t)draw(&seed, 4));
        const int32_t id = add(map, &mover);
        bool before, after, parts;
        wend_cell a = at((int32_t)draw(&seed, 90), (int32_t)draw(&seed, 80));
        wend_cell b = at((int32_t)draw(&seed, 90), (int32_t)draw(&seed, 80));
        uint64_t bytes = map_bytes(map);
        wend_edit *edit = begin_edit(map);
        for (int i = 0; i < 3; i++) fill_both(edit, &m, random_box(&m, 60, &seed), (uint8_t)draw(&seed, 3));
        if (round % 3 == 0) change_rules(map, &m, &seed);
        cr_assert_eq(wend_map_reachable(map, id, a, b, &before), WEND_OK);
        uint64_t open = map_bytes(map);
        cr_assert_eq(wend_edit_would_disconnect(edit, id, a, b, &parts), WEND_OK);
        cr_assert_eq(map_bytes(map), open);
        cr_assert_geq(open, bytes);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(wend_map_reachable(map, id, a, b, &after), WEND_OK);
        cr_assert_eq(parts, before && !after, "round %d", round);
    }
}

Test(map_movers, s26_of_size_two_do_not_fit_through_a_gap_of_one) {
    static const char *const rows[] = {"......", "......", "###.##", "......", "......"};
    OWNED(model_free) model m = model_of_text(rows, 5, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_mover mover = default_mover();
    mover.size = 2;
    const int32_t id = add(map, &mover);
    bool reachable;
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(0, 3), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0);
    set_one(map, at(4, 2), 1);
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(0, 3), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(5, 3), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0); /* the mover would stick out of the map */
}

/* ---- links and closed steps ---- */

Test(map_movers, take_links_where_they_can_stand_at_both_ends) {
    static const char *const rows[] = {"...#...", "...#...", "...#..."};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_mover mover = default_mover();
    mover.size = 2;
    const int32_t id = add(map, &mover);
    bool reachable, parts;
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(2, 0), at(4, 0), 5, 0}),
                 WEND_OK); /* the mover cannot stand on (2, 0) */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(4, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0);
    cr_assert_eq(wend_map_reachable(map, 0, at(0, 0), at(4, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(1, 0), at(4, 0), 5, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(4, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, at(1, 0), at(4, 0)), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, id, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 1);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 0); /* the other link remains */
    cr_assert_eq(wend_edit_remove_link(edit, at(2, 0), at(4, 0)), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 1);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_reachable(map, id, at(0, 0), at(4, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0);
}

enum { LEDGES_WIDTH = 140, LEDGES_HEIGHT = 131 };

/* A map that is as the mover sees another: its own classes, its own closed steps. */
static wend_map *seen_as_map(const model *m, const wend_mover *mover, const uint8_t *closed) {
    OWNED(model_free) model ground = ground_model(m, mover);
    wend_map *map = map_of(&ground);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++) {
            unsigned steps = 0;
            for (int32_t i = 0; i < mover->size * mover->size; i++) {
                int32_t cx = x + i % mover->size, cy = y + i / mover->size;
                if (cx < m->width && cy < m->height) steps |= closed[cy * m->width + cx];
            }
            for (unsigned d = 0; d < 8; d++) {
                wend_cell to = at(x + wend__dx[d], y + wend__dy[d]);
                if (steps >> d & 1 && wend__map_has(map, to))
                    cr_assert_eq(wend_edit_set_step(edit, at(x, y), to, false), WEND_OK);
            }
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static void check_ledges(wend_map *map, int32_t id, const model *m, const wend_mover *mover, const uint8_t *closed) {
    OWNED_MAP *as = seen_as_map(m, mover, closed);
    wend__version *v = wend__map_acquire(map, false), *w = wend__map_acquire(as, false);
    const wend__version *ground = wend__version_view(v, id);
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++)
            cr_assert_eq(wend__version_steps(ground, x, y), wend__version_steps(w, x, y), "size %d at (%d, %d)",
                         mover->size, x, y);
    cr_assert_eq(wend__version_components(ground), wend__version_components(w), "size %d", mover->size);
    wend__map_release(v, false);
    wend__map_release(w, false);
}

/* Walls of closed steps, a cell or many long, closed one way or both; and some opened again. */
static void change_steps(wend_edit *edit, uint8_t *closed, uint64_t *seed) {
    for (int i = 0; i < 12; i++) {
        int32_t x = (int32_t)draw(seed, LEDGES_WIDTH), y = (int32_t)draw(seed, LEDGES_HEIGHT);
        int32_t length = draw(seed, 3) ? 1 : 40, along = (int32_t)draw(seed, 2);
        unsigned d = draw(seed, 8), open = draw(seed, 4) == 0, both = draw(seed, 2);
        for (int32_t j = 0; j < length; j++, x += along, y += !along) {
            int32_t tx = x + wend__dx[d], ty = y + wend__dy[d];
            if (x >= LEDGES_WIDTH || y >= LEDGES_HEIGHT || tx < 0 || ty < 0 || tx >= LEDGES_WIDTH ||
                ty >= LEDGES_HEIGHT)
                continue;
            for (unsigned way = 0; way <= both; way++) {
                uint8_t *steps = way ? &closed[ty * LEDGES_WIDTH + tx] : &closed[y * LEDGES_WIDTH + x];
                unsigned direction = way ? d ^ 2 : d;
                *steps = (uint8_t)((*steps & ~(1u << direction)) | (unsigned)!open << direction);
                cr_assert_eq(wend_edit_set_step(edit, way ? at(tx, ty) : at(x, y), way ? at(x, y) : at(tx, ty), open),
                             WEND_OK);
            }
        }
    }
}

Test(map_movers, s26_are_stopped_by_the_closed_steps_of_all_that_they_cover) {
    uint64_t seed = 51;
    static uint8_t closed[LEDGES_WIDTH * LEDGES_HEIGHT];
    OWNED(model_free) model m = noise(LEDGES_WIDTH, LEDGES_HEIGHT, &seed);
    OWNED_MAP *map = map_of(&m);
    wend_mover movers[4] = {random_mover(&seed, 1), random_mover(&seed, 2), random_mover(&seed, 3),
                            random_mover(&seed, 16)};
    for (int i = 0; i < 3; i++) add(map, &movers[i]);
    for (int round = 0; round < 8; round++) {
        wend_edit *edit = begin_edit(map);
        change_steps(edit, closed, &seed);
        if (round % 2) fill_both(edit, &m, random_box(&m, 30, &seed), (uint8_t)draw(&seed, 3));
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        if (round == 4) add(map, &movers[3]);
        if (round == 5) {
            m.rules.corners = WEND_CORNERS_ONE; /* 8 neighbours stay: closed diagonals need them */
            cr_assert_eq(wend_map_set_rules(map, &m.rules), WEND_OK);
        }
        for (int i = 0; i < (round < 4 ? 3 : 4); i++) check_ledges(map, i + 1, &m, &movers[i], closed);
    }
}

/* ---- memory ---- */

static wend_map *counted_map(counting *c) {
    wend_map_def def = default_map();
    def.width = 300, def.height = 130, def.allocator = counting_allocator(c);
    return made_map(&def);
}

static wend_error act_add(wend_map *map) {
    uint64_t seed = 41;
    wend_mover mover = random_mover(&seed, 3);
    int32_t id = -7, error = wend_map_add_mover(map, &mover, &id);
    cr_assert_eq(error != WEND_OK, id == -7);
    return error;
}

static wend_error act_edit(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, box_of(20, 20, 90, 70), 0);
    wend_edit_set_cell(edit, at(64, 64), 2);
    wend_edit_set_cell(edit, at(200, 100), 0);
    wend_edit_set_step(edit, at(150, 60), at(150, 61), false);
    wend_edit_add_link(edit, &(wend_link){at(1, 1), at(140, 120), 3, 0});
    return wend_edit_publish(edit, NULL);
}

static wend_error act_rules(wend_map *map) {
    wend_map_rules rules = default_rules();
    rules.corners = WEND_CORNERS_ALWAYS;
    return wend_map_set_rules(map, &rules);
}

/* Asks a question of an edit, and discards it. */
static wend_error act_ask(wend_map *map) {
    wend_edit *edit;
    bool parts;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, box_of(20, 0, 20, 129), 0);
    wend_edit_set_step(edit, at(150, 60), at(150, 61), false);
    error = wend_edit_would_disconnect(edit, 1, at(0, 0), at(40, 0), &parts);
    if (!error) cr_assert_eq(parts, 1);
    wend_edit_discard(edit);
    return error;
}

static void check_both_movers(wend_map *map, int32_t movers, uint64_t *seed) {
    OWNED(model_free) model m = model_create(300, 130, NULL);
    wend_map_info info = info_now(map);
    wend_map_rules info_rules = rules_now(map);
    m.rules = info_rules;
    cr_assert_eq(wend_map_get_terrain_box(map, box_of(0, 0, 299, 129), m.classes, 300), WEND_OK);
    cr_assert_eq(info.movers, movers);
    for (int32_t id = 1; id < movers; id++) {
        wend_mover mover = {.struct_bytes = sizeof mover};
        cr_assert_eq(wend_map_get_mover(map, id, &mover), WEND_OK);
        wend__version *v = wend__map_acquire(map, false);
        for (int32_t y = 0; y < 130; y++)
            for (int32_t x = 0; x < 300; x++)
                cr_assert_eq(wend__cell_factor(wend__version_view(v, id), at(x, y)), stands(&m, &mover, x, y));
        wend__map_release(v, false);
        if (info.closed_steps == 0 && info.links == 0) check_mover(map, id, &m, &mover, seed);
    }
}

/* Every allocation in turn, that one or all from it on. */
static void fail_each(int32_t (*act)(wend_map *map), bool for_good, bool fork, size_t least) {
    counting c = {0};
    uint64_t seed = 43;
    wend_map *map = counted_map(&c), *other = NULL;
    wend_mover movers[2] = {random_mover(&seed, 2), random_mover(&seed, 1)};
    movers[0].factors[0] = 0;
    for (int i = 0; i < 2; i++) add(map, &movers[i]);
    set_one(map, at(31, 31), 0);
    if (fork) cr_assert_eq(wend_map_fork(map, &other), WEND_OK);
    uint64_t bytes = map_bytes(map), epoch = map_epoch(map);
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        c.calls = 0, c.fail_at = for_good ? 0 : n, c.fail_from = for_good ? n : 0;
        wend_error error = act(map);
        c.fail_at = c.fail_from = 0;
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        cr_assert_eq(map_epoch(map), epoch);
        if (n % (size_t)few_or_many(8, 1) == 0) check_both_movers(map, 3, &seed); /* an error stays visible */
    }
    cr_assert_geq(failures, least, "%zu", failures);
    check_both_movers(map, act == act_add ? 4 : 3, &seed);
    wend_map_release(map);
    if (other) check_both_movers(other, 3, &seed);
    wend_map_release(other);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_movers, are_not_added_when_any_allocation_fails) {
    fail_each(act_add, false, false, 10);
    fail_each(act_add, true, true, 10);
}

Test(map_movers, an_edit_changes_nothing_when_any_allocation_fails) {
    fail_each(act_edit, false, false, 40);
    fail_each(act_edit, true, true, 40);
}

Test(map_movers, new_rules_change_nothing_when_any_allocation_fails) {
    fail_each(act_rules, false, true, 8);
    fail_each(act_rules, true, false, 8);
}

Test(map_movers, questions_leave_nothing_when_any_allocation_fails) {
    fail_each(act_ask, false, false, 10);
    fail_each(act_ask, true, false, 10);
}

Test(map_movers, that_go_everywhere_on_empty_ground_cost_next_to_nothing) {
    OWNED_MAP *map = grid_map(16384, 16384);
    uint64_t bytes = map_bytes(map);
    wend_mover mover = default_mover();
    add(map, &mover);
    cr_assert_lt(map_bytes(map) - bytes, 256u * 1024);
}

static uint64_t components_of(wend_map *map, int32_t id) {
    wend__version *v = wend__map_acquire(map, false);
    uint64_t components = wend__version_components(wend__version_view(v, id));
    wend__map_release(v, false);
    return components;
}

/* Chunks next to the wall look the same from outside: only their joins change. */
Test(map_movers, are_parted_by_a_thin_wall_along_the_rim_of_a_chunk) {
    OWNED_MAP *map = map_of_size(150, 70);
    wend_mover small = default_mover();
    wend_mover large = default_mover();
    large.size = 2;
    int32_t one = add(map, &small), two = add(map, &large);
    for (int round = 0; round < 4; round++) {
        wend_edit *edit = begin_edit(map);
        for (int32_t y = 0; y < 70; y++) {
            cr_assert_eq(wend_edit_set_step(edit, at(63, y), at(64, y), round % 2), WEND_OK);
            cr_assert_eq(wend_edit_set_step(edit, at(64, y), at(63, y), round % 2), WEND_OK);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(components_of(map, one), round % 2 ? 1u : 2u);
        cr_assert_eq(components_of(map, two), round % 2 ? 1u : 3u); /* only steps along the wall remain */
    }
}
