/* SPDX-License-Identifier: MIT */
/* Variables that end with the block in which they are declared: OWNED_MAP *map = open_map(3, 3);
   The last one declared ends first. A failed assertion leaves the test without them. */
#ifndef WEND_TESTS_MODELS_OWNED_H
#define WEND_TESTS_MODELS_OWNED_H

#include <wend/field.h>
#include <wend/search.h>
#include <wend/service.h>

/// Declares a variable that its function frees on return: `OWNED(model_free) model m;` calls model_free(&m).
#define OWNED(end) __attribute__((cleanup(end)))

static inline void owned_map_end(wend_map **map) {
    wend_map_release(*map);
}

static inline void owned_service_end(wend_service **service) {
    wend_service_destroy(*service);
}

static inline void owned_search_end(wend_search **search) {
    wend_search_destroy(*search);
}

static inline void owned_field_end(wend_field **field) {
    wend_field_destroy(*field);
}

#define OWNED_MAP OWNED(owned_map_end) wend_map
#define OWNED_SERVICE OWNED(owned_service_end) wend_service
#define OWNED_SEARCH OWNED(owned_search_end) wend_search
#define OWNED_FIELD OWNED(owned_field_end) wend_field

#endif
