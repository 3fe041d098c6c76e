/* SPDX-License-Identifier: MIT */
/* Parses Tiled's XML into the JSON that Tiled would write of the same map, tileset or template. */
#include "tiled/tiled.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

/* Kinds of elements, by their name and the element around them. */
enum {
    DOCUMENT,
    MAP,
    TILESET,
    TEMPLATE,
    TILE,
    IMAGE,
    GROUP,
    TILES, /* a layer of tiles */
    DATA,
    CHUNK,
    GID,
    OBJECTS,
    OBJECT,
    MARK, /* what has no attributes: an ellipse */
    POINTS,
    PROPERTIES,
    PROPERTY,
    UNKNOWN
};

/// How the JSON of an element stands in that of the one around it.
enum { ITEM, MEMBER, SAME, YES };

typedef struct element_rule {
    int32_t in;
    const char *name;
    int32_t becomes, how;
    const char *key, *type; ///< where it stands in the JSON around it; its "type"
} element_rule;

static const element_rule grammar[] = {
    {DOCUMENT, "map", MAP, SAME, NULL, "map"},
    {DOCUMENT, "tileset", TILESET, SAME, NULL, "tileset"},
    {DOCUMENT, "template", TEMPLATE, SAME, NULL, "template"},
    {TEMPLATE, "tileset", TILESET, MEMBER, "tileset", NULL},
    {TEMPLATE, "object", OBJECT, MEMBER, "object", NULL},
    {MAP, "tileset", TILESET, ITEM, "tilesets", NULL},
    {MAP, "layer", TILES, ITEM, "layers", "tilelayer"},
    {MAP, "objectgroup", OBJECTS, ITEM, "layers", "objectgroup"},
    {MAP, "imagelayer", GROUP, ITEM, "layers", "imagelayer"},
    {MAP, "group", GROUP, ITEM, "layers", "group"},
    {GROUP, "layer", TILES, ITEM, "layers", "tilelayer"},
    {GROUP, "objectgroup", OBJECTS, ITEM, "layers", "objectgroup"},
    {GROUP, "imagelayer", GROUP, ITEM, "layers", "imagelayer"},
    {GROUP, "group", GROUP, ITEM, "layers", "group"},
    {TILESET, "tile", TILE, ITEM, "tiles", NULL},
    {TILE, "objectgroup", OBJECTS, MEMBER, "objectgroup", "objectgroup"},
    {TILE, "image", IMAGE, MEMBER, "picture", NULL},
    {TILESET, "image", IMAGE, MEMBER, "picture", NULL},
    {GROUP, "image", IMAGE, MEMBER, "picture", NULL},
    {TILESET, "tileoffset", IMAGE, MEMBER, "tileoffset", NULL},
    {TILES, "data", DATA, SAME, NULL, NULL},
    {DATA, "chunk", CHUNK, ITEM, "chunks", NULL},
    {DATA, "tile", GID, SAME, NULL, NULL},
    {CHUNK, "tile", GID, SAME, NULL, NULL},
    {OBJECTS, "object", OBJECT, ITEM, "objects", NULL},
    {OBJECT, "ellipse", MARK, YES, "ellipse", NULL},
    {OBJECT, "point", MARK, YES, "point", NULL},
    {OBJECT, "text", MARK, YES, "text", NULL},
    {OBJECT, "polygon", POINTS, SAME, "polygon", NULL},
    {OBJECT, "polyline", POINTS, SAME, "polyline", NULL},
    {MAP, "properties", PROPERTIES, SAME, NULL, NULL},
    {TILESET, "properties", PROPERTIES, SAME, NULL, NULL},
    {TILE, "properties", PROPERTIES, SAME, NULL, NULL},
    {GROUP, "properties", PROPERTIES, SAME, NULL, NULL},
    {TILES, "properties", PROPERTIES, SAME, NULL, NULL},
    {OBJECTS, "properties", PROPERTIES, SAME, NULL, NULL},
    {OBJECT, "properties", PROPERTIES, SAME, NULL, NULL},
    {PROPERTIES, "property", PROPERTY, ITEM, "properties", NULL},
};

enum { MOST_DEEP = 256, PIECE_BYTES = 1 << 20 };

typedef struct frame {
    int32_t kind;
    json_t *json; ///< borrowed from the tree
} frame;

typedef struct xml_reader {
    const wend__tiled *t;
    const char *file;
    XML_Parser parser;
    frame stack[MOST_DEEP];
    size_t depth;
    size_t skipped; ///< elements of no interest that are open
    json_t *root;
    char *text; ///< text of the open data or property
    size_t text_size, text_room;
    wend_error error;
} xml_reader;

static void stop(xml_reader *r, wend_error error) {
    if (!r->error) r->error = error;
    XML_StopParser(r->parser, XML_FALSE);
}

static void stop_at(xml_reader *r, const char *text) {
    if (r->error) return;
    stop(r, wend__tiled_fail_at(r->t, r->file, (int)XML_GetCurrentLineNumber(r->parser),
                                (int)XML_GetCurrentColumnNumber(r->parser) + 1, text));
}

static void stop_without_memory(xml_reader *r) {
    if (r->error) return;
    stop(r, wend__tiled_no_memory(r->t));
}

/// Puts a value under a key; the tree owns it then.
static void put(xml_reader *r, json_t *json, const char *key, json_t *value) {
    if (!value || json_object_set_new(json, key, value) != 0) stop_without_memory(r);
}

/// Returns a number as JSON writes it; NULL: it is none. Jansson's parser needs no locale.
static json_t *number_of(const char *text, size_t size) {
    json_error_t error;
    json_t *json = size && size < 64 ? json_loadb(text, size, JSON_DECODE_ANY, &error) : NULL;
    if (json_is_number(json)) return json;
    json_decref(json);
    return NULL;
}

static bool is_numeric(const char *name) {
    static const char *const names[] = {"width",    "height",        "tilewidth", "tileheight", "firstgid", "tilecount",
                                        "id",       "gid",           "x",         "y",          "offsetx",  "offsety",
                                        "rotation", "hexsidelength", "margin",    "spacing",    "opacity",  "visible"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static json_t *value_of(const char *name, const char *text) {
    json_t *number = is_numeric(name) ? number_of(text, strlen(text)) : NULL;
    if (number) return number;
    if (strcmp(name, "infinite") == 0) return json_boolean(strcmp(text, "0") != 0);
    return json_string(text);
}

static void put_attributes(xml_reader *r, json_t *json, const char **attributes) {
    for (size_t i = 0; attributes[i] && !r->error; i += 2)
        put(r, json, attributes[i], value_of(attributes[i], attributes[i + 1]));
}

/// Returns the list under a key, which is made where it is missing; NULL: no memory.
static json_t *list_under(xml_reader *r, json_t *json, const char *key) {
    json_t *list = json_object_get(json, key);
    if (list) return list;
    put(r, json, key, json_array());
    return json_object_get(json, key);
}

static const element_rule *rule_of(int32_t in, const char *name) {
    for (size_t i = 0; i < sizeof grammar / sizeof *grammar; i++)
        if (grammar[i].in == in && strcmp(grammar[i].name, name) == 0) return &grammar[i];
    return NULL;
}

/// The JSON of an element, which the tree owns. NULL: no memory
static json_t *place_json(xml_reader *r, const element_rule *rule, json_t *around) {
    if (rule->how == YES) put(r, around, rule->key, json_true());
    if ((rule->how == SAME && around) || rule->how == YES) return around;
    json_t *json = json_object();
    if (!json) {
        stop_without_memory(r);
    } else if (!around) {
        r->root = json;
    } else if (rule->how == MEMBER) {
        put(r, around, rule->key, json);
    } else {
        json_t *list = list_under(r, around, rule->key);
        if (!list || json_array_append_new(list, json) != 0) stop_without_memory(r);
    }
    return r->error ? NULL : json;
}

static uint32_t digits_of(const char **at, const char *end, bool *good) {
    uint64_t number = 0;
    const char *first = *at;
    for (; *at < end && **at >= '0' && **at <= '9' && number <= UINT32_MAX; ++*at)
        number = number * 10 + (uint64_t)(**at - '0');
    *good = *at > first && number <= UINT32_MAX;
    return (uint32_t)number;
}

static void append_gid(xml_reader *r, json_t *owner, const char **attributes) {
    uint32_t gid = 0;
    bool good = true;
    for (size_t i = 0; attributes[i]; i += 2) {
        const char *at = attributes[i + 1];
        if (strcmp(attributes[i], "gid") == 0) gid = digits_of(&at, at + strlen(at), &good);
    }
    if (!good) return stop_at(r, "no XML of Tiled: a tile's 'gid' is no whole number from 0 to 4294967295");
    json_t *list = list_under(r, owner, "data");
    if (!list || json_array_append_new(list, json_integer((json_int_t)gid)) != 0) stop_without_memory(r);
}

static void put_corners(xml_reader *r, json_t *object, const char *key, const char *text) {
    json_t *list = list_under(r, object, key);
    while (list && *text && !r->error) {
        const size_t blank = strspn(text, " \t\r\n");
        const size_t first = strcspn(text += blank, ", \t\r\n");
        if (!first) break;
        const char *second = text + first + (text[first] == ',');
        const size_t rest = text[first] == ',' ? strcspn(second, ", \t\r\n") : 0;
        json_t *x = number_of(text, first), *y = rest ? number_of(second, rest) : NULL;
        json_t *corner = x && y ? json_object() : NULL;
        if (!x || !y) stop_at(r, "no XML of Tiled: corners are pairs of numbers such as 0,16 32,16.5");
        if (corner && json_array_append_new(list, corner) == 0) {
            put(r, corner, "x", json_incref(x));
            put(r, corner, "y", json_incref(y));
        } else {
            stop_without_memory(r);
        }
        json_decref(x);
        json_decref(y);
        text = second + rest;
    }
}

static void open_element(xml_reader *r, const element_rule *rule, json_t *json, const char **attributes) {
    static const char *const lists[][2] = {[MAP] = {"layers", "tilesets"},
                                           [GROUP] = {"layers", NULL},
                                           [OBJECTS] = {"objects", NULL},
                                           [UNKNOWN] = {NULL, NULL}};
    r->text_size = 0;
    if (rule->becomes == GID) return append_gid(r, json, attributes);
    if (rule->becomes == MARK || rule->becomes == PROPERTIES) return;
    if (rule->becomes == POINTS) {
        for (size_t i = 0; attributes[i] && !r->error; i += 2)
            if (strcmp(attributes[i], "points") == 0) put_corners(r, json, rule->key, attributes[i + 1]);
        return;
    }
    put_attributes(r, json, attributes);
    if (rule->type) put(r, json, "type", json_string(rule->type));
    for (size_t i = 0; i < 2 && lists[rule->becomes][i]; i++) list_under(r, json, lists[rule->becomes][i]);
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes) {
    xml_reader *r = context;
    if (r->error) return;
    const frame *around = &r->stack[r->depth - 1];
    const element_rule *rule = r->skipped ? NULL : rule_of(around->kind, name);
    if (!rule && r->depth == 1) return stop_at(r, "no XML of Tiled: expected map, tileset or template");
    if (!rule) {
        r->skipped++;
        return;
    }
    if (r->depth == MOST_DEEP) return stop_at(r, "elements are nested more than 255 deep");
    json_t *json = place_json(r, rule, around->json);
    if (!json) return;
    r->stack[r->depth++] = (frame){rule->becomes, json};
    open_element(r, rule, json, attributes);
}

static void XMLCALL on_text(void *context, const char *text, int length) {
    xml_reader *r = context;
    const int32_t kind = r->stack[r->depth - 1].kind;
    const size_t size = (size_t)length;
    if (r->error || r->skipped || (kind != DATA && kind != CHUNK && kind != PROPERTY)) return;
    if (r->text_room - r->text_size <= size) {
        const size_t room = 2 * r->text_room + size + 64;
        char *grown = realloc(r->text, room);
        if (!grown) return stop_without_memory(r);
        r->text = grown, r->text_room = room;
    }
    memcpy(r->text + r->text_size, text, size);
    r->text_size += size;
}

/// Returns the numbers of CSV as a list; NULL: the parser was stopped.
static json_t *numbers_of(xml_reader *r) {
    const char *at = r->text, *end = at + r->text_size;
    json_t *list = json_array();
    if (!list) stop_without_memory(r);
    while (list) {
        bool good;
        while (at < end && strchr(", \t\r\n", *at) && *at) at++;
        if (at == end) return list;
        const uint32_t number = digits_of(&at, end, &good);
        if (!good || (at < end && (!*at || !strchr(", \t\r\n", *at)))) {
            stop_at(r, "no XML of Tiled: CSV of tiles has whole numbers from 0 to 4294967295");
            break;
        }
        if (json_array_append_new(list, json_integer((json_int_t)number)) == 0) continue;
        stop_without_memory(r);
        break;
    }
    json_decref(list);
    return NULL;
}

static bool is_blank(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n') return false;
    return true;
}

/// Takes the text of a layer's data or of a chunk.
static void close_data(xml_reader *r, json_t *json) {
    const json_t *layer = json;
    for (size_t i = r->depth; i > 0 && r->stack[i - 1].kind != TILES; i--) layer = r->stack[i - 2].json;
    const char *encoding = wend__tiled_string(layer, "encoding");
    if (json_object_get(json, "data") || json_object_get(json, "chunks") || is_blank(r->text, r->text_size)) return;
    if (encoding && strcmp(encoding, "csv") == 0) {
        json_t *list = numbers_of(r);
        if (list) put(r, json, "data", list);
    } else {
        put(r, json, "data", json_stringn(r->text, r->text_size));
    }
}

/// Gives a property's value its type.
static void close_property(xml_reader *r, json_t *json) {
    const char *type = wend__tiled_string(json, "type"), *text = wend__tiled_string(json, "value");
    if (!type) type = "string";
    if (!text) put(r, json, "value", json_stringn(r->text ? r->text : "", r->text_size));
    if (!text || r->error) return;
    json_t *value = NULL;
    if (strcmp(type, "bool") == 0) value = json_boolean(strcmp(text, "true") == 0);
    if (strcmp(type, "int") == 0 || strcmp(type, "float") == 0 || strcmp(type, "object") == 0)
        value = number_of(text, strlen(text));
    if (value) put(r, json, "value", value);
}

static void XMLCALL on_end(void *context, const char *name) {
    xml_reader *r = context;
    (void)name;
    if (r->error) return;
    if (r->skipped) {
        r->skipped--;
        return;
    }
    const frame closed = r->stack[r->depth - 1];
    if (closed.kind == DATA || closed.kind == CHUNK) close_data(r, closed.json);
    if (closed.kind == PROPERTY) close_property(r, closed.json);
    r->text_size = 0;
    r->depth--;
}

/* Old versions of Tiled named their DTD. It is not read; declarations inside the file are what an attack needs. */
static void XMLCALL on_doctype(void *context, const char *name, const char *system, const char *public, int internal) {
    (void)name, (void)system, (void)public;
    if (internal) stop_at(context, "no XML of Tiled: a DOCTYPE with declarations, which are not read");
}

/* Where a DTD is named, expat takes unknown entities for declared there. */
static void XMLCALL on_entity(void *context, const char *name, int is_parameter) {
    (void)name, (void)is_parameter;
    stop_at(context, "no XML of Tiled: an entity that is not declared");
}

static void parse_pieces(xml_reader *r, const char *text, size_t size) {
    for (size_t at = 0; at <= size && !r->error;) {
        const size_t piece = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        const bool last = at + piece == size;
        if (XML_Parse(r->parser, text + at, (int)piece, last) == XML_STATUS_OK && !last) {
            at += piece;
            continue;
        }
        const enum XML_Error code = XML_GetErrorCode(r->parser);
        if (r->error || code == XML_ERROR_NONE) return;
        char what[160];
        snprintf(what, sizeof what, "no XML: %.140s", XML_ErrorString(code));
        return code == XML_ERROR_NO_MEMORY ? stop_without_memory(r) : stop_at(r, what);
    }
}

wend_error wend__tiled_xml(const wend__tiled *t, const char *text, size_t size, const char *file, json_t **out) {
    xml_reader r = {.t = t, .file = file, .depth = 1};
    *out = NULL;
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) return wend__tiled_no_memory(t);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    XML_SetSkippedEntityHandler(r.parser, on_entity);
    parse_pieces(&r, text, size);
    XML_ParserFree(r.parser);
    free(r.text);
    if (!r.error && r.root) {
        *out = r.root;
        return WEND_OK;
    }
    json_decref(r.root);
    return r.error ? r.error : wend__tiled_fail_at(t, file, 1, 1, "no XML: no element found");
}
