/* SPDX-License-Identifier: MIT */
/* wend: paths for many agents inside a game server's frame budget. Takes in all but uv.h, live.h and extra.h. */
#ifndef WEND_WEND_H
#define WEND_WEND_H

#include <wend/acceleration.h>
#include <wend/base.h>
#include <wend/crowd.h>
#include <wend/edit.h>
#include <wend/field.h>
#include <wend/figures.h>
#include <wend/io.h>
#include <wend/map.h>
#include <wend/motion.h>
#include <wend/query.h>
#include <wend/record.h>
#include <wend/search.h>
#include <wend/service.h>
#include <wend/watch.h>

#endif
