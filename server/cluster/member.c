/* SPDX-License-Identifier: MIT */
/* A node's part in the cluster: the queue between the log's threads and the loop, claims, and appends.
 *
 * Entries wait in a queue. A follower executes them in order. The owner recognises entries that it wrote itself; any
 * other entry means that it is replaced. While an append is under way, only its own outcome decides its entry. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cluster/member.h"

enum { NS_A_MS = 1000000, TURN_MS = 25, AGAIN_MS = 20, MOST_WAITING_BYTES = 16 << 20, REFUSALS = 20 };
enum {
    SNAPSHOT_MS = 2000,
    UNREAD_MS = 500
}; ///< between two reads of the newest snapshot: none was good; none was read

/// Bytes from the log: an entry, or a message.
typedef struct letter {
    struct letter *next;
    uint64_t sequence; ///< sequence of an entry; 0: a message
    cluster_log_message kind;
    char node[CLUSTER_NAME_BYTES + 1];
    size_t size;
    char bytes[]; ///< ended by a zero
} letter;

typedef struct letters {
    letter *first, **last;
    size_t bytes;
} letters;

typedef enum step { IDLE, GETS_SNAPSHOT, BEGINS_TO_FOLLOW, CLAIMS } step;

struct cluster_member {
    cluster_member_def def;
    uv_loop_t *loop;
    uv_async_t wake;
    uv_timer_t timer;
    cluster_log *log;
    uv_work_t work; ///< for calls that wait for the network
    step step;      ///< the current step
    cluster_log_answer answer;
    cluster_log_snapshot snapshot;
    uint64_t before; ///< only snapshots with pieces before this are tried
    uint64_t again_ns;
    char claim[CLUSTER_HEAD_BYTES];
    size_t claim_bytes;
    int refusals; ///< refused claims since the last entry
    bool stopped, ends;
    bool lacks;        ///< entries between its last one and the log's first
    const char *waits; ///< why it cannot begin before the owner's next snapshot; "": it does not wait
    char problem[CLUSTER_LOG_WHY_BYTES];
    void (*closed)(void *context);
    void *closed_context;
    uv_mutex_t mutex;  ///< guards the fields below
    uv_cond_t room;    ///< signals room in the queue of entries
    cluster_term term; ///< changed by the loop, and by the thread that appends
    letters entries, messages;
    uint64_t wanted;            ///< the next entry for the queue
    bool closing, gap, follows; ///< `follows`: entries come as requested
    cluster_log_state state;
    bool has_state;
    bool fell; ///< an append was refused, or its outcome is unknown
    struct {
        uint64_t number, hash; ///< number and hash of the entry that is being appended; 0: none
        bool same, other;      ///< whether the log has the same entry in its place, or another one
    } own;
};

/* ---- from the log's threads ---- */

static void put(letters *all, letter *one) {
    one->next = NULL;
    *all->last = one;
    all->last = &one->next;
    all->bytes += one->size;
}

/* Returns the first item; the caller frees it. */
static letter *take(letters *all) {
    letter *one = all->first;
    if (!one) return NULL;
    all->first = one->next;
    if (!all->first) all->last = &all->first;
    all->bytes -= one->size;
    return one;
}

static void drop_all(letters *all) {
    for (letter *one; (one = take(all));) free(one);
    all->last = &all->first;
}

static letter *copy(const char *bytes, size_t size) {
    letter *one = calloc(1, sizeof *one + size + 1);
    if (!one) return NULL;
    memcpy(one->bytes, bytes, size);
    one->size = size;
    return one;
}

void cluster_member_take_entry(void *context, uint64_t sequence, const char *bytes, size_t size) {
    cluster_member *member = context;
    uv_mutex_lock(&member->mutex);
    while (!member->closing && member->follows && sequence == member->wanted &&
           member->entries.bytes > MOST_WAITING_BYTES)
        uv_cond_wait(&member->room, &member->mutex);
    if (!member->closing && sequence == member->own.number) {
        member->own.same = cluster_entry_hash(bytes, size) == member->own.hash;
        member->own.other = !member->own.same;
    }
    /* A node has its own entries, even if the log was cut before its consumer reached them. */
    if (sequence > member->wanted && sequence <= member->term.number + 1) member->wanted = sequence;
    letter *one = !member->closing && sequence == member->wanted ? copy(bytes, size) : NULL;
    if (one) {
        one->sequence = member->wanted++;
        put(&member->entries, one);
    } else if (sequence >= member->wanted && member->follows) {
        member->gap = true;
    }
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
}

void cluster_member_take_state(void *context, const cluster_log_state *state) {
    cluster_member *member = context;
    uv_mutex_lock(&member->mutex);
    member->state = *state;
    member->has_state = true;
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
}

/* Messages may be lost: with many waiting, this one is dropped. */
void cluster_member_take_message(void *context, cluster_log_message kind, const char *node, const char *bytes,
                                 size_t size) {
    cluster_member *member = context;
    uv_mutex_lock(&member->mutex);
    letter *one = member->messages.bytes < MOST_WAITING_BYTES ? copy(bytes, size) : NULL;
    if (one) {
        one->kind = kind;
        snprintf(one->node, sizeof one->node, "%s", node);
        put(&member->messages, one);
    }
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
}

/* ---- appending ---- */

/* @return false: this node may not append now */
static bool begin_own(cluster_member *member, const char *bytes, size_t size) {
    uv_mutex_lock(&member->mutex);
    const bool may = member->term.stand == CLUSTER_CLAIMS || member->term.stand == CLUSTER_OWNS;
    if (!may) {
        uv_mutex_unlock(&member->mutex);
        return false;
    }
    member->own.number = member->term.number + 1;
    member->own.hash = cluster_entry_hash(bytes, size);
    member->own.same = member->own.other = false;
    const letter *there = member->entries.first;
    while (there && there->sequence != member->own.number) there = there->next;
    if (there) member->own.other = true;
    member->term.under_way_ns = cluster_now_ns();
    uv_mutex_unlock(&member->mutex);
    return true;
}

/* The log's own copy of the entry decides; without one, the remaining time does. */
static cluster_log_outcome look_at_own(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    const uint64_t passed = cluster_now_ns() - member->term.under_way_ns;
    const cluster_log_outcome outcome = member->own.same                                     ? CLUSTER_LOG_DONE
                                        : member->own.other                                  ? CLUSTER_LOG_REFUSED
                                        : member->closing || passed >= member->term.lease_ns ? CLUSTER_LOG_FAILED
                                                                                             : CLUSTER_LOG_UNKNOWN;
    uv_mutex_unlock(&member->mutex);
    return outcome;
}

/* After one call without an answer only the log itself shows the outcome of the entry. */
static cluster_log_outcome send_until_known(cluster_member *member, const char *bytes, size_t size, uint64_t expected) {
    for (bool unknown = false;;) {
        const cluster_log_answer answer = member->log->append(member->log, expected, bytes, size);
        const bool sent = answer.outcome != CLUSTER_LOG_TOO_LARGE;
        if (answer.outcome == CLUSTER_LOG_DONE || !sent) return answer.outcome;
        if (!unknown && answer.outcome != CLUSTER_LOG_UNKNOWN) return answer.outcome;
        unknown = true;
        const cluster_log_outcome seen = look_at_own(member);
        if (seen == CLUSTER_LOG_FAILED) return CLUSTER_LOG_UNKNOWN;
        if (seen != CLUSTER_LOG_UNKNOWN) return seen;
        nanosleep(&(struct timespec){.tv_nsec = (long)AGAIN_MS * NS_A_MS}, NULL);
    }
}

cluster_log_outcome cluster_member_append(cluster_member *member, const char *bytes, size_t size) {
    cluster_entry entry;
    if (!begin_own(member, bytes, size)) return CLUSTER_LOG_REFUSED;
    const uint64_t expected = member->own.number - 1;
    const bool good = cluster_entry_read(bytes, size, &entry) == CLUSTER_READ && entry.number == expected + 1;
    const cluster_log_outcome outcome = good ? send_until_known(member, bytes, size, expected) : CLUSTER_LOG_FAILED;
    if (outcome == CLUSTER_LOG_DONE) member->def.on_written(member->def.context, &entry, bytes, size);
    uv_mutex_lock(&member->mutex);
    if (outcome == CLUSTER_LOG_DONE) cluster_term_done(&member->term, &entry, member->own.hash, cluster_now_ns());
    member->fell = outcome == CLUSTER_LOG_REFUSED || outcome == CLUSTER_LOG_UNKNOWN;
    member->own.number = 0;
    member->term.under_way_ns = 0;
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
    return outcome;
}

/* ---- the loop ---- */

static cluster_stand stand(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    const cluster_stand now = member->term.stand;
    uv_mutex_unlock(&member->mutex);
    return now;
}

static void set_stand(cluster_member *member, cluster_stand now) {
    uv_mutex_lock(&member->mutex);
    member->term.stand = now;
    uv_mutex_unlock(&member->mutex);
}

void cluster_member_stop(cluster_member *member, const char *why) {
    if (member->stopped) return;
    const bool owned = stand(member) == CLUSTER_OWNS;
    member->stopped = true;
    member->def.on_stop(member->def.context, why);
    if (!owned) return;
    set_stand(member, CLUSTER_LEAVES);
    member->def.on_lost(member->def.context);
}

static void lose(cluster_member *member) {
    set_stand(member, CLUSTER_LEAVES);
    member->def.on_lost(member->def.context);
}

/* Returns the next entry to execute; NULL: none now. This node's own entries are skipped. */
static letter *next_entry(cluster_member *member, bool *replaced) {
    letter *found = NULL;
    uv_mutex_lock(&member->mutex);
    letters *all = &member->entries;
    while (all->first && all->first->sequence <= member->term.number) free(take(all));
    if (member->term.stand == CLUSTER_FOLLOWS && member->own.number == 0) found = take(all);
    *replaced = member->term.stand == CLUSTER_OWNS && member->own.number == 0 && (all->first || member->fell);
    uv_cond_signal(&member->room);
    uv_mutex_unlock(&member->mutex);
    return found;
}

static const char *do_entry(cluster_member *member, const letter *one) {
    cluster_entry entry;
    const cluster_reading reading = cluster_entry_read(one->bytes, one->size, &entry);
    if (reading == CLUSTER_READ_NEWER) return "the log has an entry of a newer wend: this node needs that";
    if (reading != CLUSTER_READ) return "the log has an entry that cannot be read";
    if (strcmp(entry.map, member->def.map) != 0) return "the log has an entry of another map";
    const char *wrong = cluster_term_check(&member->term, &entry);
    if (!wrong) wrong = member->def.on_entry(member->def.context, &entry, one->bytes, one->size);
    if (wrong) return wrong;
    uv_mutex_lock(&member->mutex);
    cluster_term_done(&member->term, &entry, cluster_entry_hash(one->bytes, one->size), cluster_now_ns());
    uv_mutex_unlock(&member->mutex);
    member->refusals = 0;
    return NULL;
}

static void get_snapshot(cluster_member *member, uint64_t before);

/* Executes some entries at a time, so that clients are answered meanwhile. */
static void do_entries(cluster_member *member) {
    enum { MOST_NS = 10 * NS_A_MS };
    const uint64_t until = cluster_now_ns() + MOST_NS;
    bool replaced = false;
    for (letter *one; !member->stopped && (one = next_entry(member, &replaced));) {
        const char *wrong = do_entry(member, one);
        free(one);
        if (wrong) cluster_member_stop(member, wrong);
        if (cluster_now_ns() < until) continue;
        uv_async_send(&member->wake);
        break;
    }
    if (replaced && !member->stopped) lose(member);
    uv_mutex_lock(&member->mutex);
    const bool gap = member->gap && !member->entries.first;
    uv_mutex_unlock(&member->mutex);
    if (!gap || member->stopped || member->step != IDLE) return;
    member->lacks = true;
    if (stand(member) == CLUSTER_FOLLOWS)
        get_snapshot(member, UINT64_MAX);
    else if (stand(member) == CLUSTER_OWNS)
        cluster_member_stop(member, "the log lacks entries that it had");
}

static void do_message(cluster_member *member, const letter *one) {
    const cluster_member_def *def = &member->def;
    char node[CLUSTER_NAME_BYTES + 1];
    cluster_report said;
    if (one->kind == CLUSTER_LOG_ASK) {
        if (cluster_ask_read(one->bytes, one->size, node)) def->on_move(def->context, node);
        return;
    }
    if (!cluster_report_read(one->bytes, one->size, &said)) return;
    if (one->kind == CLUSTER_LOG_SEEN) {
        if (strcmp(one->node, said.node) == 0) def->on_seen(def->context, &said, one->bytes + said.line);
        return;
    }
    uv_mutex_lock(&member->mutex);
    cluster_term_heard(&member->term, &said, cluster_now_ns());
    const bool newest = said.term >= member->term.term;
    uv_mutex_unlock(&member->mutex);
    if (newest) def->on_beat(def->context, &said, one->bytes + said.line);
}

static void do_messages(cluster_member *member) {
    for (letter *one;; free(one)) {
        uv_mutex_lock(&member->mutex);
        one = take(&member->messages);
        uv_mutex_unlock(&member->mutex);
        if (!one) return;
        if (!member->ends) do_message(member, one);
    }
}

/* A log that cannot be used, as its stream is gone or JetStream is off, counts as one without a connection. */
static void heed_state(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    const bool connected = member->has_state && member->state.connected;
    if (connected && member->state.usable)
        member->term.cut_off_ns = 0;
    else if (member->term.cut_off_ns == 0)
        member->term.cut_off_ns = cluster_now_ns();
    const char *why = !member->has_state || (!connected && member->state.why[0] == '\0') ? "no connection to NATS"
                                                                                         : member->state.why;
    snprintf(member->problem, sizeof member->problem, "%s", member->state.usable ? "" : why);
    uv_mutex_unlock(&member->mutex);
}

static void on_wake(uv_async_t *wake) {
    cluster_member *member = wake->data;
    if (member->ends) return;
    heed_state(member);
    if (member->log && (member->step == IDLE || member->step == CLAIMS)) do_entries(member);
    do_messages(member);
}

/* ---- steps that wait for the network ---- */

static void work_in_pool(uv_work_t *work) {
    cluster_member *member = work->data;
    if (member->step == GETS_SNAPSHOT)
        member->answer = member->log->snapshot_get(member->log, member->before, &member->snapshot);
    else if (member->step == BEGINS_TO_FOLLOW)
        member->log->follow(member->log, member->term.number + 1);
    else
        member->answer.outcome = cluster_member_append(member, member->claim, member->claim_bytes);
}

static void work_is_done(uv_work_t *work, int status);

static void begin_work(cluster_member *member, step what) {
    member->step = what;
    member->work.data = member;
    if (uv_queue_work(member->loop, &member->work, work_in_pool, work_is_done) != 0) member->step = IDLE;
}

static void get_snapshot(cluster_member *member, uint64_t before) {
    uv_mutex_lock(&member->mutex);
    member->follows = member->gap = false;
    drop_all(&member->entries);
    uv_cond_signal(&member->room);
    uv_mutex_unlock(&member->mutex);
    member->before = before;
    begin_work(member, GETS_SNAPSHOT);
}

static void begin_to_follow(cluster_member *member, uint64_t number, uint64_t hash, uint64_t term) {
    uv_mutex_lock(&member->mutex);
    cluster_term_begin(&member->term, number, hash, term, cluster_now_ns());
    member->wanted = number + 1;
    uv_mutex_unlock(&member->mutex);
    member->waits = "";
    begin_work(member, BEGINS_TO_FOLLOW);
}

/* Retries: the owner's next snapshot may come. */
static void wait_for_snapshot(cluster_member *member, const char *why) {
    member->waits = why;
    member->again_ns = cluster_now_ns() + (uint64_t)SNAPSHOT_MS * NS_A_MS;
}

static void use_snapshot(cluster_member *member, const cluster_log_snapshot *s) {
    static const char lacks[] = "the log lacks entries, and has no snapshot behind them";
    static const char broken[] = "no snapshot of the log is as it was written";
    const bool tried = member->before != UINT64_MAX;
    switch (member->answer.outcome) {
    case CLUSTER_LOG_DONE:
        if (member->lacks && s->entry <= member->term.number) {
            wait_for_snapshot(member, lacks);
        } else if (member->def.on_snapshot(member->def.context, s)) {
            member->lacks = false;
            begin_to_follow(member, s->entry, s->after, s->term);
        } else if (!member->stopped) {
            get_snapshot(member, s->first);
        }
        return;
    case CLUSTER_LOG_REFUSED: /* without a snapshot, a node begins at the first entry */
        if (tried || member->lacks)
            wait_for_snapshot(member, tried ? broken : lacks);
        else
            begin_to_follow(member, 0, 0, 0);
        return;
    default: member->again_ns = cluster_now_ns() + (uint64_t)UNREAD_MS * NS_A_MS;
    }
}

static void snapshot_is_here(cluster_member *member) {
    const cluster_log_snapshot snapshot = member->snapshot;
    member->snapshot.text = NULL;
    use_snapshot(member, &snapshot);
    free(snapshot.text);
}

static void claim_is_decided(cluster_member *member) {
    const bool done = member->answer.outcome == CLUSTER_LOG_DONE;
    member->refusals = done ? 0 : member->refusals + (member->answer.outcome == CLUSTER_LOG_REFUSED);
    uv_mutex_lock(&member->mutex);
    member->fell = false;
    member->term.stand = done ? CLUSTER_OWNS : CLUSTER_FOLLOWS;
    if (!done) member->term.heard_ns = cluster_now_ns();
    uv_mutex_unlock(&member->mutex);
    if (done) member->def.on_owns(member->def.context);
    if (member->refusals > REFUSALS)
        cluster_member_stop(member, "the log refuses what follows this node's last entry: it is another one, or "
                                    "shorter. See wend cluster check");
}

static void work_is_done(uv_work_t *work, int status) {
    cluster_member *member = work->data;
    const step was = member->step;
    member->step = IDLE;
    if (status != 0) member->answer.outcome = CLUSTER_LOG_UNKNOWN;
    if (member->ends) return;
    if (was == GETS_SNAPSHOT) {
        snapshot_is_here(member);
    } else if (was == BEGINS_TO_FOLLOW) {
        uv_mutex_lock(&member->mutex);
        member->follows = true;
        uv_mutex_unlock(&member->mutex);
    } else {
        claim_is_decided(member);
    }
    uv_async_send(&member->wake);
}

/* ---- the timer ---- */

static void claim(cluster_member *member) {
    const cluster_entry entry = cluster_term_next(&member->term, member->def.map, CLUSTER_KIND_CLAIM);
    member->claim_bytes = cluster_entry_write(&entry, true, member->claim);
    set_stand(member, CLUSTER_CLAIMS);
    begin_work(member, CLAIMS);
    if (member->step == IDLE) set_stand(member, CLUSTER_FOLLOWS);
}

static void on_timer(uv_timer_t *timer) {
    cluster_member *member = timer->data;
    const uint64_t now = cluster_now_ns();
    if (member->ends || !member->log) return;
    heed_state(member);
    member->def.on_turn(member->def.context, now);
    if (member->stopped) return;
    if (stand(member) == CLUSTER_OWNS && !cluster_member_owns(member)) lose(member);
    if (member->step != IDLE) return;
    uv_mutex_lock(&member->mutex);
    const bool waits = !member->follows, usable = member->state.usable;
    const bool claims = usable && !member->entries.first && cluster_term_may_claim(&member->term, now);
    uv_mutex_unlock(&member->mutex);
    if (waits && usable && now >= member->again_ns)
        get_snapshot(member, UINT64_MAX);
    else if (!waits && claims)
        claim(member);
}

/* ---- queries of the node ---- */

cluster_term cluster_member_term(const cluster_member *member) {
    cluster_member *own = (cluster_member *)(uintptr_t)member;
    uv_mutex_lock(&own->mutex);
    const cluster_term now = own->term;
    uv_mutex_unlock(&own->mutex);
    return now;
}

bool cluster_member_owns(const cluster_member *member) {
    cluster_member *own = (cluster_member *)(uintptr_t)member;
    uv_mutex_lock(&own->mutex);
    const bool owns = cluster_term_may_act(&own->term, cluster_now_ns());
    uv_mutex_unlock(&own->mutex);
    return owns;
}

const char *cluster_member_problem(const cluster_member *member) {
    return member->problem;
}

const char *cluster_member_waits(const cluster_member *member) {
    return member->waits;
}

void cluster_member_leave(cluster_member *member) {
    if (stand(member) == CLUSTER_OWNS) lose(member);
}

void cluster_member_follow(cluster_member *member) {
    uv_mutex_lock(&member->mutex);
    member->term.stand = CLUSTER_FOLLOWS;
    member->term.heard_ns = cluster_now_ns();
    uv_mutex_unlock(&member->mutex);
    uv_async_send(&member->wake);
}

/* ---- opening and closing ---- */

cluster_member *cluster_member_open(uv_loop_t *loop, const cluster_member_def *def) {
    cluster_member *member = calloc(1, sizeof *member);
    if (!member) return NULL;
    member->def = *def;
    member->loop = loop;
    member->waits = "";
    member->entries.last = &member->entries.first;
    member->messages.last = &member->messages.first;
    member->term = (cluster_term){
        .node = def->node, .lease_ns = def->lease_ms * NS_A_MS, .never_owns = def->never_owns, .floor = def->floor};
    uv_mutex_init(&member->mutex);
    uv_cond_init(&member->room);
    uv_async_init(loop, &member->wake, on_wake);
    uv_timer_init(loop, &member->timer);
    member->wake.data = member->timer.data = member;
    uv_timer_start(&member->timer, on_timer, TURN_MS, TURN_MS);
    return member;
}

void cluster_member_begin(cluster_member *member, cluster_log *log) {
    member->log = log;
    uv_async_send(&member->wake);
}

static void on_timer_closed(uv_handle_t *handle) {
    cluster_member *member = handle->data;
    void (*closed)(void *context) = member->closed;
    void *context = member->closed_context;
    drop_all(&member->entries);
    drop_all(&member->messages);
    free(member->snapshot.text);
    uv_mutex_destroy(&member->mutex);
    uv_cond_destroy(&member->room);
    free(member);
    closed(context);
}

static void on_wake_closed(uv_handle_t *handle) {
    cluster_member *member = handle->data;
    uv_close((uv_handle_t *)&member->timer, on_timer_closed);
}

void cluster_member_end(cluster_member *member) {
    member->ends = true;
}

/* Ends the call that waits for the network first; then the log, as its threads use the queue. */
void cluster_member_close(cluster_member *member, void (*closed)(void *context), void *context) {
    member->ends = true;
    member->closed = closed;
    member->closed_context = context;
    uv_mutex_lock(&member->mutex);
    member->closing = true;
    uv_cond_broadcast(&member->room);
    uv_mutex_unlock(&member->mutex);
    while (member->step != IDLE) uv_run(member->loop, UV_RUN_ONCE);
    if (member->log) member->log->close(member->log);
    uv_close((uv_handle_t *)&member->wake, on_wake_closed);
}
