/* SPDX-License-Identifier: MIT */
/* Credit bounds the cost of a client's messages in a second, so that one client cannot have all of the loop's time. */
#ifndef WEND_SERVER_LIVE_NET_CREDIT_H
#define WEND_SERVER_LIVE_NET_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

/// Credit grows with time and is spent by messages. A message is taken while there is some, whatever the cost; so
/// one message may leave a debt, which later credit pays.
typedef struct live_credit {
    int64_t left;
    uint64_t renewed_ms; ///< on the loop's clock, + 1; 0: never
} live_credit;

/// Time for which credit is saved up at most: about a frame.
enum { LIVE_CREDIT_MS = 50 };

/// Adds the credit since the last time.
/// @param work   credit for a second; at most 2^40
void live_credit_renew(live_credit *credit, uint64_t work, uint64_t now_ms);
/// Spends some. @return false: none is left
bool live_credit_spend(live_credit *credit, uint64_t work, uint64_t now_ms, uint64_t spent);

#endif
