/* SPDX-License-Identifier: MIT */
/* Answers hello: the token, and the session that a client begins or comes back to. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live/answer/answer.h"

/* ---- tokens ---- */

bool live_same_secret(const char *given, const char *right) {
    const size_t length = strlen(right), given_length = strlen(given);
    unsigned char differs = given_length != length;
    for (size_t i = 0; i < given_length; i++) differs |= (unsigned char)(given[i] ^ right[i % (length + 1)]);
    return differs == 0;
}

int32_t live_check_token(wend_live *live, const char *given, int socket, bool *owner) {
    const wend_live_def *def = &live->def;
    const uint64_t now = uv_now(live->net.loop);
    *owner = !def->owner_token;
    if (!given) return !def->token ? WEND_LIVE_OK : WEND_LIVE_DENIED;
    const uint32_t counter = live_guess_counter(socket);
    if (!live_guess_allowed(&live->guesses, counter, live->limits.guesses, now)) return WEND_LIVE_TOO_FAST;
    const bool is_owner = def->owner_token && live_same_secret(given, def->owner_token);
    const bool is_user = def->token && live_same_secret(given, def->token);
    *owner = *owner || is_owner;
    if (is_owner || is_user) return WEND_LIVE_OK;
    live_guess_wrong(&live->guesses, counter);
    return WEND_LIVE_DENIED;
}

/* Accepts the right token, the owner's, or any if none is needed. @return false: refused */
static bool check_token(live_client *client, bool *owner) {
    const char *given = client->live->message.hello.token;
    const int32_t error = live_check_token(client->live, given, live_connection_socket(client->connection), owner);
    if (error == WEND_LIVE_TOO_FAST) live_refuse(client, error, "too many wrong tokens: try again later");
    if (error == WEND_LIVE_DENIED) live_refuse(client, error, "the token is not right");
    return error == WEND_LIVE_OK;
}

/* Replaces the old connection of a client that comes back. */
static void resume(live_client *client, live_session *session) {
    if (session->connection) {
        live_connection *old = session->connection;
        live_client *other = old->owner;
        live_session_leave(session, uv_now(client->live->net.loop));
        other->session = live_session_new(&client->live->sessions, old);
        live_end(old, 1008, "the session goes on elsewhere");
    }
    live_session_end(client->session);
    client->session = session;
    live_session_return(session, client->connection);
}

/* @return false: refused */
static bool attach_session(live_client *client) {
    wend_live *live = client->live;
    const live_hello *hello = &live->message.hello;
    if (!hello->session) return true;
    live_session *session = live_session_find(&live->sessions, hello->session);
    if (!session) {
        if (live_session_name(client->session, hello->session)) return true;
        live_refuse(client, WEND_LIVE_BUSY, "the system has no random bytes");
        return false;
    }
    if (!hello->secret || !live_same_secret(hello->secret, session->secret)) {
        live_refuse(client, WEND_LIVE_DENIED, "the session is another client's: the secret is not its own");
        return false;
    }
    if (session->connection == client->connection) return true;
    resume(client, session);
    return true;
}

static void put_limits(const wend_live *live, live_text *text) {
    const char *separator = "";
    live_puts(text, ",\"limits\":{");
#define WEND_X(name, standard, least, most, words)                                                                     \
    live_puts(text, separator), live_puts(text, "\"" #name "\":"), live_put_number(text, live->limits.name);           \
    separator = ",";
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
    live_puts(text, "}");
}

static int compare_ids(const void *a, const void *b) {
    const live_kept *one = *(live_kept *const *)a, *two = *(live_kept *const *)b;
    if (one->id_length != two->id_length) return one->id_length < two->id_length ? -1 : 1;
    return memcmp(one->bytes + one->count, two->bytes + two->count, one->id_length);
}

/* Returns the kept messages in the order of their ids. NULL: there are none, or no memory. */
static live_kept **sort_kept(const live_session *session, size_t *count) {
    *count = 0;
    for (const live_kept *kept = session->kept; kept; kept = kept->next) ++*count;
    live_kept **sorted = *count > 0 ? malloc(*count * sizeof(live_kept *)) : NULL;
    size_t used = 0;
    for (live_kept *kept = session->kept; sorted && kept; kept = kept->next) sorted[used++] = kept;
    if (sorted) qsort(sorted, used, sizeof *sorted, compare_ids);
    *count = used;
    return sorted;
}

static int compare_id(const void *a, const void *b) {
    const live_id_text *id = a;
    const live_kept *kept = *(live_kept *const *)b;
    if (id->length != kept->id_length) return id->length < kept->id_length ? -1 : 1;
    return memcmp(id->text, kept->bytes + kept->count, id->length);
}

/* Lists ids that the client waits for and the server lost: it was restarted, or no longer kept them. Both lists may be
 * long, so one is sorted. */
static void send_lost(live_client *client) {
    const json_t *waiting = client->live->message.hello.waiting;
    size_t count;
    live_kept **sorted = json_array_size(waiting) > 0 ? sort_kept(client->session, &count) : NULL;
    for (size_t i = 0; i < json_array_size(waiting); i++) {
        live_id_text id;
        if (!live_id_read(json_array_get(waiting, i), &id) || live_pending_find(client->session, &id)) continue;
        if (sorted && bsearch(&id, sorted, count, sizeof *sorted, compare_id)) continue;
        live_send_lost(client->connection, id.text, id.length);
    }
    free(sorted);
}

void live_answer_hello(live_client *client) {
    wend_live *live = client->live;
    bool owner;
    if (live->message.hello.protocol != 1) {
        live_refuse(client, WEND_LIVE_BAD_ARGUMENT, "this server speaks protocol 1");
        return;
    }
    if (client->greeted || client->session->pending_count > 0) {
        live_refuse(client, WEND_LIVE_BAD_ARGUMENT, "hello comes once, before requests");
        return;
    }
    if (json_array_size(live->message.hello.waiting) > live->limits.requests) {
        live_refuse(client, WEND_LIVE_TOO_LARGE, "\"waiting\" has more ids than may be in flight");
        return;
    }
    if (!check_token(client, &owner) || !attach_session(client)) return;
    client->greeted = true;
    live_known(client->connection);
    client->session->owner = owner;
    client->session->runs = live->message.hello.runs;
    live_text *text = live_answer_begin(live, &live->message.id);
    live_put_field(text, "protocol", 1);
    live_puts(text, ",\"server\":\"wend ");
    live_puts(text, wend_version());
    live_puts(text, "\"");
    if (live->message.hello.session) {
        live_put_key(text, "session");
        live_put_string(text, client->session->name, strlen(client->session->name));
        live_puts(text, ",\"secret\":\"");
        live_puts(text, client->session->secret);
        live_puts(text, "\"");
    }
    live_puts(text, owner ? ",\"owner\":true" : ",\"owner\":false");
    live_puts(text, live->def.read_only || !live->def.on_order ? ",\"read_only\":true" : ",\"read_only\":false");
    if (live->term > 0) live_put_owner(live, text);
    if (live->def.file_count > 0) live_put_field(text, "files", live->def.file_count);
    put_limits(live, text);
    live_answer_end(client);
    send_lost(client);
    live_session_catch_up(client->session);
}
