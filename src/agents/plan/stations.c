/* SPDX-License-Identifier: MIT */
/* The places of the members of a formation, and which of these are taken. */
#include "agents/plan/stations.h"

#include "map/version/occupancy.h"

void wend__formation_turn(wend__formation *formation, int64_t x, int64_t y) {
    const int64_t wide = x < 0 ? -x : x, high = y < 0 ? -y : y;
    if (wide == 0 && high == 0) return;
    formation->dx = 2 * wide > high ? x < 0 ? -1 : 1 : 0; /* the border is at 27 degrees, not 22.5 */
    formation->dy = 2 * high > wide ? y < 0 ? -1 : 1 : 0;
}

/// A place of a formation: rows behind the first, and files to the right of the middle.
typedef struct station {
    int32_t row, file;
} station;

/* 0, 1, -1, 2, -2, … */
static int32_t to_both_sides(uint32_t i) {
    return i % 2 ? (int32_t)(i + 1) / 2 : -(int32_t)(i / 2);
}

static station station_of(const wend__formation *formation, uint32_t i) {
    uint32_t wide = 1;
    switch (formation->as) {
    case WEND_AS_LINE: return (station){0, to_both_sides(i)};
    case WEND_AS_COLUMN: return (station){(int32_t)i, 0};
    case WEND_AS_WEDGE: return (station){(int32_t)(i + 1) / 2, to_both_sides(i)};
    default:
        while (wide * wide < formation->members) wide++;
        return (station){(int32_t)(i / wide), to_both_sides(i % wide)};
    }
}

wend_cell wend__formation_cell(const wend__formation *formation, wend_cell front, uint32_t number) {
    const station s = station_of(formation, number);
    const int32_t dx = formation->dx, dy = formation->dy;
    return (wend_cell){front.x - formation->apart * (s.row * dx + s.file * dy),
                       front.y - formation->apart * (s.row * dy - s.file * dx), front.z};
}

bool wend__member_place_taken(void *context, wend_cell cell) {
    const wend__member_place *place = context;
    const wend_crowd *crowd = place->crowd;
    for (int32_t z = cell.z; z < cell.z + place->layers; z++)
        for (int32_t y = cell.y; y < cell.y + place->size; y++)
            for (int32_t x = cell.x; x < cell.x + place->size; x++) {
                int32_t holder;
                if (wend__traffic_is_reserved(crowd->traffic, (wend_cell){x, y, z}, &holder)) return true;
                if (holder >= 0 && crowd->agents[holder].group_order == crowd->group.order_number) continue;
                if (holder >= 0 || wend__map_occupants(crowd->def.map, (wend_cell){x, y, z}) > 0) return true;
            }
    return false;
}
