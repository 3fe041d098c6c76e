/* SPDX-License-Identifier: MIT */
/* Head starts. The agent walks along the first half of a prefix, as its end is the likelier to change, and is led from
 * each prefix onto the next one and onto the answer. The cells walked are kept, the start first: as long as it has
 * nothing else to follow, an agent can always go back along them. docs/design/motion.md says why. */
#include "crowd/paths/head_start.h"

#include "crowd/paths/trip.h"
#include "service/look/get_prefix.h"
#include <wend/motion.h>

static wend_cell *walked_cells(const wend_crowd *crowd, uint32_t index) {
    return crowd->walked + (size_t)index * wend__head_cells(&crowd->def);
}

/* The host may have moved it elsewhere. */
static bool is_where_it_walked(const wend_crowd *crowd, uint32_t index) {
    const wend_cell last = walked_cells(crowd, index)[crowd->agents[index].quest.walked - 1];
    return wend__same_cell(last, crowd->travellers[index].at);
}

/* It stands where its search began, or where its head start led it. */
static bool may_set_out(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__quest *quest = &agent->quest;
    const bool plans = quest->purpose == WEND__QUEST_PLAN || quest->purpose == WEND__QUEST_REROUTE ||
                       quest->purpose == WEND__QUEST_AIM;
    if (!quest->ticket.generation || !plans || quest->pinned || agent->trip.trail_count > 0) return false;
    if (quest->walked > 0) return is_where_it_walked(crowd, index);
    return agent->trip.kept.steps == 0 && wend__same_cell(quest->start, crowd->travellers[index].at);
}

/* Replace the path by cells from where the agent is on. */
static bool follow(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count) {
    wend__trip *trip = &crowd->agents[index].trip;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!wend__kept_add(&crowd->keep, &trip->kept, cells[i], cells[i + 1])) return false;
        trip->end = cells[i + 1];
    }
    return true;
}

static void restart(wend_crowd *crowd, uint32_t index, uint8_t ends) {
    wend__trip_clear(crowd, index);
    crowd->agents[index].trip.ends = ends;
    crowd->agents[index].trip.serial = wend__map_serial(crowd->def.map);
    crowd->agents[index].trip.verified = 0;
}

/* How many of the cells can be walked before the way walked is as long as it may be. They begin with its last one. */
static size_t cells_within(const wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count) {
    const wend_cell *walked = walked_cells(crowd, index);
    size_t kept = crowd->agents[index].quest.walked, i = 1;
    while (i < count && kept > 1 && wend__same_cell(walked[kept - 2], cells[i])) kept--, i++;
    const size_t most = crowd->def.head_start + 1, room = kept < most ? most - kept : 0;
    return count - i < room ? count : i + room;
}

void wend__head_start(wend_crowd *crowd, uint32_t index) {
    if (crowd->def.head_start == 0 || !may_set_out(crowd, index)) return;
    wend__quest *quest = &crowd->agents[index].quest;
    wend_cell *walked = walked_cells(crowd, index), *prefix = crowd->prefix;
    const size_t most = crowd->def.head_start + 1;
    wend_prefix answer = {.struct_bytes = sizeof answer};
    if (wend__service_prefix(crowd->def.service, quest->ticket, &quest->spent, prefix, most, &answer)) return;
    const size_t half = answer.cell_count / 2 + 1, count = half < most ? half : most;
    if (quest->walked == 0) walked[quest->walked++] = crowd->travellers[index].at;
    size_t cells;
    if (wend_path_join(crowd->def.map, crowd->travellers[index].mover, walked, quest->walked, prefix, count,
                       crowd->joined, (size_t)wend__head_room(&crowd->def), &cells))
        return;
    if (quest->walked == 1 && crowd->agents[index].trip.kept.steps == 0 && cells > 1) crowd->counts.head_starts++;
    restart(crowd, index, WEND__ENDS_NOWHERE);
    (void)follow(crowd, index, crowd->joined, cells_within(crowd, index, crowd->joined, cells));
}

void wend__head_went(wend_crowd *crowd, uint32_t index) {
    wend__quest *quest = &crowd->agents[index].quest;
    if (quest->walked == 0) return;
    wend_cell *walked = walked_cells(crowd, index), at = crowd->travellers[index].at;
    for (uint32_t i = 0; i < quest->walked; i++)
        if (wend__same_cell(walked[i], at)) { /* the way round is of no use */
            quest->walked = i + 1;
            return;
        }
    if (quest->walked < wend__head_cells(&crowd->def))
        walked[quest->walked++] = at;
    else
        quest->walked = 0; /* pushed too far: the answer will be searched for again */
}

/* Only so many cells of the answer can be nearer than the way back: the rest of it follows as it is. */
bool wend__head_join(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends) {
    const wend__quest *quest = &crowd->agents[index].quest;
    const size_t most = crowd->def.head_start + 1, looked_at = count < most ? count : most;
    if (quest->walked == 0 || !is_where_it_walked(crowd, index)) return false;
    size_t joined;
    if (wend_path_join(crowd->def.map, crowd->travellers[index].mover, walked_cells(crowd, index), quest->walked, cells,
                       looked_at, crowd->joined, (size_t)wend__head_room(&crowd->def), &joined))
        return false;
    restart(crowd, index, ends);
    if (!follow(crowd, index, crowd->joined, joined) ||
        !follow(crowd, index, cells + looked_at - 1, count - looked_at + 1))
        crowd->agents[index].trip.ends = WEND__ENDS_SHORT;
    return true;
}
