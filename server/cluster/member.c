/* SPDX-License-Identifier: MIT */
/* The thread of a node's part in the cluster.
 *
 * A follower reads the log, and looks at the lease between entries. Where the lease is free and the log has nothing
 * more, it claims it, and appends an entry with no records: after that the log refuses the owner before.
 * An owner renews. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "cluster/start.h"
#include "cluster/copy.h"
#include "cluster/member.h"
#include "journal/journal_read.h"

enum { NS_A_MS = 1000000, LOOKS_A_LEASE = 8, RENEWALS_A_LEASE = 3, PLACES_MS = 250, MOST_PAGES = 16 };

typedef enum member_role { FOLLOWS, OWNS, WAITS } member_role; ///< WAITS: the loop has to say that nothing is under way

/// A snapshot in the log.
typedef struct snapshot {
    uint64_t sequence, entry; ///< of its first piece
    uint64_t next, pieces;    ///< the piece that comes next, of this many
} snapshot;
/// When the newest note of another node was seen first.
typedef struct seen_note {
    uint64_t key, text, ns; ///< hashes; key 0: none
} seen_note;

struct cluster_member {
    cluster_member_def def;
    uv_async_t wake;
    uv_thread_t thread;
    uv_mutex_t mutex; ///< of what follows
    uv_cond_t changed;
    cluster_event *first, **last;
    cluster_chain chain;
    snapshot partial, newest; ///< the incomplete one, and the newest complete one
    uint64_t until_ns;
    char heir[CLUSTER_NODE_BYTES +
              1]; ///< of the handover under way; "": none. The thread's, until it is reported to the loop
    member_role role;
    bool hands; ///< the lease goes to the heir
    bool fell;  ///< an append was not acknowledged, and may be in the log: only a follower can tell
    bool ends;
    /* Any thread's. */
    _Atomic uint64_t epoch; ///< the map's
    /* The thread's own. */
    cluster_lease lease;
    cluster_holder told; ///< the holder last reported to the loop
    uint64_t next_look_ns, next_note_ns, next_places_ns, next_pages_ns;
    uint64_t expects_ns; ///< until then, this node is about to be given the lease
    cluster_value note;
    cluster_balance balance;
    uint64_t load, load_since_ns, load_used_ns; ///< the last one measured, and from when
    seen_note seen[MOST_PAGES];
    uint64_t places_hash, pages_hash; ///< of the last report to the loop
    bool seeking;                     ///< for a snapshot to start with
    cluster_start place;              ///< while it does
    uint64_t stuck_ns;                ///< since then, the log has no place to begin
    uint64_t behind_ns;               ///< since then, the owner tells of entries that this node has not
    uint64_t cut;                     ///< number of the log's first entry, where this node cut it
    cluster_copy copy;                ///< of the log, that this node keeps for itself
    uint64_t before[2];  ///< entries of the log when the lease was renewed: the last time, and the time before
    int refusals;        ///< of entries without records, one after another
    atomic_bool stopped; ///< it is damaged
    void (*closed)(void *context);
    void *closed_context;
};

/* ---- heads ---- */

static size_t write_head(const cluster_member *member, uint64_t term, const char *words, char *out, size_t capacity) {
    const int length =
        snprintf(out, capacity, "%s# map %s term %" PRIu64 " entry %" PRIu64 " after %016" PRIx64 "%s%s\n",
                 SERVE_JOURNAL_FIRST_LINE, member->def.map, term, member->chain.entry + 1, member->chain.hash,
                 words[0] != '\0' ? " " : "", words);
    return length > 0 && (size_t)length < capacity ? (size_t)length : 0;
}

size_t cluster_member_head(cluster_member *member, const char *words, char *out, size_t capacity) {
    uv_mutex_lock(&member->mutex);
    const size_t length = write_head(member, member->chain.term, words, out, capacity);
    uv_mutex_unlock(&member->mutex);
    return length;
}

/* ---- events ---- */

static void add_events(cluster_member *member, cluster_event *first, cluster_event **last) {
    uv_mutex_lock(&member->mutex);
    *member->last = first;
    member->last = last;
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
}

static void send_event(cluster_member *member, cluster_event_kind kind, cluster_bytes bytes) {
    cluster_event *event = calloc(1, sizeof *event);
    if (!event) {
        free(bytes.bytes);
        member->stopped = true;
        return;
    }
    *event = (cluster_event){.kind = kind, .bytes = bytes, .holder = member->lease.holder};
    add_events(member, event, &event->next);
}

static void stop(cluster_member *member, const char *why) {
    cluster_event *event = calloc(1, sizeof *event);
    member->stopped = true;
    if (!event) return;
    event->kind = CLUSTER_DAMAGED;
    snprintf(event->why, sizeof event->why, "%s", why);
    add_events(member, event, &event->next);
}

static void on_wake(uv_async_t *wake) {
    cluster_member *member = wake->data;
    for (;;) {
        uv_mutex_lock(&member->mutex);
        cluster_event *event = member->ends ? NULL : member->first;
        if (event) member->first = event->next;
        if (!member->first) member->last = &member->first;
        uv_mutex_unlock(&member->mutex);
        if (!event) return;
        member->def.on_event(member->def.context, event);
        free(event->bytes.bytes);
        free(event);
    }
}

static void wake_thread(cluster_member *member, member_role role) {
    uv_mutex_lock(&member->mutex);
    member->role = role;
    member->hands = member->fell = false;
    member->until_ns = 0;
    uv_cond_signal(&member->changed);
    uv_mutex_unlock(&member->mutex);
}

/* ---- the log ---- */

/* Pieces of a snapshot that was not finished are followed by no next one. A world that begins again is a snapshot, too:
 * of the world's file. */
static void track_snapshot(cluster_member *member, uint64_t sequence, const cluster_head *head) {
    snapshot *partial = &member->partial;
    if (head->fresh || head->piece == 1)
        *partial = (snapshot){sequence, head->entry, 2, head->fresh ? 1 : head->pieces};
    else if (head->piece == 0)
        return;
    else if (head->piece != partial->next++ || head->pieces != partial->pieces)
        *partial = (snapshot){.next = 0};
    if (partial->sequence == 0 || partial->next <= partial->pieces) return;
    member->newest = *partial;
    member->chain.snapshot = head->entry;
    member->chain.bytes = 0;
    *partial = (snapshot){.next = 0};
}

static void go_on(cluster_member *member, const cluster_bytes *bytes, const cluster_head *head) {
    cluster_chain *chain = &member->chain;
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, bytes->bytes, bytes->size);
    uv_mutex_lock(&member->mutex);
    *chain =
        (cluster_chain){bytes->sequence, head->entry, hash, head->term, chain->snapshot, chain->bytes + bytes->size};
    track_snapshot(member, bytes->sequence, head);
    uv_mutex_unlock(&member->mutex);
}

/* Starts at the found place, and goes on behind this sequence of the log. */
static bool start_at(cluster_member *member, cluster_start *place, uint64_t sequence) {
    const cluster_head *head = &place->head;
    cluster_copy *copy = &member->copy;
    const char *wrong = copy->last + 1 < head->entry ? cluster_copy_begin(copy, head->entry) : NULL;
    if (wrong) stop(member, wrong);
    if (wrong) return false;
    uv_mutex_lock(&member->mutex);
    member->chain = (cluster_chain){.sequence = sequence, .entry = head->entry - 1, .hash = head->after};
    member->partial = member->newest = (snapshot){.next = 0};
    uv_mutex_unlock(&member->mutex);
    if (place->pieces) add_events(member, place->pieces, place->last);
    place->pieces = NULL;
    member->seeking = false;
    return true;
}

/* ---- reading ---- */

/* An entry that skips one was written without knowledge of this log. Where entries are missing, the
 * log was cut: the node begins again. */
static bool check_entry(cluster_member *member, cluster_bytes bytes) {
    const cluster_chain *chain = &member->chain;
    char why[CLUSTER_WHY_BYTES];
    cluster_head head;
    bool good =
        cluster_head_read(bytes.bytes, &head) && strcmp(head.map, member->def.map) == 0 && head.term >= chain->term;
    if (good && head.entry > chain->entry + 1) {
        member->seeking = true;
        cluster_start_drop(&member->place);
        member->place = (cluster_start){.after = bytes.sequence - 1};
        free(bytes.bytes);
        return true;
    }
    good = good && head.entry == chain->entry + 1 && head.after == chain->hash;
    if (!good) {
        snprintf(why, sizeof why, "the log of map %s does not go on behind entry %" PRIu64, member->def.map,
                 chain->entry);
        free(bytes.bytes);
        stop(member, why);
        return false;
    }
    const char *wrong = cluster_copy_entry(&member->copy, head.entry, bytes.bytes, bytes.size);
    if (wrong) {
        free(bytes.bytes);
        stop(member, wrong);
        return false;
    }
    go_on(member, &bytes, &head);
    if (strcmp(head.heir, member->def.node) == 0) {
        enum { SOON_MS = 500 };
        member->expects_ns = cluster_now_ns() + (uint64_t)SOON_MS * NS_A_MS;
        member->next_look_ns = 0;
    }
    send_event(member, CLUSTER_ENTRY, bytes);
    return true;
}

/* @return false: there is nothing more, for now */
static bool read_entry(cluster_member *member, int wait_ms) {
    cluster_start *place = &member->place;
    cluster_bytes bytes = {0};
    const uint64_t after = member->seeking ? place->after : member->chain.sequence;
    if (member->def.store->read(member->def.store, member->def.map, after, wait_ms, &bytes) != CLUSTER_DONE)
        return false;
    member->stuck_ns = member->behind_ns = 0;
    if (!member->seeking) return check_entry(member, bytes);
    return !cluster_start_read(place, bytes) || start_at(member, place, place->sequence - 1);
}

static void sleep_until(cluster_member *member, uint64_t ns) {
    const uint64_t now = cluster_now_ns();
    uv_mutex_lock(&member->mutex);
    if (!member->ends && ns > now) (void)uv_cond_timedwait(&member->changed, &member->mutex, ns - now);
    uv_mutex_unlock(&member->mutex);
}

/* An entry that this node appended is the log's last one now. */
static void follow_append(cluster_member *member, const char *bytes, size_t size, uint64_t sequence) {
    const cluster_bytes entry = {(char *)(uintptr_t)bytes, size, sequence};
    cluster_head head;
    if (cluster_head_read(bytes, &head)) go_on(member, &entry, &head);
}

/* The lease may still be renewed, by a late answer: but this node lacks the log's last entry. */
static void fall(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    member->fell = true;
    member->until_ns = 0;
    uv_cond_signal(&member->changed);
    uv_mutex_unlock(&member->mutex);
}

cluster_outcome cluster_member_append(cluster_member *member, const char *bytes, size_t size) {
    enum { AGAIN_NS = 20 * NS_A_MS };
    uint64_t sequence = 0;
    cluster_outcome outcome;
    for (;;) {
        outcome = !cluster_member_owns(member)
                      ? CLUSTER_REFUSED
                      : member->def.store->append(member->def.store, member->def.map, member->chain.sequence, bytes,
                                                  size, &sequence);
        if (outcome != CLUSTER_UNKNOWN) break;
        nanosleep(&(struct timespec){.tv_nsec = AGAIN_NS}, NULL);
    }
    if (outcome == CLUSTER_DONE) {
        const char *wrong = cluster_copy_entry(&member->copy, member->chain.entry + 1, bytes, size);
        if (wrong) {
            stop(member, wrong);
            return CLUSTER_UNKNOWN;
        }
        follow_append(member, bytes, size, sequence);
    } else if (outcome != CLUSTER_FAILED) {
        fall(member);
    }
    return outcome;
}

/* ---- a follower ---- */

static void set_role(cluster_member *member, member_role role, uint64_t until_ns) {
    uv_mutex_lock(&member->mutex);
    member->role = role;
    member->until_ns = member->hands || member->fell ? 0 : until_ns;
    uv_mutex_unlock(&member->mutex);
}

static void send_holder(cluster_member *member) {
    const cluster_holder *now = &member->lease.holder;
    if (now->term == member->told.term && strcmp(now->node, member->told.node) == 0) return;
    member->told = *now;
    send_event(member, CLUSTER_HOLDER, (cluster_bytes){0});
}

/* An entry without records. */
static bool append_head(cluster_member *member, uint64_t term, const char *words) {
    char head[512];
    uint64_t sequence = 0;
    size_t length = write_head(member, term, words, head, sizeof head - SERVE_JOURNAL_SEAL_BYTES - 1);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, head, length), head + length);
    length += SERVE_JOURNAL_SEAL_BYTES;
    const cluster_outcome outcome =
        member->def.store->append(member->def.store, member->def.map, member->chain.sequence, head, length, &sequence);
    member->refusals += outcome == CLUSTER_REFUSED;
    if (outcome != CLUSTER_DONE) return false;
    const char *wrong = cluster_copy_entry(&member->copy, member->chain.entry + 1, head, length);
    if (wrong) stop(member, wrong);
    follow_append(member, head, length, sequence);
    return !wrong;
}

/* A new owner reads what the one before it wrote last. Once the entry of its term is there, the one before cannot
 * append behind it. */
static bool begin_term(cluster_member *member) {
    enum { MANY = 3 };
    while (cluster_now_ns() < member->lease.until_ns && !member->stopped && member->refusals <= MANY) {
        while (read_entry(member, 0)) continue;
        if (!member->stopped && !member->seeking && append_head(member, member->lease.holder.term, "")) {
            member->refusals = 0;
            return true;
        }
        sleep_until(member, cluster_now_ns() + 10 * NS_A_MS);
    }
    if (member->refusals > MANY && !member->stopped)
        stop(member, "the log refuses entries behind the last one that this node knows: it has lost some. Start this "
                     "node again; its journal brings them back");
    return false;
}

static void campaign(cluster_member *member) {
    cluster_holder self = {.entry = member->chain.entry, .epoch = member->epoch};
    snprintf(self.node, sizeof self.node, "%s", member->def.node);
    snprintf(self.lines, sizeof self.lines, "%s", member->def.lines);
    snprintf(self.page, sizeof self.page, "%s", member->def.page);
    if (cluster_lease_claim(&member->lease, &self, member->chain.term) != CLUSTER_DONE) return;
    if (begin_term(member)) {
        set_role(member, OWNS, member->lease.until_ns);
        member->told = member->lease.holder;
        send_event(member, CLUSTER_ELECTED, (cluster_bytes){0});
    } else {
        (void)cluster_lease_release(&member->lease, "-");
    }
    member->next_look_ns = 0;
}

/// The other nodes, by those of their notes that are not old.
typedef struct others {
    cluster_member *member;
    uint64_t entries; ///< the most that one of them has
    char pages[MOST_PAGES * (CLUSTER_ADDRESS_BYTES + 1) + 1];
} others;

/* A note is old if it did not change for a while by this node's own clock: real clocks may be set. A note seen for the
 * first time, or one without room to be remembered, is not old. */
static bool is_old(cluster_member *member, const char *key, const char *text) {
    enum { SILENT_MS = 10000 };
    const seen_note now = {wend__hash_bytes(WEND__HASH_START, key, strlen(key)),
                           wend__hash_bytes(WEND__HASH_START, text, strlen(text)), cluster_now_ns()};
    size_t i = 0;
    while (i < MOST_PAGES && member->seen[i].key != now.key && member->seen[i].key != 0) i++;
    if (i == MOST_PAGES) return false;
    if (member->seen[i].key == now.key && member->seen[i].text == now.text)
        return now.ns - member->seen[i].ns >= (uint64_t)SILENT_MS * NS_A_MS;
    member->seen[i] = now;
    return false;
}

static void read_note(void *context, const char *key) {
    others *out = context;
    const cluster_member_def *def = &out->member->def;
    cluster_value value;
    cluster_note note;
    char own[CLUSTER_KEY_BYTES + 1];
    cluster_node_key(def->map, def->node, own);
    if (strcmp(key, own) == 0 || def->store->get(def->store, key, &value) != CLUSTER_DONE) return;
    if (!cluster_note_read(value.text, &note) || is_old(out->member, key, value.text)) return;
    if (note.entry > out->entries) out->entries = note.entry;
    const size_t used = strlen(out->pages);
    if (strcmp(note.page, "-") != 0 && used + strlen(note.page) + 2 <= sizeof out->pages)
        snprintf(out->pages + used, sizeof out->pages - used, "%s%s", used > 0 ? " " : "", note.page);
}

static cluster_outcome ask_others(cluster_member *member, others *out) {
    char prefix[CLUSTER_KEY_BYTES + 1];
    *out = (others){.member = member};
    cluster_node_key(member->def.map, "", prefix);
    return member->def.store->list(member->def.store, prefix, read_note, out);
}

/* Where the log has lost entries, the node that has most of them brings them back. */
static bool another_has_more(cluster_member *member) {
    others found;
    if (member->copy.last <= member->chain.entry) return false;
    return ask_others(member, &found) != CLUSTER_DONE || found.entries > member->copy.last;
}

/* The log has no place to begin: another node may be about to bring it back. */
static void wait_for_others(cluster_member *member) {
    enum { PATIENCE_MS = 10000 };
    char why[CLUSTER_WHY_BYTES];
    const uint64_t now = cluster_now_ns();
    if (member->stuck_ns == 0) member->stuck_ns = now;
    if (now - member->stuck_ns < (uint64_t)PATIENCE_MS * NS_A_MS) return;
    snprintf(why, sizeof why,
             "the log of map %s has lost entries, and this node's journal does not go on behind it: start the node "
             "whose journal does, which brings them back",
             member->def.map);
    stop(member, why);
}

/* Returns whether there is no entry in the log. */
static bool log_is_empty(cluster_member *member) {
    cluster_bytes bytes;
    const cluster_outcome outcome = member->def.store->read(member->def.store, member->def.map, 0, 0, &bytes);
    if (outcome == CLUSTER_DONE) free(bytes.bytes);
    return outcome == CLUSTER_NOTHING;
}

/* Starts with the copy's snapshot, where the log is empty, or has only a part of that one. */
static bool start_from_copy(cluster_member *member) {
    cluster_start place;
    const bool partly = member->seeking && member->copy.last > 0 && member->place.first == member->copy.first;
    if (!partly && (member->seeking || member->chain.entry > 0)) {
        wait_for_others(member);
        return false;
    }
    if (!partly && !log_is_empty(member)) return false;
    const uint64_t sequence = partly ? member->place.first_sequence - 1 : 0;
    const bool started = cluster_copy_find(&member->copy, &place) && start_at(member, &place, sequence);
    cluster_start_drop(&place);
    cluster_start_drop(&member->place);
    return started;
}

/* Entries that the log had, and that only this node's copy has now, go into the log again. */
static bool bring_back(cluster_member *member) {
    cluster_store *store = member->def.store;
    const cluster_chain *chain = &member->chain;
    cluster_bytes entry;
    uint64_t sequence;
    if (member->seeking || (member->copy.last > chain->entry && chain->entry + 1 < member->copy.first)) {
        if (!start_from_copy(member)) return false;
        while (read_entry(member, 0)) continue;
    }
    while (!member->stopped && member->copy.last > chain->entry) {
        if (!cluster_copy_read(&member->copy, chain->entry + 1, &entry)) return false;
        const cluster_outcome outcome =
            store->append(store, member->def.map, chain->sequence, entry.bytes, entry.size, &sequence);
        entry.sequence = sequence;
        if (outcome == CLUSTER_DONE) {
            check_entry(member, entry);
            continue;
        }
        free(entry.bytes);
        return false;
    }
    return !member->stopped && !member->seeking;
}

/* Returns true if the log has fewer entries than the lease has counted. */
static bool log_was_lost(cluster_member *member) {
    char why[CLUSTER_WHY_BYTES];
    const uint64_t known = member->lease.holder.entry;
    if (known <= member->chain.entry) return false;
    snprintf(why, sizeof why,
             "the log of map %s has %" PRIu64 " entries, and had %" PRIu64 ": start the node whose journal has them, "
             "which brings them back",
             member->def.map, member->chain.entry, known);
    stop(member, why);
    return true;
}

/* Looks at the lease, often where this node is its heir. */
/* A log that was lost and brought back, but for what was cut, has lower sequences: a node that still follows the one
 * before finds nothing behind its last entry, though the owner tells of more. */
static bool follows_another_log(cluster_member *member, uint64_t now) {
    enum { LEASES = 2 };
    cluster_store *store = member->def.store;
    cluster_bytes bytes = {0};
    const bool behind = !member->seeking && member->lease.holder.entry > member->chain.entry;
    if (!behind || member->behind_ns == 0) member->behind_ns = behind ? now : 0;
    if (!behind || now - member->behind_ns < LEASES * member->def.lease_ms * NS_A_MS) return false;
    const bool nothing = store->read(store, member->def.map, member->chain.sequence, 0, &bytes) == CLUSTER_NOTHING;
    free(bytes.bytes);
    if (nothing)
        stop(member, "the log was lost, and another node brought it back. Start this node again, to follow it");
    return nothing;
}

static void watch_lease(cluster_member *member) {
    const cluster_outcome outcome = cluster_lease_watch(&member->lease);
    const uint64_t now = cluster_now_ns();
    enum { OFTEN_MS = 5 };
    member->next_look_ns = now + (now < member->expects_ns ? (uint64_t)OFTEN_MS * NS_A_MS
                                                           : member->def.lease_ms * NS_A_MS / LOOKS_A_LEASE);
    if (outcome == CLUSTER_UNKNOWN) return;
    send_holder(member);
    if (follows_another_log(member, now)) return;
    const bool fresh = !member->seeking && member->chain.entry + member->copy.last == 0;
    if (member->def.never_owns || !cluster_lease_is_free(&member->lease, fresh)) return;
    if (another_has_more(member) || !bring_back(member) || log_was_lost(member)) return;
    campaign(member);
}

/* Puts a part behind those before it, without its first line. @return whether another one follows */
static bool add_part(cluster_member *member, unsigned part, cluster_bytes *all) {
    static const char more[] = "\n" CLUSTER_MORE;
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_bytes bytes = {0};
    cluster_places_key(member->def.map, part, key);
    if (member->def.store->take(member->def.store, key, &bytes) != CLUSTER_DONE) return false;
    const char *line = part > 0 ? memchr(bytes.bytes, '\n', bytes.size) : NULL, *rest = line ? line + 1 : bytes.bytes;
    const size_t size = bytes.size - (size_t)(rest - bytes.bytes), end = sizeof more - 1;
    const bool follows = size > end && memcmp(rest + size - end, more, end) == 0;
    char *grown = realloc(all->bytes, all->size + size + 1);
    if (grown) {
        memcpy(grown + all->size, rest, size + 1);
        *all = (cluster_bytes){grown, all->size + size - (follows ? strlen(CLUSTER_MORE) : 0), 0};
    }
    free(bytes.bytes);
    return grown && follows;
}

static void read_places(cluster_member *member) {
    cluster_bytes bytes = {0};
    for (unsigned part = 0; add_part(member, part, &bytes); part++) {
    }
    if (!bytes.bytes) return;
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, bytes.bytes, bytes.size);
    if (hash == member->places_hash) {
        free(bytes.bytes);
        return;
    }
    member->places_hash = hash;
    send_event(member, CLUSTER_PLACES, bytes);
}

static void follow(cluster_member *member) {
    const uint64_t now = cluster_now_ns();
    const uint64_t next = member->next_look_ns < member->next_places_ns ? member->next_look_ns : member->next_places_ns;
    if (read_entry(member, next > now ? (int)((next - now) / NS_A_MS) : 0)) return;
    if (member->stopped) return;
    if (cluster_now_ns() >= member->next_places_ns) {
        read_places(member);
        member->next_places_ns = cluster_now_ns() + (uint64_t)PLACES_MS * NS_A_MS;
    }
    if (cluster_now_ns() >= member->next_look_ns) watch_lease(member);
}

/* ---- an owner ---- */

static void lose(cluster_member *member) {
    member->heir[0] = '\0';
    set_role(member, WAITS, 0);
    send_event(member, CLUSTER_LOST, (cluster_bytes){0});
}

/* A node that follows, and has all entries but the last few, can own the map at once. Its note may be as old as a
 * renewal, and more came since. */
static bool is_ready(cluster_member *member, const char *node) {
    enum { FEW = 16 };
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_value value;
    cluster_note note;
    cluster_node_key(member->def.map, node, key);
    if (member->def.store->get(member->def.store, key, &value) != CLUSTER_DONE) return false;
    return cluster_note_read(value.text, &note) && note.entry + FEW >= member->before[1];
}

/* A request that another node should own the map ends with the handover, or where that node is not ready. */
static void heed_move(cluster_member *member) {
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_value request;
    cluster_move_key(member->def.map, key);
    if (member->heir[0] != '\0' || member->def.store->get(member->def.store, key, &request) != CLUSTER_DONE) return;
    if (!cluster_is_name(request.text)) return;
    char heir[CLUSTER_NODE_BYTES + 1];
    snprintf(heir, sizeof heir, "%.*s", CLUSTER_NODE_BYTES, request.text);
    request.text[0] = '\0';
    if (member->def.store->set(member->def.store, key, &request) != CLUSTER_DONE) return;
    if (strcmp(heir, member->def.node) == 0 || !is_ready(member, heir)) return;
    snprintf(member->heir, sizeof member->heir, "%s", heir);
    const cluster_holder holder = member->lease.holder;
    snprintf(member->lease.holder.heir, sizeof member->lease.holder.heir, "%s", heir);
    send_event(member, CLUSTER_HAND, (cluster_bytes){0});
    member->lease.holder = holder;
}

static void own(cluster_member *member) {
    const uint64_t part = member->def.lease_ms * NS_A_MS / RENEWALS_A_LEASE;
    const cluster_chain chain = cluster_member_set_epoch(member, UINT64_MAX);
    const cluster_outcome outcome = cluster_lease_renew(&member->lease, chain.entry, member->epoch);
    const uint64_t now = cluster_now_ns();
    if (outcome == CLUSTER_REFUSED || now >= member->lease.until_ns) {
        lose(member);
        return;
    }
    set_role(member, OWNS, member->lease.until_ns);
    member->before[1] = member->before[0];
    member->before[0] = chain.entry;
    if (outcome == CLUSTER_DONE) heed_move(member);
    if (member->def.balance_ms > 0)
        cluster_balance_step(&member->balance, member->def.store, member->def.map, member->def.node,
                             member->def.balance_ms);
    member->next_look_ns = now + (outcome == CLUSTER_DONE ? part : part / RENEWALS_A_LEASE);
}

/* The heir reads in the log that its time has come, and looks at the lease until it is given back. */
static void hand(cluster_member *member) {
    char words[CLUSTER_NODE_BYTES + 8];
    snprintf(words, sizeof words, "to %s", member->heir);
    const bool told = append_head(member, member->lease.holder.term, words);
    (void)cluster_lease_release(&member->lease, told ? member->heir : "-");
    member->heir[0] = '\0';
    member->next_look_ns = cluster_now_ns() + member->def.lease_ms * NS_A_MS;
    wake_thread(member, FOLLOWS);
}

/* ---- what nodes say of themselves ---- */

/* Thousandths of a processor that this process takes: half of it is what was measured before. */
static uint64_t measure_load(cluster_member *member) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    const uint64_t now = cluster_now_ns(), used_ns = (uint64_t)used.tv_sec * 1000 * NS_A_MS + (uint64_t)used.tv_nsec;
    const uint64_t passed = now - member->load_since_ns, took = used_ns - member->load_used_ns;
    if (member->load_since_ns > 0 && passed > 0) member->load = (member->load + took * 1000 / passed) / 2;
    member->load_since_ns = now;
    member->load_used_ns = used_ns;
    return member->load;
}

static void write_note(cluster_member *member) {
    char key[CLUSTER_KEY_BYTES + 1];
    const uint64_t entry = cluster_member_set_epoch(member, UINT64_MAX).entry, copied = member->copy.last,
                   epoch = member->epoch;
    cluster_node_key(member->def.map, member->def.node, key);
    cluster_note note = {.entry = copied > entry ? copied : entry,
                         .epoch = epoch,
                         .ms = cluster_real_ms(),
                         .owns = cluster_member_owns(member),
                         .load = measure_load(member)};
    snprintf(note.page, sizeof note.page, "%s", member->def.page);
    snprintf(note.lines, sizeof note.lines, "%s", member->def.lines);
    cluster_note_write(&note, member->note.text);
    if (member->def.store->set(member->def.store, key, &member->note) == CLUSTER_DONE) return;
    cluster_value there;
    if (member->def.store->get(member->def.store, key, &there) != CLUSTER_UNKNOWN)
        member->note.revision = there.revision;
}

/* Where watchers may go, should this node end. */
static void send_pages(cluster_member *member) {
    others found;
    if (ask_others(member, &found) != CLUSTER_DONE) return;
    const size_t size = strlen(found.pages);
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, found.pages, size);
    char *copy = hash != member->pages_hash ? strdup(found.pages) : NULL;
    if (!copy) return;
    member->pages_hash = hash;
    send_event(member, CLUSTER_PAGES, (cluster_bytes){copy, size, 0});
}

/* ---- cutting ---- */

/* The snapshot is still where it was: a log that was lost and brought back has other sequences. */
static bool has_snapshot(cluster_member *member, const snapshot *newest) {
    cluster_store *store = member->def.store;
    cluster_bytes bytes;
    cluster_head head;
    if (store->read(store, member->def.map, newest->sequence - 1, 0, &bytes) != CLUSTER_DONE) return false;
    const bool same =
        bytes.sequence == newest->sequence && cluster_head_read(bytes.bytes, &head) && head.entry == newest->entry;
    free(bytes.bytes);
    return same;
}

/* Entries before the newest complete snapshot are not needed any more: the owner cuts the log, each node its copy, and
 * tries again where that fails. */
static void cut(cluster_member *member) {
    cluster_store *store = member->def.store;
    uv_mutex_lock(&member->mutex);
    const snapshot newest = member->newest;
    uv_mutex_unlock(&member->mutex);
    cluster_copy_cut(&member->copy, newest.entry);
    if (newest.entry > member->cut && cluster_member_owns(member) && has_snapshot(member, &newest) &&
        store->cut(store, member->def.map, newest.sequence) == CLUSTER_DONE)
        member->cut = newest.entry;
}

/* One reads those of the others once a lease. */
static void exchange_notes(cluster_member *member) {
    const uint64_t now = cluster_now_ns(), lease_ns = member->def.lease_ms * NS_A_MS;
    write_note(member);
    cut(member);
    member->next_note_ns = now + lease_ns / RENEWALS_A_LEASE;
    if (now < member->next_pages_ns) return;
    send_pages(member);
    member->next_pages_ns = now + lease_ns;
}

/* ---- the thread ---- */

static member_role role_now(cluster_member *member, bool *hands, bool *fell, bool *ends) {
    uv_mutex_lock(&member->mutex);
    const member_role now = member->role;
    *hands = member->hands && now == OWNS;
    *fell = member->fell && now == OWNS;
    *ends = member->ends;
    uv_mutex_unlock(&member->mutex);
    return now;
}

static void run(void *context) {
    cluster_member *member = context;
    const uint64_t part = member->def.lease_ms * NS_A_MS / RENEWALS_A_LEASE;
    bool hands, fell, ends;
    if (!cluster_copy_open(&member->copy)) stop(member, "this node's journal cannot be written");
    for (member_role now; now = role_now(member, &hands, &fell, &ends), !ends;) {
        if (member->stopped || now == WAITS) {
            sleep_until(member, cluster_now_ns() + part);
            continue;
        }
        if (fell) {
            lose(member);
            (void)cluster_lease_release(&member->lease, "-");
            continue;
        }
        if (cluster_now_ns() >= member->next_note_ns) {
            exchange_notes(member);
            continue;
        }
        if (now == FOLLOWS) {
            follow(member);
        } else if (hands) {
            hand(member);
        } else if (cluster_now_ns() >= member->next_look_ns) {
            own(member);
        } else {
            sleep_until(member, member->next_look_ns);
        }
    }
    if (member->lease.until_ns > cluster_now_ns()) (void)cluster_lease_release(&member->lease, "-");
}

bool cluster_member_owns(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    const bool owns = member->role == OWNS && cluster_now_ns() < member->until_ns;
    uv_mutex_unlock(&member->mutex);
    return owns;
}

cluster_chain cluster_member_set_epoch(cluster_member *member, uint64_t epoch) {
    uv_mutex_lock(&member->mutex);
    if (epoch != UINT64_MAX) member->epoch = epoch;
    const cluster_chain chain = member->chain;
    uv_mutex_unlock(&member->mutex);
    return chain;
}

void cluster_member_hand(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    member->hands = true;
    member->until_ns = 0;
    uv_cond_signal(&member->changed);
    uv_mutex_unlock(&member->mutex);
}

void cluster_member_follow(cluster_member *member) {
    wake_thread(member, FOLLOWS);
}

/* ---- opening and closing ---- */

cluster_member *cluster_member_open(uv_loop_t *loop, const cluster_member_def *def) {
    cluster_member *member = calloc(1, sizeof *member);
    if (!member) return NULL;
    member->def = *def;
    member->last = &member->first;
    member->chain.hash = WEND__HASH_START;
    member->copy = (cluster_copy){.store = def->copy, .map = def->map, .first = 1};
    member->lease = (cluster_lease){.store = def->store, .map = def->map, .node = def->node, .lease_ms = def->lease_ms};
    uv_mutex_init(&member->mutex);
    uv_cond_init(&member->changed);
    uv_async_init(loop, &member->wake, on_wake);
    member->wake.data = member;
    if (uv_thread_create(&member->thread, run, member) == 0) return member;
    uv_close((uv_handle_t *)&member->wake, NULL);
    return NULL;
}

static void on_closed(uv_handle_t *handle) {
    cluster_member *member = handle->data;
    void (*closed)(void *context) = member->closed;
    void *context = member->closed_context;
    cluster_events_free(member->first);
    cluster_start_drop(&member->place);
    uv_mutex_destroy(&member->mutex);
    uv_cond_destroy(&member->changed);
    free(member);
    if (closed) closed(context);
}

void cluster_member_close(cluster_member *member, void (*closed)(void *context), void *context) {
    uv_mutex_lock(&member->mutex);
    member->ends = true;
    uv_cond_signal(&member->changed);
    uv_mutex_unlock(&member->mutex);
    uv_thread_join(&member->thread);
    member->closed = closed;
    member->closed_context = context;
    uv_close((uv_handle_t *)&member->wake, on_closed);
}
