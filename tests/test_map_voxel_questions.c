/* SPDX-License-Identifier: MIT */
/* Voxel maps: line of sight, and the nearest open cell. */
#include "voxel_model.h"

#include <criterion/criterion.h>
#include <stdlib.h>
