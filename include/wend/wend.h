/* SPDX-License-Identifier: MIT */
/* wend: paths for many agents inside a game server's frame budget. The host is that server: the program that links this
 * library.
 *
 * This header takes in what a first server needs, in the order in which to read it: base.h, map.h, edit.h,
 * acceleration.h, io.h, request.h, service.h, crowd.h. These are its functions:
 *
 *   errors       wend_error_detail(), _text(), _name(); wend_status_name(), wend_constant_name(), wend_version()
 *   a map        wend_map_load(), _parse(), _save(); wend_map_def_init(), wend_map_rules_init(), wend_map_create(),
 *                _retain(), _release(), _get_info(), _get_terrain(), _get_terrain_box()
 *   faster       wend_acceleration_init(), wend_map_accelerate(), wend_map_maintain()
 *   edits        wend_edit_begin(), _set_cell(), _fill_box(), _set_box(), _publish(), _discard(); wend_map_set_cell()
 *   a request    wend_request_init(), wend_find_path()
 *   a service    wend_service_def_preset(), _def_init(), _bytes(), _create(), _submit(), _cancel(), _set_urgency(),
 *                _get_stats(), _get_pending(), _destroy()
 *   frames       wend_budget_init(), wend_service_tick()
 *   a crowd      wend_crowd_def_preset(), _def_init(), _bytes(), _create(), _update(), _poll(), _get_view(),
 *                _get_stats(), _destroy()
 *   its agents   wend_agent_def_init(), wend_crowd_goal_init(), wend_crowd_add(), _go(), _halt(), _remove(),
 *                _get_agent()
 *
 * Include what else you need, by the question:
 *
 *   query.h           is there a way, a line of sight, an open cell? What does a path cost? Does a wall disconnect?
 *   movers.h          who may go where?
 *   units.h           which cells are taken now?
 *   ways.h            which links lead on, which steps are closed?
 *   layers.h          where is it dangerous, and who minds?
 *   graph.h           how is a map of nodes and edges made?
 *   versions.h        what has changed since? What are the rules, and how do they change? How is a map forked?
 *   stream.h          what is loaded?
 *   formats.h         which format do these bytes have, and how are they written anywhere?
 *   search_options.h  how is a request searched?
 *   explain.h         which engine answers a request, and why?
 *   search.h          how is one search run without a service?
 *   control.h         how are many requests changed, and goals moved? What waits, and for how long?
 *   service_tuning.h  which settings of a service do few hosts change?
 *   figures.h         how long did frames, slices and requests take?
 *   record.h          how is all of it played back, byte for byte?
 *   save.h            how is all of it saved, and brought back?
 *   mark.h            how does it go back to an earlier frame, exactly?
 *   host.h            how does a host use its own memory, clock and assertion handler?
 *   routes.h          which agents patrol?
 *   agents.h          how does a host move or change an agent? Where does it go?
 *   boxes.h           is a place free of agents, and how do they leave it?
 *   body.h            which agents are discs, and move in continuous space?
 *   crowd_tuning.h    which settings of a crowd do few hosts change? How long may an update take?
 *   field.h           how do many units share one goal?
 *   geometry.h        which straight lines and curves follow a path?
 *   order.h           what can be said to a world? For hosts of live.h
 *   live.h            how is a world shown on a page? (libwend-live)
 *   uv.h              how does a service run on a libuv loop? (libwend-uv)
 *   ground.h          how does a level of triangles become a map? (libwend-ground)
 *   extra.h           how are pictures written, and maps of the editor Tiled read? (libwend-extra)
 *
 * How much was done: wend_frame counts one frame, wend_stats a service since its creation, wend_crowd_stats a crowd. */
#ifndef WEND_WEND_H
#define WEND_WEND_H

#include <wend/base.h>
#include <wend/map.h>
#include <wend/edit.h>
#include <wend/acceleration.h>
#include <wend/io.h>
#include <wend/request.h>
#include <wend/service.h>
#include <wend/crowd.h>

#endif
