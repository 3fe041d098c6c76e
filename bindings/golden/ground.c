/* SPDX-License-Identifier: MIT */
/* Maps from levels on each machine: ground [LEVEL.obj...]. Prints the hash of each level's map, which is the same
 * everywhere; without arguments, that of hills and terraces made here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/ground.h>
#include <wend/save.h>

enum { HILLS = 200, TERRACES = 60, MOST = 1 << 20 };

static float vertices[3 * MOST];
static uint32_t triangles[3 * MOST];
static size_t vertex_count, triangle_count;

static void need(wend_error error, const char *what) {
    if (!error) return;
    fprintf(stderr, "ground: %s\n", what);
    exit(1);
}

static uint32_t draw(void) { /* xorshift32: Marsaglia, 2003 */
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void add_vertex(float x, float y, float z) {
    need(vertex_count == MOST ? WEND_OUT_OF_RANGE : WEND_OK, "too many vertices");
    float *v = &vertices[3 * vertex_count++];
    v[0] = x, v[1] = y, v[2] = z;
}

static void add_triangle(uint32_t a, uint32_t b, uint32_t c) {
    need(triangle_count == MOST ? WEND_OUT_OF_RANGE : WEND_OK, "too many triangles");
    uint32_t *t = &triangles[3 * triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_square(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    add_triangle(a, c, b);
    add_triangle(b, c, d);
}

static void make_level(void) {
    for (int z = 0; z <= HILLS; z++)
        for (int x = 0; x <= HILLS; x++) add_vertex((float)x * .5f, (float)(draw() % 64) / 90.f, (float)z * .5f);
    for (uint32_t z = 0; z < HILLS; z++)
        for (uint32_t x = 0; x < HILLS; x++) {
            const uint32_t at = z * (HILLS + 1) + x;
            add_square(at, at + 1, at + HILLS + 1, at + HILLS + 2);
        }
    for (int i = 0; i < TERRACES; i++) {
        const float x = (float)(draw() % 900) / 10.f, z = (float)(draw() % 900) / 10.f,
                    high = (float)(draw() % 50) / 7.f, rise = (float)(draw() % 9) / 3.f;
        const uint32_t at = (uint32_t)vertex_count;
        add_vertex(x, high, z), add_vertex(x + 9, high, z);
        add_vertex(x, high + rise, z + 8), add_vertex(x + 9, high + rise, z + 8);
        add_square(at, at + 1, at + 2, at + 3);
    }
}

/* Vertices and faces by positive numbers, which is all that the levels of Recast have. */
static void read_level(const char *name) {
    FILE *file = fopen(name, "r");
    need(file ? WEND_OK : WEND_BAD_ARGUMENT, name);
    vertex_count = triangle_count = 0;
    for (char line[1024]; fgets(line, sizeof line, file);) {
        float x, y, z;
        if (sscanf(line, "v %f %f %f", &x, &y, &z) == 3) add_vertex(x, y, z);
        if (line[0] != 'f') continue;
        uint32_t corners[3] = {0};
        char *next = line + 1;
        for (int i = 0;; i++) {
            const unsigned long number = strtoul(next, &next, 10);
            if (!number) break;
            while (*next && *next != ' ') next++;
            corners[i < 2 ? i : 2] = (uint32_t)number - 1;
            if (i < 2) continue;
            add_triangle(corners[0], corners[1], corners[2]);
            corners[1] = corners[2];
        }
    }
    fclose(file);
}

static void print_hash(const char *name) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.vertices = vertices, def.vertex_count = vertex_count;
    def.triangles = triangles, def.triangle_count = triangle_count;
    def.drop = 3, def.jump = 2;
    wend_ground *ground;
    wend_map *map;
    wend_file_error why = {.struct_bytes = sizeof why};
    need(wend_ground_create(&def, &ground, &map, &why), why.text);
    size_t bytes = 0;
    wend_map_save_state(map, NULL, 0, &bytes);
    unsigned char *state = malloc(bytes);
    need(state ? wend_map_save_state(map, state, bytes, &bytes) : WEND_OUT_OF_MEMORY, "the map's state");
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ state[i]) * UINT64_C(1099511628211);
    printf("%s %016" PRIx64 "\n", name, hash);
    free(state);
    wend_ground_destroy(ground);
    wend_map_release(map);
}

int main(int argc, char **argv) {
    if (argc == 1) {
        make_level();
        print_hash("ground");
    }
    for (int i = 1; i < argc; i++) {
        read_level(argv[i]);
        print_hash(argv[i]);
    }
    return 0;
}
