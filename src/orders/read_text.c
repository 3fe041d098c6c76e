/* SPDX-License-Identifier: MIT */
/* Reads a line of a script as an order. Errors name a column and the expected text. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders/orders.h"
#include <wend/agents.h>
#include <wend/ways.h>

/* Functions that return bool: false after an error. */

static bool fail(wend__order_reader *reader, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(wend__order_reader *reader, size_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    reader->wrong = column;
    vsnprintf(reader->why, sizeof reader->why, format, arguments);
    va_end(arguments);
    return false;
}

static bool fail_memory(wend__order_reader *reader) {
    reader->wrong = 1;
    reader->why[0] = '\0';
    return false;
}

/* Makes room for `count` items. The caller stores its pointer again. */
static bool make_room(wend__order_reader *reader, void **items, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity) return true;
    const size_t more = count < 32 ? 64 : count * 2;
    void *moved = realloc(*items, more * size);
    if (!moved) return fail_memory(reader);
    *items = moved;
    *capacity = more;
    return true;
}

/* ---- words ---- */

static bool word_is(wend__span word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

/// Returns a word shortened for a message, without control characters.
wend__shown_word wend__show_word(wend__span word) {
    enum { MOST = 48 };
    wend__shown_word out;
    size_t length = word.length > MOST ? MOST : word.length;
    /* do not cut a UTF-8 character */
    while (length < word.length && length > 0 && ((unsigned char)word.text[length] & 0xC0) == 0x80) length--;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)word.text[i];
        out.text[i] = c < 0x20 || c == 0x7F ? '?' : word.text[i];
    }
    snprintf(out.text + length, sizeof out.text - length, "%s", length < word.length ? "..." : "");
    return out;
}

static bool add_word(wend__order_reader *reader, wend__span word) {
    void *words = reader->words;
    const bool room = make_room(reader, &words, &reader->word_capacity, reader->word_count + 1, sizeof word);
    reader->words = words;
    if (room) reader->words[reader->word_count++] = word;
    return room;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool wend__order_split(wend__order_reader *reader, const char *line, size_t length) {
    void *bytes = reader->bytes;
    const char *zero = length > 0 ? memchr(line, '\0', length) : NULL;
    reader->word_count = 0;
    reader->end_column = 1;
    const bool room = make_room(reader, &bytes, &reader->byte_capacity, length, 1);
    reader->bytes = bytes;
    if (!room) return false;
    if (zero) return fail(reader, (size_t)(zero - line) + 1, "a zero byte is not text");
    if (length > 0 && line[length - 1] == '\r') length--;
    for (size_t at = 0; at < length;) {
        if (is_blank(line[at])) {
            at++;
            continue;
        }
        if (line[at] == '#') break;
        const size_t begin = at;
        while (at < length && !is_blank(line[at])) at++;
        if (!add_word(reader, (wend__span){line + begin, at - begin, begin + 1})) return false;
        reader->end_column = at + 1;
    }
    return true;
}

/* KEY=VALUE, both in the word's column. */
static bool split_option(wend__span word, wend__span *key, wend__span *value) {
    const char *equals = memchr(word.text, '=', word.length);
    if (!equals) return false;
    const size_t length = (size_t)(equals - word.text);
    *key = (wend__span){word.text, length, word.column};
    *value = (wend__span){equals + 1, word.length - length - 1, word.column};
    return true;
}

/* Returns the part before the next semicolon; `rest` is what follows it, with no text behind the last part. */
static wend__span take_part(wend__span *rest) {
    wend__span part = *rest;
    const char *end = rest->length > 0 ? memchr(rest->text, ';', rest->length) : NULL;
    if (end) part.length = (size_t)(end - rest->text);
    *rest = (wend__span){end ? end + 1 : NULL, rest->length - part.length - (end != NULL), rest->column};
    return part;
}

/* ---- numbers ---- */

typedef enum number_is { NUMBER_IS_GOOD, NUMBER_IS_NONE, NUMBER_IS_TOO_LARGE } number_is;

static number_is scan_digits(const char *text, size_t length, uint64_t *out) {
    uint64_t value = 0;
    bool too_large = false;
    if (length == 0) return NUMBER_IS_NONE;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return NUMBER_IS_NONE;
        const uint64_t digit = (uint64_t)(text[i] - '0');
        too_large = too_large || value > (UINT64_MAX - digit) / 10;
        if (!too_large) value = value * 10 + digit;
    }
    *out = value;
    return too_large ? NUMBER_IS_TOO_LARGE : NUMBER_IS_GOOD;
}

static number_is scan_signed(wend__span word, bool *negative, uint64_t *magnitude) {
    *negative = word.length > 0 && word.text[0] == '-';
    const size_t sign = *negative ? 1 : 0;
    const number_is is = scan_digits(word.text + sign, word.length - sign, magnitude);
    if (is == NUMBER_IS_GOOD && *magnitude == 0) *negative = false;
    return is;
}

static int32_t cut_to_int(bool negative, uint64_t magnitude) {
    if (negative) return magnitude > INT32_MAX ? INT32_MIN : -(int32_t)magnitude;
    return magnitude > INT32_MAX ? INT32_MAX : (int32_t)magnitude;
}

static bool fail_number(wend__order_reader *reader, wend__span word, const char *noun, const char *kind, number_is is) {
    if (is == NUMBER_IS_TOO_LARGE)
        return fail(reader, word.column, "%s: '%s' is too large to read", noun, wend__show_word(word).text);
    return fail(reader, word.column, "%s is %s, not '%s'", noun, kind, wend__show_word(word).text);
}

static const char *noun_of(const wend__order_field *field, const wend_order *order) {
    if (order->kind == WEND_ORDER_LIMIT && field->kind == WEND__NUMBER)
        return wend__limit_words[order->limit.what].text;
    return field->noun ? field->noun : field->name;
}

static bool fail_range(wend__order_reader *reader, wend__span word, const char *noun, int64_t least, uint64_t most,
                       number_is is) {
    char kind[96];
    if (least < 0 && is == NUMBER_IS_GOOD)
        return fail(reader, word.column, "%s is from %" PRId64 " to %" PRId64 ", not '%s'", noun, least, (int64_t)most,
                    wend__show_word(word).text);
    if (least < 0 || most == UINT64_MAX - 1)
        snprintf(kind, sizeof kind, "a whole number");
    else if (most == UINT64_MAX)
        snprintf(kind, sizeof kind, "a whole number from %" PRId64, least);
    else
        snprintf(kind, sizeof kind, "a whole number from %" PRId64 " to %" PRIu64, least, most);
    return fail_number(reader, word, noun, kind, is);
}

bool wend__order_number(wend__order_reader *reader, wend__span word, const char *noun, uint64_t least, uint64_t most,
                        uint64_t *out) {
    bool negative;
    uint64_t value = 0;
    const number_is is = scan_signed(word, &negative, &value);
    if (is != NUMBER_IS_GOOD || negative || value < least || value > most)
        return fail_range(reader, word, noun, (int64_t)least, most, is);
    *out = value;
    return true;
}

/* A number outside the range of a loose field is clamped: the request with it is refused later. */
static bool read_number(wend__order_reader *reader, const wend__order_field *field, wend__span word, wend_order *out) {
    const char *noun = noun_of(field, out);
    int64_t least;
    uint64_t most, magnitude = 0;
    bool negative;
    for (const wend__choice *known = field->words; known && known->text; known++)
        if (word_is(word, known->text)) return wend__value_set(field, out, known->value), true;
    wend__value_range(field, out, &least, &most);
    const number_is is = scan_signed(word, &negative, &magnitude);
    if (field->loose && is != NUMBER_IS_GOOD) return fail_number(reader, word, noun, "a whole number", is);
    const bool below =
        negative ? least >= 0 || magnitude > 0 - (uint64_t)least : least > 0 && magnitude < (uint64_t)least;
    const bool outside = below || (!negative && magnitude > most);
    if (is != NUMBER_IS_GOOD || (outside && !field->loose)) return fail_range(reader, word, noun, least, most, is);
    out->bad_argument = out->bad_argument || outside;
    if (field->size == sizeof(int32_t) && outside)
        wend__value_set(field, out, cut_to_int(negative, magnitude));
    else
        wend__value_set(field, out, (int64_t)(negative ? 0 - magnitude : magnitude));
    return true;
}

/* Digits after the third are dropped: the bound "cost <= W x optimum" becomes slightly stricter. */
static bool read_milli(wend__order_reader *reader, const wend__order_field *field, wend__span word, wend_order *out) {
    const char *point = word.length > 0 ? memchr(word.text, '.', word.length) : NULL;
    wend__span whole = word;
    if (point) whole.length = (size_t)(point - word.text);
    bool negative = false;
    uint64_t value = 0, fraction = 0, ignored;
    number_is is = scan_signed(whole, &negative, &value);
    negative = word.length > 0 && word.text[0] == '-'; /* -0.5 too */
    if (point && is != NUMBER_IS_NONE) {
        const size_t count = word.length - whole.length - 1;
        if (scan_digits(point + 1, count, &ignored) == NUMBER_IS_NONE) is = NUMBER_IS_NONE;
        for (size_t i = 0; is != NUMBER_IS_NONE && i < 3; i++)
            fraction = fraction * 10 + (i < count ? (uint64_t)(point[1 + i] - '0') : 0);
    }
    if (is != NUMBER_IS_GOOD) return fail_number(reader, word, noun_of(field, out), "a number such as 1.25", is);
    const int32_t milli = cut_to_int(negative, value > INT32_MAX ? INT32_MAX : value * 1000 + fraction);
    out->bad_argument = out->bad_argument || milli < field->least || milli > (int64_t)field->most;
    wend__value_set(field, out, milli);
    return true;
}

/* ---- words of a list ---- */

static bool fail_word(wend__order_reader *reader, const wend__order_field *field, wend__span word,
                      const wend_order *order) {
    char list[160];
    size_t used = 0, count = 0;
    while (field->words[count].text) count++;
    if (count > 6)
        return fail(reader, word.column, "there is no %s '%s'", noun_of(field, order), wend__show_word(word).text);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", field->words[i].text,
                                 i + 2 < count    ? ", "
                                 : i + 2 == count ? " or "
                                                  : "");
    return fail(reader, word.column, "%s is %s, not '%s'", noun_of(field, order), list, wend__show_word(word).text);
}

static bool read_word(wend__order_reader *reader, const wend__order_field *field, wend__span word, wend_order *out) {
    for (const wend__choice *known = field->words; known->text; known++)
        if (word_is(word, known->text)) return wend__value_set(field, out, known->value), true;
    return fail_word(reader, field, word, out);
}

/* ---- cells ---- */

static bool fail_cell(wend__order_reader *reader, wend__span word) {
    return fail(reader, word.column, "a cell is X,Y or X,Y,Z in whole numbers, not '%s'", wend__show_word(word).text);
}

static bool read_node(wend__order_reader *reader, wend__span word, wend_cell *out) {
    bool negative;
    uint64_t magnitude = 0;
    const number_is is = scan_signed(word, &negative, &magnitude);
    if (is != NUMBER_IS_GOOD) return fail_number(reader, word, "a node", "a whole number", is);
    *out = (wend_cell){cut_to_int(negative, magnitude), 0, 0};
    return true;
}

static bool read_cell(wend__order_reader *reader, wend__span word, wend_cell *out) {
    int32_t parts[3] = {0, 0, 0};
    size_t count = 0;
    bool too_large = false;
    if (reader->axes == 1) return read_node(reader, word, out);
    for (wend__span rest = word; count < 3;) {
        const char *comma = memchr(rest.text, ',', rest.length);
        wend__span part = rest;
        if (comma) part.length = (size_t)(comma - rest.text);
        bool negative;
        uint64_t magnitude = 0;
        const number_is is = scan_signed(part, &negative, &magnitude);
        if (is == NUMBER_IS_NONE) return fail_cell(reader, word);
        too_large = too_large || is == NUMBER_IS_TOO_LARGE;
        parts[count++] = cut_to_int(negative, magnitude);
        if (!comma) break;
        if (count == 3) return fail_cell(reader, word);
        rest = (wend__span){comma + 1, rest.length - part.length - 1, word.column};
    }
    if (count < 2) return fail_cell(reader, word);
    if (too_large) return fail_number(reader, word, "a cell", "", NUMBER_IS_TOO_LARGE);
    *out = (wend_cell){parts[0], parts[1], parts[2]};
    return true;
}

static bool add_cell(wend__order_reader *reader, wend__span word) {
    wend_cell cell;
    void *cells = reader->cells;
    if (!read_cell(reader, word, &cell)) return false;
    const bool room = make_room(reader, &cells, &reader->cell_capacity, reader->cell_count + 1, sizeof cell);
    reader->cells = cells;
    if (room) reader->cells[reader->cell_count++] = cell;
    return room;
}

/* CELL;CELL… in one word. More cells than a loose field takes make the request invalid. */
static bool read_joined(wend__order_reader *reader, const wend__order_field *field, wend__span word, wend_order *out) {
    for (wend__span rest = word; rest.text;)
        if (!add_cell(reader, take_part(&rest))) return false;
    if (reader->cell_count > field->most) out->bad_argument = true;
    if (reader->cell_count > field->most) reader->cell_count = (size_t)field->most;
    return true;
}

/* ---- names ---- */

static int hex_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the byte that %XX stands for; −1: none. */
static int code_at(wend__span word, size_t at) {
    if (word.text[at] != '%' || word.length - at < 3) return -1;
    const int high = hex_of(word.text[at + 1]), low = hex_of(word.text[at + 2]);
    return high < 0 || low < 0 || high + low == 0 ? -1 : high * 16 + low;
}

/* The reader's bytes have room for all of the line. */
static void read_name(wend__order_reader *reader, wend__span word, wend_name *out) {
    *out = (wend_name){.text = word.text, .length = (uint32_t)word.length};
    if (word.length == 0 || !memchr(word.text, '%', word.length)) return;
    char *text = reader->bytes + reader->byte_count;
    out->text = text;
    out->length = 0;
    for (size_t i = 0; i < word.length; i++) {
        const int code = code_at(word, i);
        text[out->length++] = code >= 0 ? (char)code : word.text[i];
        if (code >= 0) i += 2;
    }
    reader->byte_count += out->length;
}

/* Makes room for all names of the line at once: an order may have two lists of them. */
static bool reserve_names(wend__order_reader *reader) {
    void *names = reader->names;
    const size_t most = reader->word_count + WEND_LINK_MOVERS + 1; /* WEND_MAX_WAITED_FOR is less */
    const bool room = make_room(reader, &names, &reader->name_capacity, most, sizeof *reader->names);
    reader->names = names;
    return room;
}

static void add_name(wend__order_reader *reader, wend__span word) {
    read_name(reader, word, &reader->names[reader->name_count++]);
}

/* NAME;NAME… in one word. An order may have other names, which stay in place. */
static bool read_joined_names(wend__order_reader *reader, const wend__order_field *field, wend__span word,
                              wend_names *out) {
    const size_t before = reader->name_count;
    for (wend__span rest = word; rest.text && reader->name_count <= before + field->most;) {
        const wend__span part = take_part(&rest);
        if (part.length > 0) add_name(reader, part);
    }
    *out = (wend_names){.items = reader->names + before, .count = reader->name_count - before};
    if (out->count > 0 && out->count <= field->most) return true;
    return fail(reader, word.column, "%s has 1 to %u names, with ; between them", field->name, (unsigned)field->most);
}

/* ---- weights of layers ---- */

static bool add_weight(wend__order_reader *reader, wend__span word, wend_weights *out) {
    size_t end = word.length;
    uint64_t weight = 0;
    while (end > 0 && word.text[end - 1] != ':') end--;
    if (end < 2) return fail(reader, word.column, "a layer is NAME:WEIGHT, not '%s'", wend__show_word(word).text);
    if (out->count == WEND_MAX_PROFILE_LAYERS)
        return fail(reader, word.column, "more than %d layers", WEND_MAX_PROFILE_LAYERS);
    const wend__span number = {word.text + end, word.length - end, word.column};
    if (!wend__order_number(reader, number, "a weight", 1, WEND_MAX_COST, &weight)) return false;
    read_name(reader, (wend__span){word.text, end - 1, word.column}, &out->items[out->count].layer);
    out->items[out->count++].weight = (int32_t)weight;
    return true;
}

/* NAME:WEIGHT;NAME:WEIGHT… in one word, or `none`. */
static bool read_weights(wend__order_reader *reader, wend__span word, wend_weights *out) {
    out->count = 0;
    if (word_is(word, "none")) return true;
    for (wend__span rest = word; rest.text;)
        if (!add_weight(reader, take_part(&rest), out)) return false;
    return true;
}

/* ---- terrain classes, and a mover's factors of them ---- */

/* CLASS;CLASS… in one word. */
static bool read_classes(wend__order_reader *reader, const wend__order_field *field, wend__span word,
                         wend_classes *out) {
    for (wend__span rest = word; rest.text;) {
        const wend__span part = take_part(&rest);
        const wend__choice *known = field->words;
        while (known->text && !word_is(part, known->text)) known++;
        uint64_t class = (uint64_t)known->value;
        if (!known->text && !wend__order_number(reader, part, "a class", 0, 255, &class)) return false;
        out->bits[class / 64] |= UINT64_C(1) << class % 64;
    }
    return true;
}

/* Takes "shunned" or "shunned:" off a word. Returns whether it was there. */
static bool take_shunned(wend__span *word) {
    static const char shunned[] = "shunned";
    const size_t length = sizeof shunned - 1;
    if (word_is(*word, shunned)) {
        word->length = 0;
        return true;
    }
    if (word->length <= length || memcmp(word->text, "shunned:", length + 1) != 0) return false;
    *word = (wend__span){word->text + length + 1, word->length - length - 1, word->column + (uint32_t)length + 1};
    return true;
}

static bool read_factor(wend__order_reader *reader, wend__span key, wend__span word, wend_factors *out) {
    static const char noun[] = "a factor is blocked, avoided, shunned or a number; that";
    const bool avoided = word_is(word, "avoided"), blocked = avoided || word_is(word, "blocked");
    const bool shunned = take_shunned(&word), named = blocked || (shunned && word.length == 0);
    uint64_t class = 0, factor = 0;
    if (!wend__order_number(reader, key, "a class", 0, 255, &class)) return false;
    if (!named && !wend__order_number(reader, word, noun, 1, 255, &factor)) return false;
    if (out->given[class / 64] >> class % 64 & 1)
        return fail(reader, key.column, "class %" PRIu64 " is given twice", class);
    if (class == WEND_CLASS_BLOCKED && (factor != 0 || shunned))
        return fail(reader, key.column, "class 0 is blocked for every mover");
    out->given[class / 64] |= UINT64_C(1) << class % 64;
    out->avoided.bits[class / 64] |= (uint64_t)avoided << class % 64;
    out->shunned.bits[class / 64] |= (uint64_t)shunned << class % 64;
    out->factors[class] = (uint8_t)factor;
    return true;
}

/* ---- fields ---- */

static bool read_value(wend__order_reader *reader, const wend__order_field *field, wend__span word, wend_order *out) {
    void *at = (char *)out + field->offset;
    switch (field->kind) {
    case WEND__NUMBER: return read_number(reader, field, word, out);
    case WEND__CHOICE: return read_word(reader, field, word, out);
    case WEND__MILLI: return read_milli(reader, field, word, out);
    case WEND__FLAG: return wend__value_set(field, out, 1), true;
    case WEND__CELL: return read_cell(reader, word, at);
    case WEND__NAME:
    case WEND__ID: return read_name(reader, word, at), true;
    case WEND__CELLS: {
        if (field->form == WEND__PLACED && reader->cell_count >= field->most)
            return fail(reader, word.column, "a word too many: %s", wend__order_rows[out->kind].usage);
        const bool good = field->form == WEND__PLACED ? add_cell(reader, word) : read_joined(reader, field, word, out);
        *(wend_cells *)at = (wend_cells){reader->cells, reader->cell_count};
        return good;
    }
    case WEND__NAMES: {
        if (field->form > WEND__KEYED) return read_joined_names(reader, field, word, at);
        add_name(reader, word);
        *(wend_names *)at = (wend_names){.items = reader->names, .count = reader->name_count};
        return true;
    }
    case WEND__WEIGHTS: return read_weights(reader, word, at);
    case WEND__CLASSES: return read_classes(reader, field, word, at);
    default: return true;
    }
}

static bool read_field(wend__order_reader *reader, uint32_t index, size_t word, wend__span value, wend_order *out) {
    const wend__order_field *field = &wend__order_rows[out->kind].fields[index];
    if (reader->at[index] == 0) reader->at[index] = word;
    out->given |= UINT64_C(1) << index;
    return read_value(reader, field, value, out);
}

static bool is_placed(const wend__order_field *field) {
    return field->form <= WEND__KEYED && field->only != WEND__JSON_ONLY;
}

static bool is_list(const wend__order_field *field) {
    return is_placed(field) && (field->kind == WEND__NAMES || field->kind == WEND__CELLS);
}

/* Counts the words that a row takes. */
static void count_words(const wend__row *row, size_t *least, size_t *most) {
    *least = *most = 0;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        const bool pair = is_list(field) && field->kind == WEND__CELLS && field->most == 2;
        const size_t words = field->only == WEND__JSON_ONLY ? 0 : field->form == WEND__KEYED || pair ? 2 : 1;
        if (is_placed(field) && field->form != WEND__MAYBE) *least += pair ? (size_t)field->least : words;
        if (*most < SIZE_MAX) *most += words;
        if ((is_list(field) && !pair) || field->kind == WEND__FACTORS) *most = SIZE_MAX;
    }
}

static bool check_count(wend__order_reader *reader, const wend__row *row) {
    size_t least, most;
    count_words(row, &least, &most);
    const size_t count = reader->word_count - 1;
    if (count < least) return fail(reader, reader->end_column, "a word is missing: %s", row->usage);
    if (count > most) return fail(reader, reader->words[most + 1].column, "a word too many: %s", row->usage);
    return true;
}

/* Returns whether a list ends before this word: at the name of the KEYED field behind it, or at an option. */
static bool ends_list(const wend__row *row, uint32_t index, wend__span word) {
    if (index + 1 == row->field_count) return false;
    const wend__order_field *next = &row->fields[index + 1];
    if (next->form == WEND__KEYED) return word_is(word, next->name);
    return next->form > WEND__KEYED && memchr(word.text, '=', word.length);
}

/* Reads the placed fields. @return the first word behind them; 0: an error */
static size_t read_placed(wend__order_reader *reader, const wend__row *row, wend_order *out) {
    size_t at = 1;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (!is_placed(field)) continue;
        const bool there = at < reader->word_count;
        if (field->form == WEND__MAYBE && (!there || memchr(reader->words[at].text, '=', reader->words[at].length)))
            continue;
        if (field->form == WEND__KEYED && there && word_is(reader->words[at], field->name)) at++;
        if (at == reader->word_count) return fail(reader, reader->end_column, "a word is missing: %s", row->usage);
        do {
            if (!read_field(reader, i, at, reader->words[at], out)) return 0;
            at++;
        } while (is_list(field) && at < reader->word_count && !ends_list(row, i, reader->words[at]));
    }
    return at;
}

/* Returns the field that a word names: KEY of KEY=VALUE, or a flag. Rows with factors have a field for other keys. */
static const wend__order_field *find_option(const wend__row *row, wend__span key, bool flag) {
    const wend__order_field *factors = NULL;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (is_placed(field) || field->only == WEND__JSON_ONLY) continue;
        if (field->kind == WEND__FACTORS && !flag) factors = field;
        if (field->kind != WEND__FACTORS && (field->kind == WEND__FLAG) == flag && word_is(key, field->name))
            return field;
    }
    return factors;
}

static bool fail_option(wend__order_reader *reader, const wend__row *row, wend__span key) {
    const char *near = NULL;
    for (uint32_t i = 0; i < row->field_count && !near; i++) {
        const wend__order_field *field = &row->fields[i];
        const bool is_option = !is_placed(field) && field->only != WEND__JSON_ONLY && field->kind != WEND__FACTORS;
        if (is_option && wend__is_near(key.text, key.length, field->name)) near = field->name;
    }
    return fail(reader, key.column, "%s has no option '%s'%s%s: %s", row->name, wend__show_word(key).text,
                near ? "; did you mean " : "", near ? near : "", row->usage);
}

static bool read_option(wend__order_reader *reader, const wend__row *row, size_t at, wend_order *out) {
    const wend__span word = reader->words[at];
    wend__span key = word, value = word;
    const bool flag = !split_option(word, &key, &value);
    const wend__order_field *field = find_option(row, key, flag);
    if (!field) return fail_option(reader, row, key);
    if (field->kind == WEND__FACTORS) return read_factor(reader, key, value, (void *)((char *)out + field->offset));
    const uint32_t index = (uint32_t)(field - row->fields);
    if (out->given >> index & 1) return fail(reader, word.column, "%s is given twice", field->name);
    return read_field(reader, index, at, value, out);
}

static bool fail_name(wend__order_reader *reader, wend__span name) {
    const char *near = wend__order_near(name.text, name.length, reader->where);
    return fail(reader, name.column, "there is no command '%s'%s%s", wend__show_word(name).text,
                near ? "; did you mean " : "", near ? near : "");
}

bool wend__order_read_words(wend__order_reader *reader, wend_order *out) {
    const wend__span name = reader->words[0];
    const int32_t kind = wend__order_find(name.text, name.length, reader->where);
    if (kind < 0) return fail_name(reader, name);
    const wend__row *row = &wend__order_rows[kind];
    wend__order_init(out, kind);
    reader->name_count = reader->cell_count = reader->byte_count = 0;
    memset(reader->at, 0, sizeof reader->at);
    if (!check_count(reader, row) || !reserve_names(reader)) return false;
    size_t at = read_placed(reader, row, out);
    for (; at > 0 && at < reader->word_count; at++)
        if (!read_option(reader, row, at, out)) return false;
    if (at > 0 && kind == WEND_ORDER_NODE && reader->word_count == 3) /* a coordinate is missing */
        return fail(reader, reader->end_column, "a word is missing: %s", row->usage);
    if (kind == WEND_ORDER_NODE) out->change.value = wend_order_gave(out, &out->change.to.x);
    if (at > 0 && kind == WEND_ORDER_ADJUST && out->given == 1)
        return fail(reader, reader->end_column, "a word is missing: %s", row->usage);
    return at > 0;
}

int wend__order_read(wend__order_reader *reader, const char *line, size_t length, wend_order *out) {
    if (!wend__order_split(reader, line, length)) return -1;
    if (reader->word_count == 0) return 0;
    return wend__order_read_words(reader, out) ? 1 : -1;
}

wend__span wend__order_word(const wend__order_reader *reader, const wend_order *order, const void *member,
                            size_t index) {
    const wend__row *row = &wend__order_rows[order->kind];
    const size_t offset = (size_t)((const char *)member - (const char *)order);
    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].offset == offset && reader->at[i] > 0) return reader->words[reader->at[i] + index];
    return reader->words[0];
}

void wend__order_reader_free(wend__order_reader *reader) {
    free(reader->words);
    free(reader->names);
    free(reader->cells);
    free(reader->bytes);
    *reader = (wend__order_reader){.axes = reader->axes, .where = reader->where};
}
