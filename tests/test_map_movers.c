/* SPDX-License-Identifier: MIT */
/* Movers. */
#include <wend/map.h>
