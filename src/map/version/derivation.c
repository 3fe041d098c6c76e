/* SPDX-License-Identifier: MIT */
/* Loops over the table of derived data. */
#include "map/version/derivation.h"

static bool is_among(const wend__derivation *row, wend__rows rows) {
    return rows == WEND__ROWS_ALL || row->in_views == (rows == WEND__ROWS_IN_VIEWS);
}

void wend__derivations_share(wend__version *version, const wend__version *from, wend__rows rows) {
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (is_among(row, rows) && row->share) row->share(version, from);
}

void wend__derivations_drop(wend__version *version) {
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (row->drop) row->drop(version);
}

wend_error wend__derivations_create(wend__version *version) {
    wend_error error = WEND_OK;
    for (const wend__derivation *row = wend__derivations; row->name && !error; row++)
        if (row->create) error = row->create(version);
    return error;
}

wend_error wend__derivations_rebuild(wend_edit *edit, uint32_t changes, wend__rows rows) {
    wend_error error = WEND_OK;
    for (const wend__derivation *row = wend__derivations; row->name && !error; row++)
        if (row->rebuild && (is_among(row, rows) || (rows == WEND__ROWS_IN_VIEWS && row->rebuilt_in_views)))
            error = row->rebuild(edit, changes & row->rebuilt_by);
    return error;
}

void wend__derivations_moved(wend_map *map, wend_cell cell, bool came) {
    map->unit_moves++;
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (row->moved) row->moved(map, cell, came);
}

void wend__derivations_forget_units(wend_map *map) {
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (row->forget_units) row->forget_units(map);
}

void wend__derivations_end(wend_map *map) {
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (row->end) row->end(map);
}
