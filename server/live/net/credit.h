/* SPDX-License-Identifier: MIT */
/* Credit bounds the cost of a client's messages in a second, so that one client cannot have all of the loop's time. */
#ifndef WEND_SERVER_LIVE_NET_CREDIT_H
#define WEND_SERVER_LIVE_NET_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

/// Credit comes with time and is spent by messages. A message is taken as long as there is some, whatever it costs; so
/// one message may leave a debt, which the time after it pays.
typedef struct live_credit {
    int64_t left;
    uint64_t renewed_ms; ///< on the loop's clock, + 1; 0: never
} live_credit;

/// Credit is saved up for so long, at most: about a frame.
enum { LIVE_CREDIT_MS = 50 };

/// Add what has come since the last time.
/// @param work   that comes in a second; at most 2^40
void live_credit_renew(live_credit *credit, uint64_t work, uint64_t now_ms);
/// Spend some. @return false: none is left
bool live_credit_spend(live_credit *credit, uint64_t work, uint64_t now_ms, uint64_t spent);

#endif
