/* SPDX-License-Identifier: MIT */
/* Events of links: which step is a leap, and which leap an agent's path leads to next. */
#include "crowd/agents/agents.h"
#include "crowd/paths/path.h"
#include "crowd/state/crowd_state.h"
#include "map/query/step_cost.h"

void wend__link_tell_begun(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                           wend_cell to) {
    if (wend__step_is_leap(version, crowd->in_traffic[index].mover, from, to))
        wend__events_add_link(crowd, index, from, to, 0);
}

/* Where an agent is off its path, what follows is its way back. */
void wend__link_tell_ahead(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__agent_path *path = &crowd->agents[index].path;
    const bool on_path = path->recent_count == 0 && wend__same_cell(path->base, in_traffic->at);
    if (in_traffic->steered || !on_path || path->stored.steps == 0) return;
    const wend_cell next = wend__path_next(crowd, index);
    if (wend__step_is_leap(version, in_traffic->mover, in_traffic->at, next))
        wend__events_add_link(crowd, index, in_traffic->at, next, 1);
}
