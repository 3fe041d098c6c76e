/* SPDX-License-Identifier: MIT */
/* Changes of a world's map: what is refused, what waits, and what is forgotten. */
#include <criterion/criterion.h>

#include "world/host.h"

static const host_client owner = {.owner = true};
static const wend_cell a = {1, 1, 0}, b = {5, 5, 0}, c = {9, 9, 0};

static host make_host(void) {
    wend_map_def def;
    host h = {.kind = WEND_KIND_GRID};
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = 10;
    cr_assert_eq(wend_map_create(&def, &h.map), WEND_OK);
    return h;
}

static void free_host(host *h) {
    host_edits_free(&h->edits);
    wend_map_release(h->map);
}

static wend_order change(int32_t kind, wend_cell from, wend_cell to, int32_t value) {
    return (wend_order){.kind = kind, .change = {from, to, value}};
}

static bool check(host *h, wend_order order) {
    host_error error = {0};
    const bool good = host_check(h, &owner, &order, &error);
    cr_assert_eq(good, error.refusal == HOST_TAKEN, "%s", error.text);
    return good;
}

static size_t count_links(const host *h) {
    size_t count = 0;
    wend_map_get_links(h->map, NULL, 0, &count);
    return count;
}

Test(edits, are_judged_with_those_that_wait) {
    const wend_order link = change(WEND_ORDER_LINK, a, b, 7), unlink = change(WEND_ORDER_UNLINK, a, b, 0);
    host h = make_host();
    cr_assert(!check(&h, unlink));
    cr_assert(check(&h, link));
    cr_assert(check(&h, unlink));
    cr_assert(!check(&h, unlink));
    host_forget(&h, &unlink);
    cr_assert(check(&h, unlink));
    host_forget(&h, &unlink);
    host_forget(&h, &link);
    cr_assert(!check(&h, unlink), "the link was forgotten");
    cr_assert_eq(h.edits.count, 0);
    free_host(&h);
}

Test(edits, of_a_client_wait_all_or_not_at_all) {
    const wend_change_item items[] = {{WEND_ORDER_LINK, {a, b, 7}}, {WEND_ORDER_UNLINK, {b, c, 0}}};
    const wend_order both = {.kind = WEND_ORDER_EDIT, .changes = {items, 2}};
    const wend_order first = {.kind = WEND_ORDER_EDIT, .changes = {items, 1}};
    host_error error = {0};
    host h = make_host();
    cr_assert(!host_check(&h, &owner, &both, &error));
    cr_assert_eq(error.index, 1);
    cr_assert_str_eq(error.text, "there is no link from 5,5 to 9,9");
    cr_assert_eq(h.edits.count, 0);
    cr_assert(!check(&h, change(WEND_ORDER_UNLINK, a, b, 0)), "the first change does not wait");
    cr_assert(check(&h, first));
    cr_assert(check(&h, change(WEND_ORDER_LINK, b, c, 3)));
    cr_assert(host_do(&h, &owner, &first, &error));
    cr_assert_eq(count_links(&h), 1, "that of the client; the other one waits");
    cr_assert_eq(h.edits.count, 1);
    cr_assert_eq(host_publish(&h, 1), WEND_OK);
    cr_assert_eq(count_links(&h), 2);
    free_host(&h);
}

/* An open batch refuses the publication. */
Test(edits, that_fail_wait_no_more_and_were_not_made) {
    const wend_change_item item = {WEND_ORDER_LINK, {a, b, 7}};
    const wend_order edit = {.kind = WEND_ORDER_EDIT, .changes = {&item, 1}};
    wend_edit *batch;
    host_error error = {0};
    host h = make_host();
    cr_assert(check(&h, edit));
    cr_assert(check(&h, change(WEND_ORDER_LINK, b, c, 3)));
    cr_assert_eq(wend_edit_begin(h.map, &batch), WEND_OK);
    cr_assert(!host_do(&h, &owner, &edit, &error));
    wend_edit_discard(batch);
    cr_assert_eq(h.edits.count, 1);
    cr_assert(!check(&h, change(WEND_ORDER_UNLINK, a, b, 0)));
    cr_assert(check(&h, change(WEND_ORDER_UNLINK, b, c, 0)), "what waits still counts");
    free_host(&h);
}

Test(edits, are_refused_for_the_reasons_of_their_kind) {
    host h = make_host();
    cr_assert(!check(&h, change(WEND_ORDER_SET, (wend_cell){10, 0, 0}, a, 1)));
    cr_assert(!check(&h, change(WEND_ORDER_FILL, a, (wend_cell){0, 10, 0}, 1)));
    cr_assert(!check(&h, change(WEND_ORDER_STEP, a, (wend_cell){3, 1, 0}, 0)));
    cr_assert(!check(&h, change(WEND_ORDER_STEP, a, a, 0)));
    cr_assert(!check(&h, change(WEND_ORDER_LINK, a, a, 5)));
    cr_assert(check(&h, change(WEND_ORDER_STEP, a, (wend_cell){2, 2, 0}, 0)));
    cr_assert_eq(h.edits.count, 1);
    free_host(&h);
}
