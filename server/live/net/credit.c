/* SPDX-License-Identifier: MIT */
/* Credit of a client: a bucket that time fills. */
#include "live/net/credit.h"

void live_credit_renew(live_credit *credit, uint64_t work, uint64_t now_ms) {
    enum { SECOND_MS = 1000, FOR_EVER_MS = 1 << 20 };
    const int64_t most = (int64_t)(work * LIVE_CREDIT_MS / SECOND_MS);
    uint64_t passed = now_ms + 1 - credit->renewed_ms;
    if (credit->renewed_ms == 0) credit->left = most;
    if (credit->renewed_ms == 0 || now_ms + 1 <= credit->renewed_ms) passed = 0;
    if (passed > FOR_EVER_MS) passed = FOR_EVER_MS;
    credit->left += (int64_t)(work * passed / SECOND_MS);
    if (credit->left > most) credit->left = most;
    credit->renewed_ms = now_ms + 1;
}

bool live_credit_spend(live_credit *credit, uint64_t work, uint64_t now_ms, uint64_t spent) {
    enum { MOST_SECONDS = 4 }; /* most seconds of debt for one message */
    live_credit_renew(credit, work, now_ms);
    credit->left -= (int64_t)(spent < MOST_SECONDS * work ? spent : MOST_SECONDS * work);
    return credit->left >= 0;
}
