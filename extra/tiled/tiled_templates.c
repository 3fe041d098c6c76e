/* SPDX-License-Identifier: MIT */
/* Completes objects that are made from templates, which are files of their own. */
#include "tiled/tiled.h"

#include <stdio.h>

/// A template may have MAX_PROPERTIES, as each of its objects gets a copy of them.
enum { MAX_DEPTH = 64, MAX_PROPERTIES = 256 };

/// Read a template once. @param out   borrowed; NULL: the file is missing
static wend_error find_template(wend__tiled *t, const char *source, const char *what, json_t **out) {
    if (!t->templates) t->templates = json_object();
    if (!t->templates) return wend__tiled_no_memory(t);
    *out = json_object_get(t->templates, source);
    if (*out) return WEND_OK;
    json_t *tree;
    wend_error error = wend__tiled_beside(t, source, what, &tree);
    if (error) return error;
    if (json_object_set_new(t->templates, source, tree ? tree : json_null()) != 0) return wend__tiled_no_memory(t);
    *out = json_object_get(t->templates, source);
    return WEND_OK;
}

/// Returns whether a list has a property of this name.
static bool has_property(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *its = wend__tiled_string(json_array_get(list, i), "name");
        if (its && name && strcmp(its, name) == 0) return true;
    }
    return false;
}

/// Add the template's properties that the object has not. @return false: no memory
static bool merge_properties(json_t *object, const json_t *from) {
    const json_t *theirs = json_object_get(from, "properties"), *own = json_object_get(object, "properties");
    if (!own || !json_is_array(theirs)) return true;
    json_t *list = json_copy((json_t *)(uintptr_t)own);
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(theirs); i++) {
        json_t *property = json_array_get(theirs, i);
        if (!has_property(own, wend__tiled_string(property, "name"))) good = json_array_append(list, property) == 0;
    }
    if (good) return json_object_set_new(object, "properties", list) == 0;
    json_decref(list);
    return false;
}

/* A number of a tile means one in the template's own tileset, so that it is no number of the map's. */
static bool merge_tile(json_t *object, json_t *template) {
    json_t *gid = json_object_get(json_object_get(template, "object"), "gid");
    json_t *set = json_object_get(template, "tileset");
    if (!gid || json_object_get(object, "gid")) return true;
    return json_object_set(object, "gid", gid) == 0 &&
           json_object_set_new(
               object, "gid_of",
               json_string(wend__tiled_string(set, "source") ? wend__tiled_string(set, "source") : "")) == 0;
}

static bool merge(json_t *object, json_t *template) {
    const json_t *from = json_object_get(template, "object");
    if (!merge_tile(object, template) || !merge_properties(object, from)) return false;
    return json_object_update_missing(object, (json_t *)(uintptr_t)from) == 0;
}

/// Complete one object. @param keep   receives false where its template is missing
static wend_error complete(wend__tiled *t, json_t *object, bool *keep) {
    const char *source = wend__tiled_string(object, "template");
    char quote[WEND__NAME_BYTES], what[WEND__NAME_BYTES + 16];
    json_t *template = NULL;
    *keep = true;
    if (!source) return WEND_OK;
    wend__tiled_quote(source, quote);
    snprintf(what, sizeof what, "template %s", quote);
    wend_error error = find_template(t, source, what, &template);
    if (error) return error;
    if (json_is_null(template)) {
        wend__tiled_note(t, WEND__NOTE_TEMPLATE, "object %" JSON_INTEGER_FORMAT " left out: its %s is missing",
                         json_integer_value(json_object_get(object, "id")), what);
        *keep = false;
        return WEND_OK;
    }
    if (!json_is_object(json_object_get(template, "object")))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: no Tiled template: it has no object", what);
    if (json_array_size(json_object_get(json_object_get(template, "object"), "properties")) > MAX_PROPERTIES)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: more than %d properties", what, MAX_PROPERTIES);
    return merge(object, template) ? WEND_OK : wend__tiled_no_memory(t);
}

/// Replace the list of a layer by that of the objects that are kept.
static wend_error complete_layer(wend__tiled *t, json_t *layer) {
    json_t *list = json_object_get(layer, "objects"), *kept = json_array();
    wend_error error = kept ? WEND_OK : wend__tiled_no_memory(t);
    for (size_t i = 0; i < json_array_size(list) && !error; i++) {
        json_t *object = json_array_get(list, i);
        bool keep = true;
        if (json_is_object(object)) error = complete(t, object, &keep);
        if (!error && keep && json_array_append(kept, object) != 0) error = wend__tiled_no_memory(t);
    }
    if (!error && json_object_set(layer, "objects", kept) != 0) error = wend__tiled_no_memory(t);
    json_decref(kept);
    return error;
}

/* Groups that are nested too deep are refused where layers are visited. */
static wend_error walk(wend__tiled *t, json_t *owner, int32_t depth) {
    json_t *list = json_object_get(owner, "layers");
    wend_error error = WEND_OK;
    for (size_t i = 0; i < json_array_size(list) && depth < MAX_DEPTH && !error; i++) {
        json_t *layer = json_array_get(list, i);
        if (json_is_array(json_object_get(layer, "objects"))) error = complete_layer(t, layer);
        if (!error) error = walk(t, layer, depth + 1);
    }
    return error;
}

wend_error wend__tiled_templates(wend__tiled *t) {
    return walk(t, t->root, 0);
}
