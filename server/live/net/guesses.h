/* SPDX-License-Identifier: MIT */
/* Wrong tokens, counted by the address that they come from. */
#ifndef WEND_SERVER_LIVE_NET_GUESSES_H
#define WEND_SERVER_LIVE_NET_GUESSES_H

#include <stdbool.h>
#include <stdint.h>

/// Number of counters, shared by all addresses, each of which time empties.
enum { LIVE_GUESS_COUNTERS = 1024 };
typedef struct live_guesses {
    struct live_guess_counter {
        uint64_t looked_ms, filled;
    } counters[LIVE_GUESS_COUNTERS];
} live_guesses;

/// Returns the counter of a socket's peer: by its IPv4 address, or the first 64 bits of its IPv6 address; Unix
/// sockets have one.
uint32_t live_guess_counter(int socket);
/// Returns whether another token may be checked.
/// @param most   wrong tokens in a minute
bool live_guess_allowed(live_guesses *guesses, uint32_t counter, uint64_t most, uint64_t now_ms);
/// Counts an allowed token that was wrong.
void live_guess_wrong(live_guesses *guesses, uint32_t counter);

#endif
