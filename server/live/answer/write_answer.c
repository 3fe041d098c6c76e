/* SPDX-License-Identifier: MIT */
/* Writes answers: the beginning and end of each, and errors. */
#define _GNU_SOURCE

#include <string.h>

#include "live/answer/answer.h"

const char *live_error_name(int32_t error) {
    static const char *const names[] = {
        [WEND_LIVE_OK] = "ok",
        [WEND_LIVE_BAD_MESSAGE] = "bad_message",
        [WEND_LIVE_BAD_ARGUMENT] = "bad_argument",
        [WEND_LIVE_OUT_OF_RANGE] = "out_of_range",
        [WEND_LIVE_BUSY] = "busy",
        [WEND_LIVE_TOO_LARGE] = "too_large",
        [WEND_LIVE_TOO_FAST] = "too_fast",
        [WEND_LIVE_DENIED] = "denied",
        [WEND_LIVE_UNKNOWN] = "unknown",
        [WEND_LIVE_MOVED] = "moved",
        [WEND_LIVE_UNAVAILABLE] = "unavailable",
        [WEND_LIVE_UNCERTAIN] = "uncertain",
        [WEND_LIVE_TOO_OLD] = "too_old",
        [WEND_LIVE_FORGOTTEN] = "forgotten",
    };
    return error >= 0 && error < (int32_t)(sizeof names / sizeof names[0]) ? names[error] : names[WEND_LIVE_BUSY];
}

int32_t live_error_of(wend_error error) {
    switch (error) {
    case WEND_OK: return WEND_LIVE_OK;
    case WEND_OUT_OF_RANGE: return WEND_LIVE_OUT_OF_RANGE;
    case WEND_BUSY:
    case WEND_OUT_OF_MEMORY:
    case WEND_CLOSED: return WEND_LIVE_BUSY;
    default: return WEND_LIVE_BAD_ARGUMENT;
    }
}

void live_put_term(const wend_live *live, live_text *text) {
    if (live->term > 0) live_put_field(text, "term", live->term);
}

live_text *live_answer_begin(wend_live *live, const live_id_text *id) {
    live_text *text = &live->text;
    live_text_begin(text);
    live_puts(text, "{\"id\":");
    live_put(text, id->text, id->length);
    live_puts(text, ",\"ok\":true");
    live_put_term(live, text);
    return text;
}

void live_answer_end(live_client *client) {
    live_text *text = &client->live->text;
    live_puts(text, "}");
    if (text->starved)
        live_end(client->connection, 1011, "no memory");
    else
        live_send(client->connection, text->bytes, text->used, false);
}

void live_answer_ok(live_client *client, const live_id_text *id) {
    live_answer_begin(client->live, id);
    live_answer_end(client);
}

void live_answer_error(live_client *client, const live_id_text *id, int32_t error, const char *why) {
    live_text *text = &client->live->text;
    client->live->errors++;
    live_text_begin(text);
    live_puts(text, "{\"id\":");
    if (id->length > 0)
        live_put(text, id->text, id->length);
    else
        live_puts(text, "null");
    live_puts(text, ",\"error\":\"");
    live_puts(text, live_error_name(error));
    live_puts(text, "\",\"text\":");
    live_put_string(text, why, strlen(why));
    live_put_term(client->live, text);
    live_answer_end(client);
}

void live_refuse(live_client *client, int32_t error, const char *why) {
    live_answer_error(client, &client->live->message.id, error, why);
}
