/* SPDX-License-Identifier: MIT */
/* Links: sorted, grouped, and what they connect. */
#include "map/links.h"
#include "map/map_private.h"

const wend__links *wend__links_retain(wend_map *map, const wend__links *links) {
    (void)map;
    return links;
}

void wend__links_release(wend_map *map, const wend__links *links) {
    (void)map, (void)links;
}

const wend__way *wend__links_from(const wend__links *links, uint32_t from, uint32_t *count) {
    (void)links, (void)from;
    *count = 0;
    return NULL;
}

int32_t wend__links_join(const wend__version *version, wend__joined **out) {
    (void)version;
    *out = NULL;
    return WEND_OK;
}

wend__joined *wend__joined_retain(wend_map *map, wend__joined *joined) {
    (void)map;
    return joined;
}

void wend__joined_release(wend_map *map, wend__joined *joined) {
    (void)map, (void)joined;
}

uint64_t wend__joined_component(const wend__version *version, uint64_t component) {
    (void)version;
    return component;
}
