/* SPDX-License-Identifier: MIT */
/* Features of a map besides its terrain. */
#ifndef WEND_SRC_LIVE_ANSWER_FEATURES_H
#define WEND_SRC_LIVE_ANSWER_FEATURES_H

#include "live/state/live_state.h"

/// Write links, closed steps and units; of a graph also its nodes and edges. Each list has at most `answer_cells`.
/// @return false: it was refused
bool live_put_features(live_client *client, live_text *text);

#endif
