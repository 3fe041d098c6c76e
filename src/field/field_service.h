/* SPDX-License-Identifier: MIT */
/* Internal: fields as a service runs them. The service has a list of fields, and no memory for them. */
#ifndef WEND_SRC_FIELD_FIELD_SERVICE_H
#define WEND_SRC_FIELD_FIELD_SERVICE_H

#include "field/field_state.h"

/// A service's fields, by urgency, then as they were added.
typedef struct wend__fields {
    wend_field *first;
} wend__fields;

void wend__fields_add(wend__fields *fields, wend_field *field);
void wend__fields_remove(wend__fields *fields, wend_field *field);
/// Take a field out of the list that it is in, if any.
void wend__field_leave_service(wend_field *field);

/// Bring all to the newest versions of their maps.
void wend__fields_repair(wend__fields *fields);
/// The first field with work left; NULL: there is none.
wend_field *wend__fields_first(const wend__fields *fields);

#endif
