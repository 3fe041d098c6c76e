/* SPDX-License-Identifier: MIT */
/* The table of derived data: the one file that includes all rooms that make some. A new kind gets a row here. */
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "fast/far/far_layer.h"
#include "fast/tables/jump_tables.h"
#include "fast/landmarks/landmark_tables.h"
#include "map/chains/link_chains.h"
#include "map/movers/views.h"
#include "fast/stops/units.h"
#include "fast/stops/stop_tables.h"
#include "map/version/derivation.h"

const wend__derivation wend__derivations[] = {
    {.name = "components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__components_share,
     .drop = wend__components_drop,
     .create = wend__components_create,
     .rebuild = wend__components_rebuild,
     .validate = wend__components_validate},
    {.name = "link components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__link_components_share,
     .drop = wend__link_components_drop,
     .rebuild = wend__link_components_rebuild},
    {.name = "chains of links", /* derived from the links and the costs of steps */
     .share = wend__link_chains_share,
     .drop = wend__link_chains_drop,
     .rebuild = wend__link_chains_rebuild},
    {.name = "jump tables", /* repaired where the masks of a chunk differ from those of the batch's base; they go with
                                the version's blocks, in slices */
     .rebuilt_in_views = true,
     .share = wend__jumps_share,
     .rebuild = wend__jumps_rebuild},
    {.name = "stops", /* with jump tables only */
     .rebuilt_in_views = true,
     .share = wend__stops_share,
     .drop = wend__stops_drop,
     .rebuild = wend__stops_rebuild,
     .end = wend__tables_end},
    {.name = "far layer", /* marked as stale where a batch wrote, and repaired in slices */
     .rebuilt_in_views = true,
     .share = wend__far_share,
     .drop = wend__far_drop,
     .rebuild = wend__far_rebuild,
     .end = wend__far_drop_job},
    {.name = "landmarks", /* too expensive to make in a publish: repaired, or dropped where the rules differ */
     .in_views = true,
     .share = wend__landmarks_share,
     .drop = wend__landmarks_drop,
     .rebuild = wend__landmarks_rebuild,
     .end = wend__landmarks_end},
    {.name = "movers' views", /* each is a version with its own edit */
     .share = wend__views_share,
     .drop = wend__views_drop,
     .rebuild = wend__views_rebuild,
     .validate = wend__views_validate},
    {.name = "marks of units", /* apart from the versions, as the units are */
     .moved = wend__units_moved,
     .forget_units = wend__units_free},
    {.name = NULL},
};
