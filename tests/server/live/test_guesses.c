/* SPDX-License-Identifier: MIT */
/* Wrong tokens: a limit in the first minute, then one for each part of a minute. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/net/guesses.h"

enum { MINUTE_MS = 60000 };

static uint64_t taken(live_guesses *guesses, uint32_t counter, uint64_t most, uint64_t now_ms) {
    uint64_t count = 0;
    while (live_guess_allowed(guesses, counter, most, now_ms)) live_guess_wrong(guesses, counter), count++;
    return count;
}

Test(guesses, are_so_many_in_a_minute) {
    const uint64_t limits[] = {1, 2, 7, 30, 60, 9999};
    live_guesses *guesses = calloc(1, sizeof *guesses);
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const uint64_t most = limits[i], begin = 1000003 * (uint64_t)i;
        cr_expect_eq(taken(guesses, i, most, begin), most);
        cr_expect_eq(taken(guesses, i, most, begin), 0);
        cr_expect_eq(taken(guesses, i, most, begin + MINUTE_MS), most, "all are forgotten");
        cr_expect_eq(taken(guesses, i, most, begin + MINUTE_MS + MINUTE_MS / 2), most / 2);
        uint64_t later = 0;
        const uint64_t end = begin + 13 * MINUTE_MS;
        for (uint64_t at = begin + 3 * MINUTE_MS; at < end; at += 100) later += taken(guesses, i, most, at);
        cr_expect_leq(later, 11 * most, "%lu", (unsigned long)most);
        cr_expect_geq(later, 11 * most - most / 100 - 1, "%lu", (unsigned long)most);
        taken(guesses, i, most, end);
        cr_expect_eq(taken(guesses, i, most, begin), 0, "a clock that goes back forgets none");
    }
    free(guesses);
}

static uint32_t counter_of(const char *address) {
    struct sockaddr_in to = {.sin_family = AF_INET}, from = to;
    socklen_t length = sizeof to;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    inet_pton(AF_INET, address, &from.sin_addr);
    cr_assert_eq(bind(listener, (const struct sockaddr *)&to, sizeof to), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&to, &length), 0);
    cr_assert_eq(bind(client, (const struct sockaddr *)&from, sizeof from), 0);
    cr_assert_eq(connect(client, (const struct sockaddr *)&to, sizeof to), 0);
    const int server = accept(listener, NULL, NULL);
    const uint32_t counter = live_guess_counter(server);
    close(server), close(client), close(listener);
    cr_assert_lt(counter, LIVE_GUESS_COUNTERS);
    return counter;
}

Test(guesses, are_counted_by_address) {
    int pair[2];
    cr_expect_eq(counter_of("127.0.0.1"), counter_of("127.0.0.1"));
    cr_expect_neq(counter_of("127.0.0.1"), counter_of("127.0.0.2"));
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    cr_expect_eq(live_guess_counter(pair[0]), live_guess_counter(pair[1]));
    cr_expect_eq(live_guess_counter(-1), 0);
}
