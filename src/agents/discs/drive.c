/* SPDX-License-Identifier: MIT */
/* How a vehicle gets to a point in sight: a search over short arcs, forward and back, until from the end of one it can
 * turn to the point and go straight there (curves with cusps; Reeds, Shepp 1990; hybrid A*: Dolgov and others 2010). */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    NODES = 480,
    TABLE = 1024, ///< by hash of a pose: its node
    MOTIONS = 6,
    PIECE = ONE / 8,         ///< length of the straight pieces of an arc
    LEAST_PIECE = PIECE / 4, ///< the last one before a wall
    LEAST_ARC = ONE / 2,     ///< length of an arc: a third of the circle's radius, within these
    MOST_ARC = ONE,
    TURNS_ROUND = ONE,    ///< costs of a change between forward and back; the way back costs twice
    MEETS = 2 * ONE,      ///< costs of an arc over a disc that stands
    NEAR = 3 * ONE,       ///< distance within which those count
    SAME_PLACE = ONE / 3, ///< poses in one square of that side, and in one of
    FRONTS = 64           ///< directions, are alike
};

/// An arc, and where it ends.
typedef struct node {
    wend__pose end;
    int32_t cost, estimate; ///< estimate below 0: expanded
    int32_t way;
    int16_t parent, steer;
    int8_t gear; ///< 1: forward, -1: back, 0: it stands
} node;

typedef struct search {
    wend__bodies *bodies;
    const wend__body *body;
    uint32_t index;
    const wend__drive_request *request;
    uint32_t count;
    int16_t table[TABLE];
    node nodes[NODES];
} search;

/* Returns a point on which a pose turns as far as it can, to the left (-1) or right (1), or straight ahead. */
static wend__vec point_beside(const wend__pose *pose, int32_t steer, bool backs) {
    const wend__vec front = pose->front, side = {-front.y * steer, front.x * steer};
    const wend__vec to = steer == 0 ? front : side;
    return wend__along(pose->at, to, backs ? -64 * ONE : 64 * ONE);
}

/* Returns whether a body that stands is on a piece of the way. */
static bool meets(const search *s, wend__vec at, wend__vec by) {
    const wend__vec off = wend__minus(at, s->body->at);
    if (wend__vec_dot(off, off) > (int64_t)NEAR * NEAR) return false;
    const int32_t other = wend__body_touches(s->bodies, s->index, at, by, s->body->radius);
    if (other < 0) return other != -1;
    const wend__vec v = s->bodies->of[other].velocity;
    return s->bodies->of[other].parked || (!v.x && !v.y);
}

/* Goes a piece on. Returns its cost; -1: it is closed. */
static int32_t go_piece(search *s, wend__pose *pose, wend__vec aim, bool backs, int32_t way) {
    const wend__vec from = pose->at;
    wend__vehicle_move(s->body, pose, aim, backs, way);
    const wend__vec by = wend__minus(pose->at, from);
    wend__body_land *floor = wend__body_floor(s->bodies, s->body);
    const wend_cell before = wend__body_cell_at(s->body, from), now = wend__body_cell_at(s->body, pose->at);
    if (wend__floor_hits(floor, from, by, s->body->radius)) return -1;
    if (!wend__same_cell(before, now) && !s->request->opens(s->request->context, before, now)) return -1;
    const bool met = meets(s, from, by);
    if (met && s->request->others_stay) return -1;
    return (backs ? 2 * way : way) + (met ? MEETS : 0);
}

static int32_t estimate(const search *s, const node *n) {
    const wend__vec to = wend__minus(s->request->to, n->end.at);
    const int32_t left = wend__length(to);
    const wend__vec off = wend__minus(wend__scaled(to, ONE, left), n->end.front);
    return n->cost + left + (int32_t)((int64_t)wend__length(off) * s->body->turning / ONE);
}

/* Turns a pose to the point and leads it straight there. Returns the cost; -1: it is closed.
 * @param turned   receives the pose before the straight way */
static int32_t go_straight(search *s, wend__pose *pose, bool backs, wend__pose *turned) {
    const wend__vec to = s->request->to;
    int32_t cost = 0;
    if (wend__vehicle_circles(s->body, pose, to)) return -1;
    for (int32_t way = 0; way < 8 * s->body->turning + ONE; way += PIECE) {
        const wend__vec off = wend__minus(to, pose->at);
        const int32_t left = wend__length(off);
        const int64_t ahead = wend__vec_dot(pose->front, off) * (backs ? -1 : 1);
        if (ahead * 1000 >= (int64_t)left * ONE * 999 || left < PIECE) {
            *turned = *pose;
            wend__body_land *floor = wend__body_floor(s->bodies, s->body);
            if (!wend__floor_sees(floor, pose->at, to, s->body->radius)) return -1;
            const bool met = meets(s, pose->at, wend__scaled(off, wend__least(left, NEAR), left));
            if (met && s->request->others_stay) return -1;
            return cost + (backs ? 2 * left : left) + (met ? MEETS : 0);
        }
        const int32_t more = go_piece(s, pose, to, backs, PIECE);
        if (more < 0) return -1;
        cost += more;
    }
    return -1;
}

/* Returns the place in the table of a pose: empty, or of one that is alike. */
static int16_t *place_of(search *s, const node *n) {
    const wend__vec f = n->end.front;
    const int32_t x = f.x < 0 ? -f.x : f.x, y = f.y < 0 ? -f.y : f.y; /* a part of a quarter by its tangent */
    const int32_t part = x + y > 0 ? (int32_t)((int64_t)(FRONTS / 4) * y / (x + y + 1)) : 0;
    const uint64_t key = (uint64_t)(uint32_t)(n->end.at.x / SAME_PLACE) << 40 ^
                         (uint64_t)(uint32_t)(n->end.at.y / SAME_PLACE) << 16 ^
                         (uint64_t)(part << 2 | (f.x < 0) << 1 | (f.y < 0));
    return &s->table[(key * UINT64_C(0x9E3779B97F4A7C15) >> 54) % TABLE];
}

static void add_node(search *s, const node *n) {
    int16_t *place = place_of(s, n);
    if (*place >= 0 && s->nodes[*place].cost <= n->cost) return;
    if (s->count == NODES) return;
    *place = (int16_t)s->count;
    s->nodes[s->count] = *n;
    s->nodes[s->count++].estimate = estimate(s, n);
}

static int32_t arc_length(const wend__body *body) {
    return wend__most(LEAST_ARC, wend__least(MOST_ARC, body->turning / 3));
}

/* Returns the cost of going on from a node forward or back. */
static int32_t changes(const node *n, bool backs) {
    return n->gear == (backs ? 1 : -1) ? TURNS_ROUND : 0;
}

static void expand(search *s, int16_t from) {
    const int32_t length = arc_length(s->body);
    for (int32_t k = 0; k < MOTIONS; k++) {
        node n = s->nodes[from];
        const bool backs = k >= MOTIONS / 2;
        n.steer = (int16_t)(k % 3 == 0 ? 0 : k % 3 == 1 ? -1 : 1);
        n.cost += changes(&n, backs);
        n.gear = backs ? -1 : 1, n.parent = from, n.way = 0;
        for (int32_t piece = PIECE; n.way < length && piece >= LEAST_PIECE;) {
            wend__pose end = n.end;
            const int32_t cost = go_piece(s, &end, point_beside(&end, n.steer, backs), backs, piece);
            if (cost < 0) piece /= 2;
            if (cost < 0) continue;
            n.end = end, n.way += piece, n.cost += cost;
        }
        if (n.way > 0) add_node(s, &n);
    }
}

/* Takes the node with the least estimate that was not expanded; -1: none. */
static int16_t next_node(const search *s) {
    int16_t best = -1;
    for (uint32_t k = 0; k < s->count; k++)
        if (s->nodes[k].estimate >= 0 && (best < 0 || s->nodes[k].estimate < s->nodes[best].estimate))
            best = (int16_t)k;
    return best;
}

/* ---- the drive ---- */

/* Adds the cell of a point to a drive. A cell that it only cuts at a corner does not count. */
static bool add_cell(const search *s, wend__drive *drive, wend__vec at, uint32_t *since) {
    const wend_cell cell = wend__body_cell_at(s->body, at);
    const wend_cell last = drive->cells[drive->count - 1];
    ++*since;
    if (wend__same_cell(cell, last)) return true;
    if (drive->count > 1 && *since <= 2) {
        const wend_cell before = drive->cells[drive->count - 2];
        const int32_t dx = cell.x - before.x, dy = cell.y - before.y;
        if (dx && dy && wend__is_unit(dx) && wend__is_unit(dy) &&
            s->request->opens(s->request->context, before, cell)) {
            drive->cells[drive->count - 1] = cell;
            *since = 0;
            return true;
        }
    }
    if (drive->count == WEND__DRIVE_CELLS) return false;
    drive->cells[drive->count++] = cell;
    *since = 0;
    return true;
}

/* Drives along the found arcs, and lists their cells. */
static bool follow(search *s, int16_t last, bool shot_backs, wend__drive *drive) {
    int16_t row[NODES];
    int32_t count = 0;
    uint32_t since = 0;
    for (int16_t k = last; k > 0; k = s->nodes[k].parent) row[count++] = k;
    wend__pose pose = s->nodes[0].end;
    drive->cells[0] = wend__body_cell_at(s->body, wend__body_seen(s->bodies, s->body->at, s->body->post));
    drive->count = 1;
    drive->aim = s->request->to, drive->backs = shot_backs, drive->goes_on = false;
    for (int32_t k = count - 1; k >= 0; k--) {
        const node *n = &s->nodes[row[k]];
        const bool backs = n->gear < 0;
        for (int32_t way = 0, piece = PIECE; way < n->way; way += piece) {
            while (piece > n->way - way) piece /= 2;
            wend__vehicle_move(s->body, &pose, point_beside(&pose, n->steer, backs), backs, piece);
            if (!add_cell(s, drive, pose.at, &since)) return false;
        }
        const node *first = &s->nodes[row[count - 1]];
        bool same = true;
        for (int32_t j = k; j < count; j++)
            same = same && s->nodes[row[j]].steer == first->steer && s->nodes[row[j]].gear == first->gear;
        if (same) drive->aim = pose.at, drive->backs = first->gear < 0;
        if (same) drive->goes_on = (k > 0 ? s->nodes[row[k - 1]].gear < 0 : shot_backs) == drive->backs;
    }
    wend__pose turned = pose, end = pose;
    if (go_straight(s, &end, shot_backs, &turned) < 0) return false;
    const int64_t stop = wend__vec_dot(wend__minus(turned.at, pose.at), wend__minus(turned.at, pose.at));
    for (int32_t way = 0; stop > 0 && way < 8 * s->body->turning + ONE; way += PIECE) {
        if (pose.at.x == turned.at.x && pose.at.y == turned.at.y) break;
        wend__vehicle_move(s->body, &pose, s->request->to, shot_backs, PIECE);
        if (!add_cell(s, drive, pose.at, &since)) return false;
    }
    drive->straight_from = turned.at;
    return true;
}

bool wend__bodies_drive(wend__bodies *bodies, uint32_t index, const wend__drive_request *request, wend__drive *drive) {
    static const int16_t none = -1;
    const wend__body *body = &bodies->of[index];
    search s = {.bodies = bodies, .body = body, .index = index, .request = request, .count = 1};
    for (uint32_t k = 0; k < TABLE; k++) s.table[k] = none;
    s.nodes[0] = (node){.end = wend__vehicle_pose(body, request->to, false), .parent = -1};
    if (body->velocity.x || body->velocity.y)
        s.nodes[0].gear = wend__vec_dot(body->velocity, body->facing) < 0 ? -1 : 1;
    s.nodes[0].estimate = estimate(&s, &s.nodes[0]);
    int32_t best = INT32_MAX;
    int16_t best_node = -1;
    bool best_backs = false;
    for (int16_t n; (n = next_node(&s)) >= 0 && s.nodes[n].estimate < best;) {
        s.nodes[n].estimate = -1;
        for (int32_t k = 0; k < 2; k++) {
            wend__pose end = s.nodes[n].end, turned;
            const int32_t turns = changes(&s.nodes[n], k > 0);
            const int32_t cost = go_straight(&s, &end, k > 0, &turned);
            if (cost < 0 || s.nodes[n].cost + cost + turns >= best) continue;
            best = s.nodes[n].cost + cost + turns, best_node = n, best_backs = k > 0;
        }
        if (s.count < NODES) expand(&s, n);
    }
    return best_node >= 0 && follow(&s, best_node, best_backs, drive);
}
