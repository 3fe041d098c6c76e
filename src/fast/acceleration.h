/* SPDX-License-Identifier: MIT */
/* Internal: the parts of acceleration, one by one, for tests of each. */
#ifndef WEND_SRC_FAST_ACCELERATION_H
#define WEND_SRC_FAST_ACCELERATION_H

#include "fast/landmarks/landmark_tables.h"
#include "fast/stops/stop_tables.h"

#endif
