/* SPDX-License-Identifier: MIT */
/* A town in SDL 2: 1,000 bodies wander at 20 Hz, and the screen shows them at 60. A left click sends the guards, which
   are yellow. A right drag paints walls; one that begins on a wall opens them.
   sdl_town [FRAMES [PICTURE.bmp]]: so many frames, without pauses, then a picture, and what a frame took. */
#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/query.h>
#include <wend/wend.h>

enum { WIDE = 120, HIGH = 80, CELL = 10, AGENTS = 1000, GUARDS = 100, DISC = 32, UPDATE = 3, MOST_LATE = 12 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id ids[AGENTS]; /* the first ones are guards */
static wend_crowd_view view = {.struct_bytes = sizeof view};
static double headings[AGENTS]; /* in degrees */
static uint64_t seed = 7, updates, arrivals;
static SDL_Renderer *renderer;
static SDL_Texture *ground, *disc;

static void check(wend_error error) {
    if (error) fprintf(stderr, "sdl_town: %s\n", wend_error_detail(error)), exit(1);
}

static void check_sdl(bool good) {
    if (!good) fprintf(stderr, "sdl_town: SDL: %s\n", SDL_GetError()), exit(1);
}

static int32_t dice(int32_t sides) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((seed >> 33) % (uint32_t)sides);
}

/* ---- the town: houses with streets between them, and a square in the middle ---- */

static void build(void) {
    wend_map_def def;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    def.width = WIDE, def.height = HIGH;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    for (int32_t y = 4; y + 8 < HIGH; y += 12)
        for (int32_t x = 4; x + 10 < WIDE; x += 14) {
            const bool square = abs(x + 4 - WIDE / 2) < 14 && abs(y + 3 - HIGH / 2) < 12;
            const wend_box house = {{x, y, 0}, {x + 5 + dice(4), y + 4 + dice(3), 0}};
            if (!square) check(wend_edit_fill_box(edit, house, WEND_CLASS_BLOCKED));
        }
    check(wend_edit_publish(edit, NULL));
    check(wend_map_accelerate(map, NULL));
}

static void send(const wend_agent_id *agents, size_t count, wend_cell cell) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = cell;
    check(wend_crowd_go(crowd, agents, count, &goal));
}

static void wander(wend_agent_id id, wend_cell from) {
    wend_cell to = from;
    (void)wend_map_random_cell(map, WEND_MOVER_DEFAULT, from, seed++, &to); /* on an error it stays */
    send(&id, 1, to);
}

/* A guard stays where it was sent; all others walk on. */
static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    arrivals += event->event == WEND_AGENT_EVENT_ARRIVED;
    if (event->agent.index < GUARDS || event->event == WEND_AGENT_EVENT_REPLACED) return;
    if (wend_agent_event_ends_goal(event->event)) wander(event->agent, event->cell);
}

static void settle(int number) {
    wend_agent_def agent;
    wend_body_def body;
    wend_agent_def_init(&agent, sizeof agent);
    wend_body_def_init(&body, sizeof body);
    agent.speed_milli = (uint32_t)(150 + dice(100));
    body.radius_milli = (uint32_t)(280 + dice(120));
    do agent.cell = (wend_cell){dice(WIDE), dice(HIGH), 0};
    while (wend_crowd_add(crowd, &agent, &ids[number])); /* a wall or another agent is there */
    check(wend_crowd_set_body(crowd, ids[number], &body));
    wander(ids[number], agent.cell);
}

static void populate(void) {
    wend_service_def serves;
    wend_crowd_def walks;
    wend_service_def_init(&serves, sizeof serves);
    wend_crowd_def_init(&walks, sizeof walks);
    check(wend_service_create(&serves, &service));
    walks.service = service, walks.map = map, walks.agents = AGENTS, walks.on_event = on_event;
    check(wend_crowd_create(&walks, &crowd));
    for (int i = 0; i < AGENTS; i++) settle(i);
}

static void update(void) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 5000;
    check(wend_service_tick(service, &budget, NULL));
    check(wend_crowd_update(crowd, 1000, NULL, NULL));
    check(wend_crowd_get_view(crowd, &view)); /* all that the frames until the next update need */
    updates++;
}

/* ---- drawing ---- */

static void draw_ground(void) {
    uint32_t pixels[HIGH][WIDE];
    for (int32_t y = 0; y < HIGH; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            uint8_t terrain = WEND_CLASS_OPEN;
            check(wend_map_get_terrain(map, (wend_cell){x, y, 0}, &terrain));
            pixels[y][x] = terrain == WEND_CLASS_BLOCKED ? 0xff6a5544 : 0xffe6dfcc;
        }
    check_sdl(SDL_UpdateTexture(ground, NULL, pixels, sizeof pixels[0]) == 0);
}

/* A white disc with a line from its middle to its rim on the right, where a heading of 0 leads. */
static void draw_disc(void) {
    uint32_t pixels[DISC][DISC];
    for (int y = 0; y < DISC; y++)
        for (int x = 0; x < DISC; x++) {
            const double off_x = x + .5 - DISC / 2, off_y = y + .5 - DISC / 2;
            const bool inside = off_x * off_x + off_y * off_y<DISC * DISC / 4, line = off_x> 0 && fabs(off_y) < 3;
            pixels[y][x] = !inside ? 0 : line ? 0xff202020 : 0xffffffff;
        }
    check_sdl(SDL_UpdateTexture(disc, NULL, pixels, sizeof pixels[0]) == 0);
    check_sdl(SDL_SetTextureBlendMode(disc, SDL_BLENDMODE_BLEND) == 0);
}

static void open_window(uint32_t flags) {
    check_sdl(SDL_Init(SDL_INIT_VIDEO) == 0);
    SDL_Window *window =
        SDL_CreateWindow("wend: a town", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDE * CELL, HIGH * CELL, 0);
    renderer = window ? SDL_CreateRenderer(window, -1, flags) : NULL;
    check_sdl(renderer != NULL);
    ground = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, WIDE, HIGH);
    disc = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, DISC, DISC);
    check_sdl(ground && disc);
    draw_ground();
    draw_disc();
}

/* Draws all as they are when a part of the time from the last update to the next is over. */
static void draw(double part) {
    const double scale = CELL / 1000.0;
    check_sdl(SDL_RenderCopy(renderer, ground, NULL, NULL) == 0);
    for (uint32_t i = 0; i < view.count; i++) {
        const wend_point point = view.points[i], velocity = view.velocities[i];
        const double x = (point.x - velocity.x * (1 - part)) * scale + CELL / 2.0;
        const double y = (point.y - velocity.y * (1 - part)) * scale + CELL / 2.0;
        const double radius = view.radii[i] * scale;
        const SDL_FRect box = {(float)(x - radius), (float)(y - radius), (float)(2 * radius), (float)(2 * radius)};
        if (velocity.x || velocity.y) headings[i] = atan2(velocity.y, velocity.x) * 180 / 3.14159265;
        if (i < GUARDS)
            SDL_SetTextureColorMod(disc, 255, 200, 0);
        else
            SDL_SetTextureColorMod(disc, 60, 120, 230);
        check_sdl(SDL_RenderCopyExF(renderer, disc, NULL, &box, headings[i], NULL, SDL_FLIP_NONE) == 0);
    }
}

static void save_picture(const char *name) {
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, WIDE * CELL, HIGH * CELL, 24, SDL_PIXELFORMAT_RGB24);
    check_sdl(surface &&
              SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, surface->pixels, surface->pitch) == 0);
    check_sdl(SDL_SaveBMP(surface, name) == 0);
    SDL_FreeSurface(surface);
}

/* ---- the mouse ---- */

static wend_cell cell_at(int32_t x, int32_t y) {
    x = x < 0 ? 0 : x < WIDE * CELL ? x : WIDE * CELL - 1; /* a drag may leave the window */
    y = y < 0 ? 0 : y < HIGH * CELL ? y : HIGH * CELL - 1;
    return (wend_cell){x / CELL, y / CELL, 0};
}

/* Returns false once the window is closed. */
static bool take_events(void) {
    static uint8_t stroke;
    static bool paints;
    for (SDL_Event event; SDL_PollEvent(&event);) {
        const bool moved = event.type == SDL_MOUSEMOTION, pressed = event.type == SDL_MOUSEBUTTONDOWN;
        const wend_cell cell =
            moved ? cell_at(event.motion.x, event.motion.y) : cell_at(event.button.x, event.button.y);
        if (event.type == SDL_QUIT) return false;
        if (event.type == SDL_MOUSEBUTTONUP) paints = false;
        if (pressed && event.button.button == SDL_BUTTON_LEFT) send(ids, GUARDS, cell);
        if (pressed && event.button.button == SDL_BUTTON_RIGHT) {
            paints = true;
            check(wend_map_get_terrain(map, cell, &stroke));
            stroke = stroke == WEND_CLASS_BLOCKED ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED;
        }
        if (!paints || !(moved || pressed)) continue;
        check(wend_map_set_cell(map, cell, stroke, NULL));
        draw_ground();
    }
    return true;
}

int main(int argc, char **argv) {
    const uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    const double milli = 1000.0 / CLOCKS_PER_SEC;
    double late = 0; /* in sixtieths of a second */
    uint64_t before = SDL_GetPerformanceCounter(), drawn = 0;
    clock_t updating = 0, drawing = 0;
    build();
    open_window(frames ? 0 : SDL_RENDERER_PRESENTVSYNC);
    populate();
    for (update(); take_events() && (frames == 0 || drawn < frames); drawn++) {
        const uint64_t now = SDL_GetPerformanceCounter();
        late += frames ? 1 : 60.0 * (double)(now - before) / (double)SDL_GetPerformanceFrequency();
        late = late < MOST_LATE ? late : MOST_LATE; /* a slow machine plays slowly */
        before = now;
        const clock_t begun = clock();
        for (; late >= UPDATE; late -= UPDATE) update();
        const clock_t updated = clock();
        draw(late / UPDATE);
        SDL_RenderPresent(renderer);
        updating += updated - begun, drawing += clock() - updated;
    }
    if (argc > 2) draw(late / UPDATE), save_picture(argv[2]);
    printf("%d bodies: %.2f ms of processor time an update, %.2f ms a drawing; %llu arrivals in %llu updates\n", AGENTS,
           milli * (double)updating / (double)(updates - 1), milli * (double)drawing / (double)drawn,
           (unsigned long long)arrivals, (unsigned long long)updates);
    SDL_Quit();
    check(wend_crowd_destroy(crowd));
    check(wend_service_destroy(service));
    wend_map_release(map);
}
