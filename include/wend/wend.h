/* SPDX-License-Identifier: MIT */
/* wend: paths for many agents inside a game server's frame budget.
 *
 * This header takes in what most hosts need, in the order in which to read it: errors, cells and points; maps and their
 * edits; questions about a map; jump tables and landmarks; one search; the service; crowds; maps in files. Include what
 * else you need:
 *
 *   field.h      flow fields, for many units with one goal
 *   motion.h     walking a path without a crowd
 *   journey.h    walking a far route leg by leg
 *   geometry.h   turns, straight lines and curves of a path; cells in world coordinates
 *   watch.h      paths that the host keeps: which of them an edit has broken
 *   tuning.h     settings of a service that few hosts change
 *   figures.h    records and histograms of a service, its queue, lanes and searches: for tools
 *   record.h     recordings that play back byte for byte
 *   uv.h         a service on a libuv loop (libwend-uv)
 *   extra.h      pictures, and maps of the editor Tiled (libwend-extra)
 *   order.h      what can be said to a world, as typed structs: for hosts of live.h
 *   live.h       a world's page and messages (libwend-extra)
 *
 * How much was done: wend_frame counts one frame, wend_stats a service since its creation, wend_crowd_stats a crowd;
 * wend_figures has times and distributions. */
#ifndef WEND_WEND_H
#define WEND_WEND_H

#include <wend/base.h>
#include <wend/map.h>
#include <wend/edit.h>
#include <wend/query.h>
#include <wend/acceleration.h>
#include <wend/search.h>
#include <wend/service.h>
#include <wend/crowd.h>
#include <wend/io.h>

#endif
