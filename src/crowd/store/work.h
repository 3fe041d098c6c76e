/* SPDX-License-Identifier: MIT */
/* Internal: the pieces of work that an update has for what can wait. They bound how long it takes, and are counted, not
 * timed, so that the same calls give the same positions on any machine. */
#ifndef WEND_SRC_CROWD_STORE_WORK_H
#define WEND_SRC_CROWD_STORE_WORK_H

#include "base/base.h"

/// Costs in pieces of some 20 ns.
enum { WEND__WORK_CHECK = 4, WEND__WORK_SEARCH = 32 };

typedef struct wend__work {
    uint32_t left;   ///< pieces
    uint32_t kept;   ///< of those, for the urgent
    uint32_t waited; ///< how often none was left
} wend__work;

static inline wend__work wend__work_of(uint32_t pieces) {
    return (wend__work){pieces, pieces / 8, 0};
}

static inline void wend__work_spend(wend__work *work, uint32_t pieces) {
    work->left -= work->left < pieces ? work->left : pieces;
}

/// Begin something that costs so many pieces; it may cost more than are left. False: none is left, and it waits.
static inline bool wend__work_begin(wend__work *work, bool urgent, uint32_t pieces) {
    if (work->left <= (urgent ? 0 : work->kept)) {
        work->waited++;
        return false;
    }
    wend__work_spend(work, pieces);
    return true;
}

#endif
