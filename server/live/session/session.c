/* SPDX-License-Identifier: MIT */
/* Sessions: their list, names and secrets, and their end. */
#define _GNU_SOURCE

#include "live/session/session.h"
#include "live/must/must.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash.h"

/* ---- numbers: a slot and its generation, never 0 ---- */

static bool grow_numbers(live_sessions *all) {
    if (all->numbered_count < all->numbered_capacity) return true;
    const uint32_t capacity = all->numbered_capacity == 0 ? 64 : all->numbered_capacity * 2;
    live_session **numbered = realloc(all->numbered, capacity * sizeof *numbered);
    if (numbered) all->numbered = numbered;
    uint32_t *numbers = realloc(all->numbers, capacity * sizeof *numbers);
    if (numbers) all->numbers = numbers;
    if (!numbered || !numbers) return false;
    all->numbered_capacity = capacity;
    return true;
}

static bool allocate_number(live_session *session) {
    live_sessions *all = session->all;
    uint32_t slot = all->free_number;
    while (slot < all->numbered_count && all->numbered[slot]) slot++;
    if (slot == all->numbered_count) {
        if (!grow_numbers(all)) return false;
        all->numbers[all->numbered_count++] = 0;
    }
    all->numbered[slot] = session;
    all->free_number = slot + 1;
    session->number = (uint64_t)all->numbers[slot] << 32 | (slot + 1);
    return true;
}

static void give_number(live_session *session) {
    live_sessions *all = session->all;
    const uint32_t slot = (uint32_t)session->number - 1;
    all->numbered[slot] = NULL;
    all->numbers[slot]++;
    if (slot < all->free_number) all->free_number = slot;
}

live_session *live_session_by_number(const live_sessions *all, uint64_t number) {
    const uint32_t slot = (uint32_t)number - 1;
    if ((uint32_t)number == 0 || slot >= all->numbered_count) return NULL;
    return all->numbers[slot] == (uint32_t)(number >> 32) ? all->numbered[slot] : NULL;
}

/* ---- the list ---- */

live_session *live_session_new(live_sessions *all, live_connection *connection) {
    live_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->all = all;
    if (!allocate_number(session)) {
        free(session);
        return NULL;
    }
    session->connection = connection;
    session->kept_end = &session->kept;
    session->next = all->first;
    if (session->next) session->next->previous = session;
    all->first = session;
    return session;
}

static live_session **bucket_of(live_sessions *all, const char *name) {
    return &all->names[wend__hash_name(WEND__HASH_START, name, strlen(name)) % LIVE_NAME_BUCKETS];
}

static void add_name(live_session *session, const char *name) {
    live_session **bucket = bucket_of(session->all, name);
    strncpy(session->name, name, LIVE_MAX_NAME);
    session->next_named = *bucket;
    *bucket = session;
    session->all->named++;
}

static void remove_name(live_session *session) {
    live_session **at = bucket_of(session->all, session->name);
    while (*at != session) at = &(*at)->next_named;
    *at = session->next_named;
    session->all->named--;
}

bool live_session_name(live_session *session, const char *name) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[LIVE_SECRET_BYTES / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        session->secret[2 * i] = digits[bytes[i] >> 4];
        session->secret[2 * i + 1] = digits[bytes[i] & 15];
    }
    add_name(session, name);
    return true;
}

live_session *live_session_find(live_sessions *all, const char *name) {
    live_session *session = *bucket_of(all, name);
    while (session && strcmp(session->name, name) != 0) session = session->next_named;
    return session;
}

/* ---- sessions that are away, in the order in which they went ---- */

static void add_away(live_session *session, uint64_t now_ms) {
    live_sessions *all = session->all;
    session->away_ms = now_ms;
    session->next_away = NULL;
    session->previous_away = all->last_away;
    if (all->last_away)
        all->last_away->next_away = session;
    else
        all->first_away = session;
    all->last_away = session;
    all->away++;
}

static void remove_away(live_session *session) {
    live_sessions *all = session->all;
    if (session->next_away)
        session->next_away->previous_away = session->previous_away;
    else
        all->last_away = session->previous_away;
    if (session->previous_away)
        session->previous_away->next_away = session->next_away;
    else
        all->first_away = session->next_away;
    all->away--;
}

void live_session_return(live_session *session, live_connection *connection) {
    remove_away(session);
    session->connection = connection;
    session->visits++;
}

/* Messages that the socket took are no longer missed. */
static void forget_sent(live_session *session, uint64_t sent) {
    while (session->kept && session->kept->position <= sent) {
        live_kept *kept = session->kept;
        session->kept = kept->next;
        session->kept_bytes -= kept->count;
        free(kept);
    }
    if (!session->kept) session->kept_end = &session->kept;
}

void live_session_leave(live_session *session, uint64_t now_ms) {
    const uint64_t sent = session->connection->outbox.sent;
    session->connection = NULL;
    if (session->name[0] == '\0') {
        live_session_end(session);
        return;
    }
    add_away(session, now_ms);
    forget_sent(session, sent);
    for (live_kept *kept = session->kept; kept; kept = kept->next) kept->position = UINT64_MAX;
}

void live_session_end(live_session *session) {
    live_sessions *all = session->all;
    for (live_pending *pending = session->pending, *next; pending; pending = next) {
        next = pending->next;
        if (pending->service) wend_service_cancel(pending->service, pending->ticket);
        pending->session = NULL;
    }
    if (session->next) session->next->previous = session->previous;
    if (session->previous)
        session->previous->next = session->next;
    else
        all->first = session->next;
    if (session->name[0] != '\0' && !session->connection) remove_away(session);
    if (session->name[0] != '\0') remove_name(session);
    give_number(session);
    forget_sent(session, UINT64_MAX);
    free(session->done);
    free(session);
}

void live_sessions_expire(live_sessions *all, uint64_t now_ms, uint64_t most, uint64_t most_ms) {
    live_session *oldest;
    while ((oldest = all->first_away) && (all->away > most || now_ms - oldest->away_ms > most_ms))
        live_session_end(oldest);
}

void live_sessions_free(live_sessions *all) {
    while (all->first) live_session_end(all->first);
    for (size_t i = 0; i < all->table_size; i++)
        for (live_pending *pending = all->table[i], *next; pending; pending = next) {
            next = pending->next_hashed;
            pending->all = NULL;
            if (!pending->service) live_pending_free(pending, false);
        }
    for (live_pending *spare; (spare = all->spare) != NULL; free(spare)) all->spare = spare->next;
    free(all->table);
    free(all->numbered);
    free(all->numbers);
    free(all->slots);
    free(all->generations);
    *all = (live_sessions){0};
}

/* ---- what must hold ---- */

static void check_session(const live_sessions *all, const live_session *session) {
    MUST(session->all == all && live_session_by_number(all, session->number) == session);
    MUST(!session->next || session->next->previous == session);
    MUST((session->previous ? session->previous->next : all->first) == session);
    MUST(session->name[0] != '\0' || session->connection);
    MUST((session->pending_count == 0) == !session->pending);
    MUST(session->pending_count <= all->pending);
    MUST(!session->pending || (session->pending->session == session && !session->pending->previous));
    MUST(session->kept ? !*session->kept_end : session->kept_end == &session->kept && session->kept_bytes == 0);
    MUST(session->kept_bytes <= all->most_kept_bytes);
}

void live_sessions_check(const live_sessions *all) {
    enum { FEW = 8 };
    const live_session *session = all->first;
    MUST(all->away <= all->named && (all->away == 0) == !all->first_away && !all->first_away == !all->last_away);
    MUST(!all->first_away || (!all->first_away->previous_away && !all->first_away->connection));
    MUST(all->deadlines <= all->pending && (all->pending == 0 || all->table));
    MUST((all->table_size & (all->table_size - 1)) == 0);
    MUST(all->spare_count <= LIVE_SPARES && (all->spare_count == 0) == !all->spare);
    MUST(all->slot_count <= all->slot_capacity && all->free_slot <= all->slot_count);
    MUST(all->numbered_count <= all->numbered_capacity && all->free_number <= all->numbered_count);
    for (int i = 0; i < FEW && session; i++, session = session->next) check_session(all, session);
}

/* ---- missed messages ---- */

/* Makes a kept message; a completion's id follows its text. Returns NULL if out of memory. */
static live_kept *make_kept(const live_pending *pending, const char *bytes, size_t count, bool lost) {
    const size_t length = pending ? pending->length : 0;
    live_kept *kept = malloc(sizeof *kept + count + length);
    if (!kept) return NULL;
    *kept = (live_kept){.position = UINT64_MAX, .lost = lost, .count = count, .id_length = length};
    if (count > 0) memcpy(kept->bytes, bytes, count);
    if (length > 0) memcpy(kept->bytes + count, pending->id, length);
    return kept;
}

static void append(live_session *session, live_kept *kept) {
    *session->kept_end = kept;
    session->kept_end = &kept->next;
    session->kept_bytes += kept->count;
}

/* If there is too much, the oldest are lost: only the ids of completions stay, so there are no more of them than
 * requests; nothing stays of an event. */
static void make_room(live_session *session) {
    for (live_kept **at = &session->kept, *kept = *at; kept && session->kept_bytes > session->all->most_kept_bytes;
         kept = *at) {
        if (!kept->lost) session->kept_bytes -= kept->count;
        if (kept->id_length == 0) {
            *at = kept->next;
            if (!kept->next) session->kept_end = at;
            session->all->lost++;
            free(kept);
            continue;
        }
        at = &kept->next;
        if (kept->lost) continue;
        memmove(kept->bytes, kept->bytes + kept->count, kept->id_length);
        kept->count = 0;
        kept->lost = true;
        session->all->lost++;
    }
}

void live_send_lost(live_connection *connection, const char *id, size_t length) {
    live_text text = {0};
    if (length == 0) return;
    live_puts(&text, "{\"id\":");
    live_put(&text, id, length);
    live_puts(&text, ",\"lost\":true}");
    if (!text.starved) live_send(connection, text.bytes, text.used, false);
    live_text_free(&text);
}

/* Returns whether its client has so much unread that it gets nothing more. */
static bool is_full(const live_session *session) {
    enum { HARD = 8 };
    const live_connection *connection = session->connection;
    return connection && live_connection_waiting(connection) > HARD * connection->net->def.queue_bytes;
}

void live_deliver(live_session *session, const live_pending *pending, const live_text *text) {
    live_connection *connection = session->connection;
    const bool lost = text->starved || is_full(session);
    if (connection && lost) {
        if (pending) live_send_lost(connection, pending->id, pending->length);
        session->all->lost++;
    } else if (connection) {
        live_send(connection, text->bytes, text->used, false);
    }
    if (session->name[0] == '\0' || (lost && !pending)) return;
    if (connection) forget_sent(session, connection->outbox.sent);
    live_kept *kept = make_kept(pending, text->bytes, lost ? 0 : text->used, lost);
    if (!kept) return;
    if (connection) kept->position = connection->outbox.put;
    append(session, kept);
    make_room(session);
}

void live_session_catch_up(live_session *session) {
    live_connection *connection = session->connection;
    for (live_kept *kept = session->kept; kept; kept = kept->next) {
        if (kept->lost)
            live_send_lost(connection, kept->bytes + kept->count, kept->id_length);
        else
            live_send(connection, kept->bytes, kept->count, false);
        kept->position = connection->outbox.put;
    }
}
