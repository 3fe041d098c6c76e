/* SPDX-License-Identifier: MIT */
/* Events on their way to the host: in the order of updates, and in an update in the order in which agents were added.
 *
 * The array never overflows: a wish begins only where there is a place for its end. */
#include "crowd/state/notes.h"

const char *wend_agent_state_name(int32_t state) {
    switch (state) {
#define WEND_X(name, number, text)                                                                                     \
    case WEND_AGENT_##name: return text;
        WEND_AGENT_STATES(WEND_X)
#undef WEND_X
    default: return "unknown";
    }
}

const char *wend_agent_event_name(int32_t event) {
    switch (event) {
#define WEND_X(name, number, text)                                                                                     \
    case WEND_AGENT_EVENT_##name: return text;
        WEND_AGENT_EVENTS(WEND_X)
#undef WEND_X
    default: return "unknown";
    }
}

const char *wend_agent_why_name(int32_t why) {
    switch (why) {
#define WEND_X(name, number, text)                                                                                     \
    case WEND_WHY_##name: return text;
        WEND_AGENT_WHYS(WEND_X)
#undef WEND_X
    default: return "unknown";
    }
}

static uint32_t waiting(const wend__notes *notes) {
    return notes->count - notes->first;
}

bool wend__notes_fit(const wend_crowd *crowd, size_t wishes) {
    const wend__notes *notes = &crowd->notes;
    return wishes <= (size_t)notes->capacity - waiting(notes) - notes->reserved;
}

void wend__notes_reserve(wend_crowd *crowd) {
    crowd->notes.reserved++;
}

void wend__notes_release(wend_crowd *crowd) {
    crowd->notes.reserved--;
}

static void put(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    wend__notes *notes = &crowd->notes;
    const wend__agent *agent = &crowd->agents[index];
    if (notes->count == notes->capacity && notes->first > 0) {
        memmove(notes->of, notes->of + notes->first, waiting(notes) * sizeof *notes->of);
        notes->count -= notes->first;
        notes->fresh -= notes->first;
        notes->first = 0;
    }
    notes->of[notes->count++] = (wend__note){.serial = agent->serial,
                                             .order = notes->order++,
                                             .event = {.struct_bytes = sizeof(wend_agent_event),
                                                       .event = event,
                                                       .why = why,
                                                       .agent = {index, agent->generation},
                                                       .cell = crowd->travellers[index].at,
                                                       .context = agent->context}};
}

void wend__notes_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    crowd->notes.reserved--;
    put(crowd, index, event, why);
}

void wend__notes_rerouted(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].rerouted || !wend__notes_fit(crowd, 1)) return;
    crowd->agents[index].rerouted = true;
    put(crowd, index, WEND_AGENT_EVENT_REROUTED, WEND_WHY_NONE);
}

/* ---- at the end of an update ---- */

static bool precedes(const wend__note *a, const wend__note *b) {
    return a->serial != b->serial ? a->serial < b->serial : a->order < b->order;
}

static void sift(wend__note *notes, uint32_t root, uint32_t count) {
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && precedes(&notes[child], &notes[child + 1])) child++;
        if (!precedes(&notes[root], &notes[child])) return;
        wend__note swap = notes[root];
        notes[root] = notes[child];
        notes[child] = swap;
    }
}

static void sort_notes(wend__note *notes, uint32_t count) {
    for (uint32_t root = count / 2; root-- > 0;) sift(notes, root, count);
    for (uint32_t last = count; last-- > 1;) {
        wend__note swap = notes[0];
        notes[0] = notes[last];
        notes[last] = swap;
        sift(notes, 0, last);
    }
}

/* Callbacks may cause events; those belong to the next update, and lie behind `end`. */
static void call_back(wend_crowd *crowd, uint32_t end) {
    wend__notes *notes = &crowd->notes;
    uint32_t count = end - notes->first;
    crowd->calling = true;
    while (count-- > 0) {
        wend_agent_event event = notes->of[notes->first++].event; /* a copy, as the array may move */
        crowd->def.on_event(crowd->def.context, &event);
    }
    crowd->calling = false;
}

void wend__notes_report(wend_crowd *crowd) {
    wend__notes *notes = &crowd->notes;
    sort_notes(notes->of + notes->fresh, notes->count - notes->fresh);
    for (uint32_t i = notes->fresh; i < notes->count; i++) {
        wend__note *note = &notes->of[i];
        note->event.update = crowd->counts.updates;
        crowd->counts.event_counts[note->event.event]++;
        wend__agent *agent = &crowd->agents[note->event.agent.index];
        agent->rerouted = false;
    }
    notes->fresh = notes->count;
    if (crowd->def.on_event) call_back(crowd, notes->count);
    if (notes->first < notes->count) return;
    notes->first = notes->count = notes->fresh = 0;
}

wend_error wend_crowd_poll(wend_crowd *crowd, wend_agent_event *out) {
    WEND__CROWD_CALL(crowd);
    wend__notes *notes = &crowd->notes;
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    if (!WEND__FITS(wend_agent_event, update, out)) return WEND_BAD_ARGUMENT;
    if (notes->first == notes->fresh) return wend__refuse(WEND_EMPTY, "no event waits for a poll");
    const wend_agent_event *event = &notes->of[notes->first++].event;
    (void)WEND__GIVE(wend_agent_event, update, out, event);
    return WEND_OK;
}
