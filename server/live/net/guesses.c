/* SPDX-License-Identifier: MIT */
/* Wrong tokens, counted by the address that they come from. */
#define _GNU_SOURCE

#include "live/net/guesses.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

uint32_t live_guess_counter(int socket) {
    struct sockaddr_storage peer = {0};
    socklen_t length = sizeof peer;
    uint64_t key = 0;
    if (getpeername(socket, (struct sockaddr *)&peer, &length) != 0) return 0;
    if (peer.ss_family == AF_INET) {
        key = ((const struct sockaddr_in *)(const void *)&peer)->sin_addr.s_addr;
    } else if (peer.ss_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)&peer)->sin6_addr;
        memcpy(&key, IN6_IS_ADDR_V4MAPPED(six) ? six->s6_addr + 8 : six->s6_addr, sizeof key);
    }
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(key >> 32) % LIVE_GUESS_COUNTERS;
}

/* A leaky bucket: a wrong token fills it by MINUTE_MS, each millisecond takes `most` away. */
enum { MINUTE_MS = 60000 };

bool live_guess_allowed(live_guesses *guesses, uint32_t counter, uint64_t most, uint64_t now_ms) {
    struct live_guess_counter *c = &guesses->counters[counter];
    const uint64_t passed = now_ms > c->looked_ms ? now_ms - c->looked_ms : 0;
    const uint64_t gone = (passed < MINUTE_MS ? passed : MINUTE_MS) * most;
    c->filled = c->filled > gone ? c->filled - gone : 0;
    c->looked_ms += passed;
    return c->filled + MINUTE_MS <= most * MINUTE_MS;
}

void live_guess_wrong(live_guesses *guesses, uint32_t counter) {
    guesses->counters[counter].filled += MINUTE_MS;
}
