/* SPDX-License-Identifier: MIT */
/* Internal: deriving the chunks of a batch's draft: terrain in its smallest form, masks or open bits, largest
   factors. */
#ifndef WEND_SRC_MAP_EDIT_DERIVE_CHUNKS_H
#define WEND_SRC_MAP_EDIT_DERIVE_CHUNKS_H

#include "map/edit/edit.h"

/// Give the draft its rules, and chunks to suit: derived again where the batch wrote, or all of them where the rules
/// ask for that.
/// @param changes   receives how the rules differ from those that the draft had: WEND__CHANGED_FACTORS, _CONTACT
wend_error wend__edit_derive_chunks(wend_edit *edit, const wend_map_rules *rules, uint32_t *changes);

#endif
