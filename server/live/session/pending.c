/* SPDX-License-Identifier: MIT */
/* Ids in use: a hash table over all sessions, and references for orders. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "live/must/must.h"
#include "live/session/session.h"

/* Returns the hash of an id, begun with the session's number. */
static uint64_t hash_id(const live_session *session, const char *id, size_t length) {
    return wend__hash_name(WEND__HASH_START ^ session->number * UINT64_C(0x9E3779B97F4A7C15), id, length);
}

live_pending *live_pending_find(const live_session *session, const live_id_text *id) {
    const live_sessions *all = session->all;
    if (!session->pending) return NULL;
    const uint64_t hash = hash_id(session, id->text, id->length);
    live_pending *pending = all->table[hash & (all->table_size - 1)];
    for (; pending; pending = pending->next_hashed)
        if (pending->hash == hash && pending->session == session && pending->length == id->length &&
            memcmp(pending->id, id->text, id->length) == 0)
            break;
    return pending;
}

bool live_pending_was(const live_session *session, const live_id_text *id) {
    const uint64_t hash = hash_id(session, id->text, id->length);
    if (session->done_count >= LIVE_REMEMBERED) return true;
    for (uint64_t i = 0; i < session->done_count; i++)
        if (session->done[i] == hash) return true;
    return false;
}

static bool grow_table(live_sessions *all) {
    if (all->pending < all->table_size) return true;
    const size_t size = all->table_size == 0 ? 256 : all->table_size * 2;
    live_pending **table = calloc(size, sizeof *table);
    if (!table) return all->table_size > 0;
    for (size_t i = 0; i < all->table_size; i++)
        for (live_pending *pending = all->table[i], *next; pending; pending = next) {
            next = pending->next_hashed;
            pending->next_hashed = table[pending->hash & (size - 1)];
            table[pending->hash & (size - 1)] = pending;
        }
    free(all->table);
    all->table = table;
    all->table_size = size;
    return true;
}

static live_pending *take_memory(live_sessions *all, size_t length) {
    live_pending *spare = all->spare;
    if (length > LIVE_SHORT_ID) return malloc(sizeof *spare + length);
    if (!spare) return malloc(sizeof *spare + LIVE_SHORT_ID);
    MUST(all->spare_count > 0);
    all->spare = spare->next;
    all->spare_count--;
    return spare;
}

static void give_memory(live_sessions *all, live_pending *pending) {
    if (!all || pending->length > LIVE_SHORT_ID || all->spare_count == LIVE_SPARES) {
        free(pending);
        return;
    }
    pending->next = all->spare;
    all->spare = pending;
    all->spare_count++;
}

live_pending *live_pending_new(live_session *session, const live_id_text *id) {
    live_sessions *all = session->all;
    if (!grow_table(all)) return NULL;
    live_pending *pending = take_memory(all, id->length);
    if (!pending) return NULL;
    *pending = (live_pending){.all = all, .session = session, .visit = session->visits, .length = id->length};
    memcpy(pending->id, id->text, id->length);
    pending->hash = hash_id(session, id->text, id->length);
    live_pending **place = &all->table[pending->hash & (all->table_size - 1)];
    pending->next_hashed = *place;
    *place = pending;
    pending->next = session->pending;
    if (pending->next) pending->next->previous = pending;
    session->pending = pending;
    session->pending_count++;
    all->pending++;
    return pending;
}

static void unlink_pending(live_pending *pending) {
    live_sessions *all = pending->all;
    live_pending **at = &all->table[pending->hash & (all->table_size - 1)];
    while (*at && *at != pending) at = &(*at)->next_hashed;
    MUST(*at == pending && all->pending > 0);
    *at = pending->next_hashed;
    all->pending--;
    all->deadlines -= pending->has_deadline;
    if (!pending->service && pending->slot > 0) {
        const uint32_t slot = pending->slot - 1;
        MUST(slot < all->slot_count && all->slots[slot] == pending);
        all->generations[slot]++;
        all->slots[slot] = NULL;
        if (slot < all->free_slot) all->free_slot = slot;
    }
    live_session *session = pending->session;
    if (!session) return;
    MUST(session->pending_count > 0 && (pending->previous || session->pending == pending));
    if (pending->next) pending->next->previous = pending->previous;
    if (pending->previous)
        pending->previous->next = pending->next;
    else
        session->pending = pending->next;
    session->pending_count--;
}

/* Room grows by powers of two from LEAST. */
static void remember_id(live_session *session, uint64_t hash) {
    enum { LEAST = 64 };
    const uint64_t count = session->done_count;
    if (count == 0 || (count >= LEAST && count < LIVE_REMEMBERED && (count & (count - 1)) == 0)) {
        uint64_t *done = realloc(session->done, (count == 0 ? LEAST : count * 2) * sizeof *done);
        if (!done) return;
        session->done = done;
    }
    session->done[session->done_count++ % LIVE_REMEMBERED] = hash;
}

void live_pending_free(live_pending *pending, bool remember) {
    if (pending->all) unlink_pending(pending);
    if (remember && pending->session) remember_id(pending->session, pending->hash);
    free(pending->batch);
    give_memory(pending->all, pending);
}

/* ---- references: a slot and its generation, never 0 ---- */

static bool grow_slots(live_sessions *all) {
    if (all->slot_count < all->slot_capacity) return true;
    const uint32_t capacity = all->slot_capacity == 0 ? 64 : all->slot_capacity * 2;
    live_pending **slots = realloc(all->slots, capacity * sizeof *slots);
    if (slots) all->slots = slots;
    uint32_t *generations = realloc(all->generations, capacity * sizeof *generations);
    if (generations) all->generations = generations;
    if (!slots || !generations) return false;
    all->slot_capacity = capacity;
    return true;
}

uint64_t live_pending_refer(live_pending *pending) {
    live_sessions *all = pending->all;
    uint32_t slot = all->free_slot;
    while (slot < all->slot_count && all->slots[slot]) slot++;
    if (slot == all->slot_count) {
        if (!grow_slots(all)) return 0;
        all->generations[all->slot_count++] = 0;
    }
    MUST(slot < all->slot_count && all->slot_count <= all->slot_capacity);
    all->slots[slot] = pending;
    all->free_slot = slot + 1;
    pending->slot = slot + 1;
    return (uint64_t)all->generations[slot] << 32 | pending->slot;
}

live_pending *live_pending_by_reference(const live_sessions *all, uint64_t reference) {
    const uint32_t slot = (uint32_t)reference - 1;
    if ((uint32_t)reference == 0 || slot >= all->slot_count) return NULL;
    return all->generations[slot] == (uint32_t)(reference >> 32) ? all->slots[slot] : NULL;
}
