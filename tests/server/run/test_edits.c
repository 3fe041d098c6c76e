/* SPDX-License-Identifier: MIT */
/* Changes of a world's map: what is refused, what waits, and what is forgotten. */
#include <criterion/criterion.h>

#include "world/world.h"

static const world_client owner = {.owner = true};
static const wend_cell a = {1, 1, 0}, b = {5, 5, 0}, c = {9, 9, 0};

static world_state make_world(void) {
    wend_map_def def;
    world_state w = {.kind = WEND_KIND_GRID};
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = 10;
    cr_assert_eq(wend_map_create(&def, &w.map), WEND_OK);
    return w;
}

static void free_world(world_state *w) {
    world_edits_free(&w->edits);
    wend_map_release(w->map);
}

static wend_order change(int32_t kind, wend_cell from, wend_cell to, int32_t value) {
    return (wend_order){.kind = kind, .change = {from, to, value}};
}

static bool check(world_state *w, wend_order order) {
    world_error error = {0};
    const bool good = world_check(w, &owner, &order, &error);
    cr_assert_eq(good, error.refusal == WORLD_TAKEN, "%s", error.text);
    return good;
}

static size_t count_links(const world_state *w) {
    size_t count = 0;
    wend_map_get_links(w->map, NULL, 0, &count);
    return count;
}

Test(edits, are_judged_with_those_that_wait) {
    const wend_order link = change(WEND_ORDER_LINK, a, b, 7), unlink = change(WEND_ORDER_UNLINK, a, b, 0);
    world_state w = make_world();
    cr_assert(!check(&w, unlink));
    cr_assert(check(&w, link));
    cr_assert(check(&w, unlink));
    cr_assert(!check(&w, unlink));
    world_forget(&w, &unlink);
    cr_assert(check(&w, unlink));
    world_forget(&w, &unlink);
    world_forget(&w, &link);
    cr_assert(!check(&w, unlink), "the link was forgotten");
    cr_assert_eq(w.edits.count, 0);
    free_world(&w);
}

Test(edits, of_a_client_wait_all_or_not_at_all) {
    const wend_change_item items[] = {{WEND_ORDER_LINK, {a, b, 7}}, {WEND_ORDER_UNLINK, {b, c, 0}}};
    const wend_order both = {.kind = WEND_ORDER_EDIT, .changes = {items, 2}};
    const wend_order first = {.kind = WEND_ORDER_EDIT, .changes = {items, 1}};
    world_error error = {0};
    world_state w = make_world();
    cr_assert(!world_check(&w, &owner, &both, &error));
    cr_assert_eq(error.index, 1);
    cr_assert_str_eq(error.text, "there is no link from 5,5 to 9,9");
    cr_assert_eq(w.edits.count, 0);
    cr_assert(!check(&w, change(WEND_ORDER_UNLINK, a, b, 0)), "the first change does not wait");
    cr_assert(check(&w, first));
    cr_assert(check(&w, change(WEND_ORDER_LINK, b, c, 3)));
    cr_assert(world_do(&w, &owner, &first, &error));
    cr_assert_eq(count_links(&w), 1, "that of the client; the other one waits");
    cr_assert_eq(w.edits.count, 1);
    cr_assert_eq(world_publish(&w, 1), WEND_OK);
    cr_assert_eq(count_links(&w), 2);
    free_world(&w);
}

/* An open batch refuses the publication. */
Test(edits, that_fail_wait_no_more_and_were_not_made) {
    const wend_change_item item = {WEND_ORDER_LINK, {a, b, 7}};
    const wend_order edit = {.kind = WEND_ORDER_EDIT, .changes = {&item, 1}};
    wend_edit *batch;
    world_error error = {0};
    world_state w = make_world();
    cr_assert(check(&w, edit));
    cr_assert(check(&w, change(WEND_ORDER_LINK, b, c, 3)));
    cr_assert_eq(wend_edit_begin(w.map, &batch), WEND_OK);
    cr_assert(!world_do(&w, &owner, &edit, &error));
    wend_edit_discard(batch);
    cr_assert_eq(w.edits.count, 1);
    cr_assert(!check(&w, change(WEND_ORDER_UNLINK, a, b, 0)));
    cr_assert(check(&w, change(WEND_ORDER_UNLINK, b, c, 0)), "what waits still counts");
    free_world(&w);
}

Test(edits, are_refused_for_the_reasons_of_their_kind) {
    world_state w = make_world();
    cr_assert(!check(&w, change(WEND_ORDER_SET, (wend_cell){10, 0, 0}, a, 1)));
    cr_assert(!check(&w, change(WEND_ORDER_FILL, a, (wend_cell){0, 10, 0}, 1)));
    cr_assert(!check(&w, change(WEND_ORDER_STEP, a, (wend_cell){3, 1, 0}, 0)));
    cr_assert(!check(&w, change(WEND_ORDER_STEP, a, a, 0)));
    cr_assert(!check(&w, change(WEND_ORDER_LINK, a, a, 5)));
    cr_assert(check(&w, change(WEND_ORDER_STEP, a, (wend_cell){2, 2, 0}, 0)));
    cr_assert_eq(w.edits.count, 1);
    free_world(&w);
}
