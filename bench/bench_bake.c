/* SPDX-License-Identifier: MIT */
/* Times loading baked maps compared with making what they hold: CSV. Maps of SIDE x SIDE cells that it makes itself,
 * or those given as arguments. Each load is in a process of its own, so that its memory comes fresh from the system;
 * medians of LOADS, and the best. */
#define _POSIX_C_SOURCE 200809L

#include "scenery.h"

#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 1024, LOADS = 9 };

static const struct {
    const char *name;
    ground_fn *fill;
} grounds[] = {
    {"open", fill_open}, {"noise", fill_noise_20}, {"rooms", fill_rooms}, {"caves", fill_caves}, {"city", fill_city}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

typedef struct times {
    double wall_ms, cpu_ms;
    uint64_t map_bytes, jump_bytes, landmark_bytes;
    int32_t width, height;
} times;

static char path[] = "/tmp/bench_bake.XXXXXX";

static wend_map *load(const char *file) {
    wend_map *map;
    wend_file_error error = {.struct_bytes = sizeof error};
    if (wend_map_load(file, NULL, &map, NULL, &error) == WEND_OK) return map;
    fprintf(stderr, "%s:%d:%d: %s\n", file, error.line, error.column, error.text);
    exit(2);
}

static void read_info(const wend_map *map, times *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    out->map_bytes = info.bytes, out->jump_bytes = info.jump_bytes, out->landmark_bytes = info.landmark_bytes;
    out->width = info.width, out->height = info.height;
}

/* Loads and accelerates a map, then bakes it. */
static void bake(ground_fn *fill, const char *file, times *out) {
    wend_map *map = file ? load(file) : make_ground(fill, SIDE);
    const double wall = wall_us(), cpu = cpu_us();
    check(wend_map_accelerate(map, NULL));
    out->wall_ms = (wall_us() - wall) / 1e3, out->cpu_ms = (cpu_us() - cpu) / 1e3;
    check(wend_map_save(map, path, WEND_FORMAT_BAKED, NULL, NULL));
    read_info(map, out);
    wend_map_release(map);
}

static void load_baked(ground_fn *fill, const char *file, times *out) {
    (void)fill, (void)file;
    const double wall = wall_us(), cpu = cpu_us();
    wend_map *map = load(path);
    out->wall_ms = (wall_us() - wall) / 1e3, out->cpu_ms = (cpu_us() - cpu) / 1e3;
    read_info(map, out);
    wend_map_release(map);
}

typedef void work_fn(ground_fn *fill, const char *file, times *out);

static times in_process(work_fn *work, ground_fn *fill, const char *file) {
    int ends[2];
    times t = {0};
    need(pipe(ends) == 0, "a pipe");
    const pid_t child = fork();
    need(child >= 0, "a process");
    if (child == 0) {
        work(fill, file, &t);
        _exit(write(ends[1], &t, sizeof t) == sizeof t ? 0 : 2);
    }
    close(ends[1]);
    need(read(ends[0], &t, sizeof t) == sizeof t, "times of a process");
    close(ends[0]);
    waitpid(child, NULL, 0);
    return t;
}

static void measure(const char *name, ground_fn *fill, const char *file) {
    double wall[LOADS], cpu[LOADS];
    times made = in_process(bake, fill, file), loaded = {0};
    for (int i = 0; i < LOADS; i++) {
        loaded = in_process(load_baked, fill, file);
        wall[i] = loaded.wall_ms, cpu[i] = loaded.cpu_ms;
    }
    need(loaded.jump_bytes == made.jump_bytes && loaded.landmark_bytes == made.landmark_bytes, "the same tables");
    FILE *baked = fopen(path, "rb");
    need(baked && fseek(baked, 0, SEEK_END) == 0, "the baked map");
    printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f,%.1f\n", name, made.width, made.height, made.cpu_ms,
           median(wall, LOADS), median(cpu, LOADS), percentile(wall, LOADS, 0), percentile(cpu, LOADS, 0),
           (double)ftell(baked) / 1e6, (double)loaded.map_bytes / 1e6);
    fclose(baked);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int file = mkstemp(path);
    need(file >= 0, "a file in /tmp");
    close(file);
    printf("map,width,height,make_ms,load_wall_ms,load_cpu_ms,best_wall_ms,best_cpu_ms,file_mb,map_mb\n");
    fflush(stdout);
    for (int i = 0; i < GROUNDS && argc < 2; i++) measure(grounds[i].name, grounds[i].fill, NULL);
    for (int i = 1; i < argc; i++) measure(base_name(argv[i]), NULL, argv[i]);
    unlink(path);
    return 0;
}
