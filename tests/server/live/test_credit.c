/* SPDX-License-Identifier: MIT */
/* Credit for a client's messages: it grows with time, and a debt is paid before the next message. */
#include <criterion/criterion.h>

#include "live/net/credit.h"

enum { WORK = 100000, SECOND_MS = 1000 };

/* Messages of one cost that are taken in a second, each as soon as there is credit. */
static uint64_t messages_of(uint64_t cost, uint64_t begin_ms, uint64_t *longest_ms) {
    live_credit credit = {0};
    uint64_t taken = 0, waited = 0;
    *longest_ms = 0;
    for (uint64_t now = begin_ms; now < begin_ms + SECOND_MS; now++) {
        live_credit_renew(&credit, WORK, now);
        while (credit.left >= 0) {
            taken++;
            waited = 0;
            live_credit_spend(&credit, WORK, now, cost);
        }
        if (++waited > *longest_ms) *longest_ms = waited;
    }
    return taken;
}

Test(credit, bounds_what_is_taken_in_a_second) {
    const uint64_t costs[] = {1, 10, 99, 1000, 5000, 30000};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        uint64_t longest;
        const uint64_t taken = messages_of(costs[i], i * 1000003, &longest);
        const uint64_t saved = WORK * LIVE_CREDIT_MS / SECOND_MS;
        cr_expect_leq(taken * costs[i], WORK + saved + 2 * costs[i], "%lu", (unsigned long)costs[i]);
        cr_expect_geq(taken * costs[i], WORK * 9 / 10, "%lu", (unsigned long)costs[i]);
        cr_expect_leq(longest, costs[i] * SECOND_MS / WORK + 2, "%lu", (unsigned long)costs[i]);
    }
}

Test(credit, is_saved_up_for_a_while_only) {
    live_credit credit = {0};
    live_credit_renew(&credit, WORK, 0);
    const int64_t most = credit.left;
    cr_assert_eq(most, WORK * LIVE_CREDIT_MS / SECOND_MS);
    live_credit_renew(&credit, WORK, UINT64_C(1) << 60);
    cr_assert_eq(credit.left, most);
    cr_assert(live_credit_spend(&credit, WORK, UINT64_C(1) << 60, (uint64_t)most));
    cr_assert_not(live_credit_spend(&credit, WORK, UINT64_C(1) << 60, 1));
}

Test(credit, forgives_a_debt_of_more_than_four_seconds) {
    live_credit credit = {0};
    cr_assert_not(live_credit_spend(&credit, WORK, 7, UINT64_MAX));
    live_credit_renew(&credit, WORK, 7 + 4 * SECOND_MS - LIVE_CREDIT_MS - 1);
    cr_assert_lt(credit.left, 0);
    live_credit_renew(&credit, WORK, 7 + 4 * SECOND_MS);
    cr_assert_geq(credit.left, 0);
    live_credit_renew(&credit, WORK, 3); /* a clock that goes back gives nothing, and takes nothing */
    cr_assert_geq(credit.left, 0);
}
