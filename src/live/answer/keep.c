/* SPDX-License-Identifier: MIT */
/* Messages about requests that the host keeps before they are done, and those that it puts back. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "live/answer/answer.h"

/* ---- keeping ---- */

/* The message waits under its own id, as its batch. @return NULL: no memory */
static live_pending *hold(live_client *client, uint64_t *reference) {
    const live_message *message = &client->live->message;
    const size_t bytes = (size_t)message->order.message_bytes;
    live_pending *pending = live_pending_new(client->session, &message->id);
    if (pending == NULL) return NULL;
    pending->held = true;
    pending->batch = malloc(bytes + 1);
    pending->batch_bytes = bytes;
    *reference = pending->batch != NULL ? live_pending_refer(pending) : 0;
    if (*reference == 0) {
        live_pending_free(pending, false);
        return NULL;
    }
    memcpy(pending->batch, message->order.message, bytes);
    return pending;
}

bool live_keep_message(live_client *client, int32_t what, void *kept) {
    wend_live *live = client->live;
    const live_session *session = client->session;
    uint64_t reference;
    if (live->def.on_keep == NULL || client->again || session->name[0] == '\0') return false;
    live_pending *pending = hold(client, &reference);
    if (pending == NULL) {
        live_answer_error(client, &live->message.id, WEND_LIVE_BUSY, "no memory");
        return true;
    }
    const wend_live_keep keep = {.struct_bytes = sizeof keep,
                                 .what = what,
                                 .kept = kept,
                                 .session = session->name,
                                 .secret = session->secret,
                                 .message = pending->batch,
                                 .message_bytes = pending->batch_bytes};
    void *given = live->def.on_keep(live->def.context, reference, &keep);
    pending = live_pending_by_reference(&live->sessions, reference);
    if (pending == NULL) return true; /* it is refused already */
    if (given == NULL) {
        live_pending_free(pending, false);
        live_answer_error(client, &live->message.id, WEND_LIVE_BUSY, "the request cannot be kept");
    } else if (what == WEND_LIVE_KEEP_REQUEST) {
        pending->kept = given;
    }
    return true;
}

void live_keep_done(wend_live *live, void *kept) {
    const wend_live_keep keep = {.struct_bytes = sizeof keep, .what = WEND_LIVE_KEEP_DONE, .kept = kept};
    live->def.on_keep(live->def.context, 0, &keep);
}

/* ---- what was kept is done ---- */

/* Is the request of that pointer pending now? The newest is the first. */
static bool is_pending(const live_session *session, const void *kept) {
    return session->pending != NULL && session->pending->kept == kept;
}

void live_keep_answered(wend_live *live, live_pending *pending) {
    live_session *session = pending->session;
    live_client client = {.live = live, .session = session, .again = true, .kept = pending->kept};
    char *text = pending->batch;
    const size_t bytes = pending->batch_bytes;
    pending->batch = NULL;
    live_pending_free(pending, false);
    if (session != NULL) {
        client.connection = session->connection;
        live_message_parse(&live->message, text, bytes, live->kind, live->limits.edit_cells);
        if (live->message.reader.error == WEND_LIVE_OK)
            live_answer(&client);
        else
            live_answer_error(&client, &live->message.id, live->message.reader.error, live->message.reader.why);
        live_message_end(&live->message);
    }
    if (client.kept != NULL && (session == NULL || !is_pending(session, client.kept)))
        live_keep_done(live, client.kept);
    free(text);
}

/* ---- what was kept is put back ---- */

static bool is_whole(const wend_live_keep *keep) {
    const bool request = keep->what == WEND_LIVE_KEEP_REQUEST && keep->kept != NULL;
    if (!request && keep->what != WEND_LIVE_KEEP_CHANGE) return false;
    if (keep->session == NULL || keep->secret == NULL || keep->message == NULL) return false;
    const size_t length = strlen(keep->session);
    return length > 0 && length <= LIVE_MAX_NAME && strlen(keep->secret) == LIVE_SECRET_BYTES;
}

/* 0 or an error of libuv. */
static int find_session(wend_live *live, const wend_live_keep *keep, live_session **out) {
    live_session *session = live_session_find(&live->sessions, keep->session);
    *out = session;
    if (session != NULL) return live_same_secret(keep->secret, session->secret) ? 0 : UV_EEXIST;
    *out = live_session_restore(&live->sessions, keep->session, keep->secret, uv_now(live->net.loop));
    return *out != NULL ? 0 : UV_ENOMEM;
}

static int restore(wend_live *live, const wend_live_keep *keep) {
    const live_message *message = &live->message;
    const bool request = keep->what == WEND_LIVE_KEEP_REQUEST;
    live_client client = {.live = live, .again = true, .restored = true, .kept = request ? keep->kept : NULL};
    const bool change = message->op == LIVE_OP_CANCEL || message->op == LIVE_OP_URGENCY || message->op == LIVE_OP_GOAL;
    if (message->closes || message->id.length == 0 || !message->known) return UV_EINVAL;
    if (request ? message->op != LIVE_OP_REQUEST : !change) return UV_EINVAL;
    const int error = find_session(live, keep, &client.session);
    if (error != 0) return error;
    if (message->reader.error == WEND_LIVE_OK) live_answer(&client);
    if (!request || is_pending(client.session, keep->kept)) return 0;
    return live_session_lose(client.session, &message->id, keep->kept) ? 0 : UV_ENOMEM;
}

int wend_live_restore(wend_live *live, const wend_live_keep *keep) {
    wend_live_keep given = {.struct_bytes = sizeof given};
    const size_t first = WEND__FIRST_BYTES(wend_live_keep, message_bytes);
    if (!wend__sized_take(&given, sizeof given, first, keep) || !is_whole(&given)) return UV_EINVAL;
    live_message_parse(&live->message, given.message, (size_t)given.message_bytes, live->kind, live->limits.edit_cells);
    const int error = restore(live, &given);
    live_message_end(&live->message);
    return error;
}
