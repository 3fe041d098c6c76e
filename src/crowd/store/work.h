/* SPDX-License-Identifier: MIT */
/* Internal: the work that an update may spend on what can wait. It is counted, not timed, so that the same calls
 * give the same positions on any machine. */
#ifndef WEND_SRC_CROWD_STORE_WORK_H
#define WEND_SRC_CROWD_STORE_WORK_H

#include "base/base.h"

/// Costs in units of about 20 ns.
enum { WEND__WORK_CHECK = 4, WEND__WORK_SEARCH = 32 };

typedef struct wend__work {
    uint32_t left;   ///< units
    uint32_t kept;   ///< of those, for urgent agents only
    uint32_t waited; ///< how often none was left
} wend__work;

static inline wend__work wend__work_of(uint32_t pieces) {
    return (wend__work){pieces, pieces / 8, 0};
}

static inline void wend__work_spend(wend__work *work, uint32_t pieces) {
    work->left -= work->left < pieces ? work->left : pieces;
}

/// Begins work of `pieces` units; it may cost more than are left. Returns false if none is left.
static inline bool wend__work_begin(wend__work *work, bool urgent, uint32_t pieces) {
    if (work->left <= (urgent ? 0 : work->kept)) {
        work->waited++;
        return false;
    }
    wend__work_spend(work, pieces);
    return true;
}

#endif
