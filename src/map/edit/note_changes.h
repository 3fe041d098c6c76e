/* SPDX-License-Identifier: MIT */
/* Internal: noting in the map's log where a batch changed it. */
#ifndef WEND_SRC_MAP_EDIT_NOTE_CHANGES_H
#define WEND_SRC_MAP_EDIT_NOTE_CHANGES_H

#include "map/edit/edit.h"

/// Note the changes of a batch that becomes the newest version with that epoch. The writer lock is held.
void wend__edit_note_changes(const wend_edit *edit, uint64_t epoch);

#endif
