/* SPDX-License-Identifier: MIT */
/* Rules by value, for initializers in tests and benches: the defaults, and those of a map. */
#ifndef WEND_TESTS_DEFAULTS_H
#define WEND_TESTS_DEFAULTS_H

#include <wend/wend.h>

static inline wend_map_rules default_rules(void) {
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    return rules;
}

static inline wend_map_rules rules_now(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules;
}

#endif
