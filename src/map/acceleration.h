/* SPDX-License-Identifier: MIT */
/* Internal: the parts of acceleration, one by one, for tests of each. */
#ifndef WEND_SRC_MAP_ACCELERATION_H
#define WEND_SRC_MAP_ACCELERATION_H

#include "map/landmarks/landmark_tables.h"
#include "map/stops/stop_tables.h"

#endif
