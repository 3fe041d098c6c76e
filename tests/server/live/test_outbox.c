/* SPDX-License-Identifier: MIT */
/* Messages that wait to be sent keep their order and bytes, framed and as lines. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/net/outbox.h"
#include "models/owned.h"

Test(outbox, gives_framed_messages_back_in_order) {
    OWNED(live_outbox_free) live_outbox outbox = {0};
    live_framed first;
    char text[3000];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 200; i++) {
            memset(text, 'a' + i % 26, sizeof text);
            cr_assert(live_outbox_put(&outbox, text, (size_t)i * 13, i % 2));
            if (i % 3 == 0) {
                cr_assert(live_outbox_first(&outbox, &first));
                live_outbox_pop(&outbox);
            }
        }
        for (int i = 67; i < 200; i++) {
            cr_assert(live_outbox_first(&outbox, &first));
            cr_assert_eq(first.count, (size_t)i * 13);
            cr_assert_eq(first.binary, i % 2);
            if (i > 0) cr_assert_eq(first.bytes[first.count - 1], 'a' + i % 26);
            memset(first.bytes - 16, 0xff, 16); /* as libwebsockets does */
            live_outbox_pop(&outbox);
        }
        cr_assert_not(live_outbox_first(&outbox, &first));
        cr_assert_eq(live_outbox_waiting(&outbox), 0);
        cr_assert_eq(outbox.put, outbox.sent);
    }
}

Test(outbox, keeps_lines_as_one_piece) {
    OWNED(live_outbox_free) live_outbox outbox = {.lines = true};
    cr_assert(live_outbox_put(&outbox, "{\"a\":1}", 7, false) && live_outbox_put(&outbox, "{}", 2, false));
    cr_assert_eq(live_outbox_waiting(&outbox), 11);
    cr_assert_arr_eq(outbox.bytes + outbox.head, "{\"a\":1}\n{}\n", 11);
    live_outbox_sent(&outbox, 8);
    cr_assert_arr_eq(outbox.bytes + outbox.head, "{}\n", 3);
    live_outbox_sent(&outbox, 3);
    cr_assert_eq(live_outbox_waiting(&outbox), 0);
    cr_assert_eq(outbox.sent, 11);
}

Test(outbox, lets_go_of_large_buffers) {
    static char large[100000];
    OWNED(live_outbox_free) live_outbox outbox = {0};
    cr_assert(live_outbox_put(&outbox, large, sizeof large, false));
    live_outbox_pop(&outbox);
    cr_assert_eq(outbox.capacity, 0);
}

/* A reader that is slow all the time: moving its queue for each message would be 400 GB of copies. */
Test(outbox, moves_a_long_queue_seldom) {
    enum { WAITING = 40000, MESSAGES = 100000 };
    static const char words[100];
    OWNED(live_outbox_free) live_outbox outbox = {0};
    for (int i = 0; i < WAITING; i++) cr_assert(live_outbox_put(&outbox, words, sizeof words, false));
    for (int i = 0; i < MESSAGES; i++) {
        live_outbox_pop(&outbox);
        cr_assert(live_outbox_put(&outbox, words, sizeof words, false));
        cr_assert_leq(outbox.capacity, 4 * live_outbox_waiting(&outbox));
    }
}
