/* SPDX-License-Identifier: MIT */
/* Sessions keep messages that a client missed, within their room, and the ids in use. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/session/session.h"
#include "models/owned.h"

static live_id_text id_of(const char *text) {
    live_id_text id = {.length = strlen(text)};
    memcpy(id.text, text, id.length);
    return id;
}

/// Sessions without real clients.
typedef struct world {
    live_net net;
    live_sessions all;
    live_connection connection;
} world;

static void open_world(world *w) {
    memset(w, 0, sizeof *w);
    w->net.def.queue_bytes = 1 << 20, w->connection.net = &w->net;
    w->connection.places[LIVE_SCHEDULED].in = true; /* nothing is sent */
    w->connection.outbox.lines = true, w->all.most_kept_bytes = 100;
}

static void close_world(world *w) {
    live_sessions_free(&w->all);
    live_outbox_free(&w->connection.outbox);
}

static void deliver(live_session *session, const char *id, const char *words) {
    const live_id_text text = id_of(id);
    live_pending *pending = live_pending_new(session, &text);
    live_text message = {0};
    live_puts(&message, words);
    live_deliver(session, pending, &message);
    live_text_free(&message);
    live_pending_free(pending, true);
}

static bool sent_is(world *w, const char *text) {
    live_outbox *outbox = &w->connection.outbox;
    const bool same =
        live_outbox_waiting(outbox) == strlen(text) && memcmp(outbox->bytes + outbox->head, text, strlen(text)) == 0;
    if (!same)
        cr_log_warn("%.*s", (int)live_outbox_waiting(outbox), live_outbox_waiting(outbox) ? (char *)outbox->bytes : "");
    return same;
}

Test(sessions, know_the_ids_in_use) {
    OWNED(close_world) world w;
    open_world(&w);
    live_session *one = live_session_new(&w.all, &w.connection), *two = live_session_new(&w.all, &w.connection);
    char text[16];
    for (int i = 0; i < 1000; i++) {
        const live_id_text id = (sprintf(text, "%d", i), id_of(text));
        cr_assert(live_pending_new(i % 2 ? one : two, &id));
    }
    for (int i = 0; i < 1000; i++) {
        const live_id_text id = (sprintf(text, "%d", i), id_of(text));
        live_pending *mine = live_pending_find(i % 2 ? one : two, &id);
        cr_assert(mine != NULL && live_pending_find(i % 2 ? two : one, &id) == NULL);
        cr_assert_not(live_pending_was(mine->session, &id));
        live_session *session = mine->session;
        live_pending_free(mine, true);
        cr_assert(live_pending_find(session, &id) == NULL && live_pending_was(session, &id));
    }
    cr_assert(one->pending_count == 0 && two->pending_count == 0 && w.all.pending == 0);
}

Test(sessions, give_references_that_end) {
    OWNED(close_world) world w;
    open_world(&w);
    live_session *session = live_session_new(&w.all, &w.connection);
    const live_id_text id = id_of("1");
    uint64_t last = 0;
    for (int i = 0; i < 100; i++) {
        live_pending *pending = live_pending_new(session, &id);
        const uint64_t reference = live_pending_refer(pending);
        cr_assert(reference != 0 && reference != last);
        cr_assert_eq(live_pending_by_reference(&w.all, reference), pending);
        live_pending_free(pending, false);
        cr_assert_null(live_pending_by_reference(&w.all, reference));
        last = reference;
    }
    cr_assert_null(live_pending_by_reference(&w.all, 0));
    const uint64_t number = session->number;
    cr_assert_eq(live_session_by_number(&w.all, number), session);
    live_session_end(session);
    cr_assert_null(live_session_by_number(&w.all, number));
    cr_assert_null(live_session_by_number(&w.all, 0));
}

Test(sessions, send_what_was_missed) {
    OWNED(close_world) world w;
    open_world(&w);
    live_session *session = live_session_new(&w.all, &w.connection);
    cr_assert(live_session_name(session, "bob") && strlen(session->secret) == LIVE_SECRET_BYTES);
    cr_assert_eq(live_session_find(&w.all, "bob"), session);
    deliver(session, "1", "one");
    live_outbox_sent(&w.connection.outbox, 4); /* the client has it */
    deliver(session, "2", "two");              /* not sent so far */
    live_session_leave(session, 0);
    live_outbox_sent(&w.connection.outbox, 4);
    deliver(session, "3", "three");
    live_session_return(session, &w.connection);
    live_session_catch_up(session);
    cr_assert(sent_is(&w, "two\nthree\n"));
}

Test(sessions, say_what_is_lost) {
    OWNED(close_world) world w;
    char large[90];
    open_world(&w);
    live_session *session = live_session_new(&w.all, &w.connection);
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    cr_assert(live_session_name(session, "bob"));
    live_session_leave(session, 0);
    deliver(session, "\"a\"", "short");
    deliver(session, "2", large);
    deliver(session, "3", "another");
    cr_assert_eq(w.all.lost, 1);
    live_session_return(session, &w.connection);
    live_session_catch_up(session);
    char wanted[200];
    sprintf(wanted, "{\"id\":\"a\",\"lost\":true}\n%s\nanother\n", large);
    cr_assert(sent_is(&w, wanted));
}

Test(sessions, keep_no_more_events_than_fit) {
    enum { EVENTS = 1000 };
    OWNED(close_world) world w;
    size_t kept = 0;
    live_text event = {0};
    open_world(&w);
    live_session *session = live_session_new(&w.all, &w.connection);
    cr_assert(live_session_name(session, "bob"));
    live_session_leave(session, 0);
    live_puts(&event, "0123456789012345678901234567890123456789");
    deliver(session, "1", "an answer");
    for (int i = 0; i < EVENTS; i++) live_deliver(session, NULL, &event);
    for (const live_kept *at = session->kept; at != NULL; at = at->next) kept++;
    cr_assert_eq(kept, 3, "%zu: two events and the id of the answer", kept);
    cr_assert_eq(w.all.lost, EVENTS - 2 + 1);
    live_text_free(&event);
    live_session_return(session, &w.connection);
    live_session_catch_up(session);
    const char *words = "0123456789012345678901234567890123456789";
    char wanted[200];
    sprintf(wanted, "{\"id\":1,\"lost\":true}\n%s\n%s\n", words, words);
    cr_assert(sent_is(&w, wanted));
}

Test(sessions, end_when_they_were_away_too_long) {
    OWNED(close_world) world w;
    open_world(&w);
    for (int i = 0; i < 4; i++) {
        char name[16];
        live_session *session = live_session_new(&w.all, &w.connection);
        sprintf(name, "s%d", i);
        cr_assert(live_session_name(session, name));
        if (i > 0) live_session_leave(session, (uint64_t)i * 100);
    }
    live_sessions_expire(&w.all, 350, 10, 200);
    cr_assert(live_session_find(&w.all, "s0") && !live_session_find(&w.all, "s1") && live_session_find(&w.all, "s2"));
    live_sessions_expire(&w.all, 350, 1, 200);
    cr_assert(!live_session_find(&w.all, "s2") && live_session_find(&w.all, "s3"));
    cr_assert_eq(w.all.named, 2);
}

Test(sessions, are_found_by_name_and_end_in_order) {
    enum { SESSIONS = 5000, KEPT = 100 };
    OWNED(close_world) world w;
    char name[16];
    open_world(&w);
    for (int i = 0; i < SESSIONS; i++) {
        live_session *session = live_session_new(&w.all, &w.connection);
        sprintf(name, "s%d", i);
        cr_assert(live_session_name(session, name) && live_session_find(&w.all, name) == session);
    }
    for (int i = SESSIONS; i-- > 0;) live_session_leave((sprintf(name, "s%d", i), live_session_find(&w.all, name)), 9);
    live_session_return(live_session_find(&w.all, "s4999"), &w.connection); /* the client was away longest */
    live_sessions_expire(&w.all, 9, KEPT, 1000);
    cr_assert(w.all.away == KEPT && w.all.named == KEPT + 1);
    for (int i = 0; i < SESSIONS; i++) {
        const bool kept = i < KEPT || i == SESSIONS - 1;
        cr_assert_eq(live_session_find(&w.all, (sprintf(name, "s%d", i), name)) != NULL, kept, "%d", i);
    }
    cr_assert_not(live_session_find(&w.all, ""));
}
