/* SPDX-License-Identifier: MIT */
/* The table of derived data: the one file of src/map that knows all its rooms. A new kind of derived data gets a row
   here. */
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/jumps/jump_tables.h"
#include "map/landmarks/landmark_tables.h"
#include "map/chains/link_chains.h"
#include "map/movers/views.h"
#include "map/units/units.h"
#include "map/stops/stop_tables.h"
#include "map/stops/table_job.h"
#include "map/version/derivation.h"

const wend__derivation wend__derivations[] = {
    {.name = "components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__components_share,
     .drop = wend__components_drop,
     .create = wend__components_create,
     .renew = wend__components_renew},
    {.name = "link components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__link_components_share,
     .drop = wend__link_components_drop,
     .renew = wend__link_components_renew},
    {.name = "chains of links", /* of the links and the costs of steps */
     .share = wend__link_chains_share,
     .drop = wend__link_chains_drop,
     .renew = wend__link_chains_renew},
    {.name = "jump tables", /* repaired where the masks of a chunk differ from those of the batch's base */
     .renewed_in_views = true,
     .share = wend__jumps_share,
     .drop = wend__jumps_drop,
     .renew = wend__jumps_renew},
    {.name = "stops", /* with jump tables only */
     .renewed_in_views = true,
     .share = wend__stops_share,
     .drop = wend__stops_drop,
     .renew = wend__stops_renew,
     .end = wend__tables_end},
    {.name = "landmarks", /* too dear to make in a publish: repaired, or dropped where the rules differ */
     .in_views = true,
     .share = wend__landmarks_share,
     .drop = wend__landmarks_drop,
     .renew = wend__landmarks_renew,
     .end = wend__landmarks_end},
    {.name = "movers' views", /* each is a version of its own, with an edit of its own */
     .share = wend__views_share,
     .drop = wend__views_drop,
     .renew = wend__views_renew},
    {.name = "marks of units", /* beside the versions, as the units are */
     .moved = wend__units_moved,
     .forget_units = wend__units_free},
    {.name = NULL},
};
