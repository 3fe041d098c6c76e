/* SPDX-License-Identifier: MIT */
/* The list of a service's fields. */
#include "field/field_service.h"

void wend__fields_add(wend__fields *fields, wend_field *field) {
    wend_field **at = &fields->first;
    while (*at && (*at)->def.urgency >= field->def.urgency) at = &(*at)->next;
    field->next = *at;
    field->fields = fields;
    *at = field;
}

void wend__fields_remove(wend__fields *fields, wend_field *field) {
    wend_field **at = &fields->first;
    while (*at != field) at = &(*at)->next;
    *at = field->next;
    field->fields = NULL;
}

void wend__field_leave_service(wend_field *field) {
    if (field->fields) wend__fields_remove(field->fields, field);
}

void wend__fields_repair(wend__fields *fields) {
    for (wend_field *field = fields->first; field; field = field->next) wend_field_repair(field);
}

wend_field *wend__fields_first(const wend__fields *fields) {
    for (wend_field *field = fields->first; field; field = field->next)
        if (!wend_field_is_complete(field)) return field;
    return NULL;
}
