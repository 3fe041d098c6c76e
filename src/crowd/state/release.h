/* SPDX-License-Identifier: MIT */
/* Internal: the end of a crowd. */
#ifndef WEND_SRC_CROWD_STATE_RELEASE_H
#define WEND_SRC_CROWD_STATE_RELEASE_H

#include "crowd/state/crowd_state.h"

/// Free a crowd that no pending search knows any more.
void wend__crowd_free(wend_crowd *crowd);

#endif
