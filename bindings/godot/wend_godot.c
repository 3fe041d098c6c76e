/* SPDX-License-Identifier: MIT */
/* A GDExtension for Godot 4.4 and later: the class WendWorld, a grid with its service and its crowd. All arguments and
 * results are whole numbers; points are in thousandths of a cell. How to build and use it: bindings/engines.md. */
#include <stdint.h>
#include <stdlib.h>
#include <gdextension_interface.h>
#include <wend/wend.h>

typedef struct world {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id *agents;
    int64_t agent_count, agent_capacity;
} world;

/* A number of Godot's in the range of wend's: one that does not fit is refused as -1 is. */
static int32_t narrow(int64_t number) {
    return number < 0 || number > INT32_MAX ? -1 : (int32_t)number;
}

static wend_cell to_cell(const int64_t *at) {
    return (wend_cell){narrow(at[0]), narrow(at[1]), 0};
}

/* ---- methods: each takes its whole numbers, and returns one; below 0 is an error of wend ---- */

static int64_t close_world(world *in, const int64_t *args) {
    (void)args;
    if (in->crowd) wend_crowd_destroy(in->crowd);
    if (in->service) wend_service_destroy(in->service);
    if (in->map) wend_map_release(in->map);
    free(in->agents);
    *in = (world){0};
    return WEND_OK;
}

static int64_t open_world(world *in, const int64_t *args) { /* width, height, agents */
    wend_map_def land;
    wend_service_def queue;
    wend_crowd_def def;
    wend_map_def_init(&land, sizeof land), wend_service_def_init(&queue, sizeof queue);
    wend_crowd_def_init(&def, sizeof def);
    close_world(in, NULL);
    if (args[2] < 1 || args[2] > 1 << 20) return WEND_OUT_OF_RANGE;
    land.width = narrow(args[0]), land.height = narrow(args[1]);
    wend_error error = wend_map_create(&land, &in->map);
    if (!error) error = wend_service_create(&queue, &in->service);
    def.map = in->map, def.service = in->service, def.agents = (uint32_t)args[2];
    if (!error) error = wend_crowd_create(&def, &in->crowd);
    in->agents = malloc((size_t)args[2] * sizeof *in->agents);
    if (!error && !in->agents) error = WEND_OUT_OF_MEMORY;
    if (error) return close_world(in, NULL), error;
    in->agent_capacity = args[2];
    return WEND_OK;
}

static int64_t set_cell(world *in, const int64_t *args) { /* x, y, 1 for open or 0 for a wall */
    return wend_map_set_cell(in->map, to_cell(args), args[2] ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL);
}

static int64_t add_agent(world *in, const int64_t *args) { /* x, y; returns its number */
    wend_agent_def def;
    if (in->agent_count == in->agent_capacity) return WEND_BUSY;
    wend_agent_def_init(&def, sizeof def);
    def.cell = to_cell(args);
    const wend_error error = wend_crowd_add(in->crowd, &def, &in->agents[in->agent_count]);
    return error ? error : in->agent_count++;
}

static int64_t send_agent(world *in, const int64_t *args) { /* agent, x, y */
    wend_crowd_goal goal;
    if (args[0] < 0 || args[0] >= in->agent_count) return WEND_OUT_OF_RANGE;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = to_cell(&args[1]);
    return wend_crowd_go(in->crowd, &in->agents[args[0]], 1, &goal);
}

static int64_t tick_world(world *in, const int64_t *args) { /* microseconds of searching, time in 1/1000 */
    wend_budget budget;
    if (args[0] < 0 || args[1] < 0 || args[1] > UINT32_MAX) return WEND_OUT_OF_RANGE;
    wend_budget_init(&budget, sizeof budget);
    budget.us = (uint64_t)args[0];
    const wend_error error = wend_service_tick(in->service, &budget, NULL);
    return error ? error : wend_crowd_update(in->crowd, (uint32_t)args[1], NULL, NULL);
}

static int64_t get_point(const world *in, int64_t agent, wend_point *point) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (agent < 0 || agent >= in->agent_count) return WEND_OUT_OF_RANGE;
    const wend_error error = wend_crowd_get_agent(in->crowd, in->agents[agent], &state);
    *point = state.point;
    return error;
}

static int64_t get_x(world *in, const int64_t *args) { /* agent */
    wend_point point;
    const int64_t error = get_point(in, args[0], &point);
    return error ? error : point.x;
}

static int64_t get_y(world *in, const int64_t *args) { /* agent */
    wend_point point;
    const int64_t error = get_point(in, args[0], &point);
    return error ? error : point.y;
}

enum { MOST_ARGS = 3 };
static const struct method {
    const char *name;
    uint32_t arg_count;
    int needs_world; ///< refused before open()
    int64_t (*call)(world *in, const int64_t *args);
} methods[] = {
    {"open", 3, 0, open_world}, {"close", 0, 0, close_world}, {"set_cell", 3, 1, set_cell}, {"add", 2, 1, add_agent},
    {"go", 3, 1, send_agent},   {"tick", 2, 1, tick_world},   {"get_x", 1, 1, get_x},       {"get_y", 1, 1, get_y},
};

/* ---- Godot ---- */

static GDExtensionClassLibraryPtr library;
static GDExtensionInterfaceClassdbConstructObject2 construct;
static GDExtensionInterfaceObjectSetInstance set_instance;
static GDExtensionInterfaceStringNameNewWithLatin1Chars new_name;
static GDExtensionInterfaceClassdbRegisterExtensionClass4 register_class;
static GDExtensionInterfaceClassdbRegisterExtensionClassMethod register_method;
static GDExtensionInterfaceClassdbUnregisterExtensionClass unregister_class;
static GDExtensionTypeFromVariantConstructorFunc to_int;
static GDExtensionVariantFromTypeConstructorFunc from_int;
static void *class_name, *parent_name, *no_name, *no_string; /* StringName and String take a pointer's size */

static int64_t call_method(const struct method *method, world *in, const int64_t *args) {
    return method->needs_world && !in->crowd ? WEND_CLOSED : method->call(in, args);
}

static void call_typed(void *userdata, GDExtensionClassInstancePtr in, const GDExtensionConstTypePtr *args,
                       GDExtensionTypePtr out) {
    const struct method *method = userdata;
    int64_t values[MOST_ARGS] = {0};
    for (uint32_t i = 0; i < method->arg_count; i++) values[i] = *(const int64_t *)args[i];
    *(int64_t *)out = call_method(method, in, values);
}

static void call_variants(void *userdata, GDExtensionClassInstancePtr in, const GDExtensionConstVariantPtr *args,
                          GDExtensionInt count, GDExtensionVariantPtr out, GDExtensionCallError *error) {
    const struct method *method = userdata;
    int64_t values[MOST_ARGS] = {0};
    if (count != (GDExtensionInt)method->arg_count) {
        error->error = count < (GDExtensionInt)method->arg_count ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                                                                 : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
        error->expected = (int32_t)method->arg_count;
        return;
    }
    for (uint32_t i = 0; i < method->arg_count; i++) to_int(&values[i], (GDExtensionVariantPtr)(uintptr_t)args[i]);
    int64_t result = call_method(method, in, values);
    from_int(out, &result);
    error->error = GDEXTENSION_CALL_OK;
}

static GDExtensionObjectPtr create_instance(void *userdata, GDExtensionBool notify) {
    (void)userdata, (void)notify;
    GDExtensionObjectPtr object = construct(&parent_name);
    world *in = calloc(1, sizeof *in);
    if (!in) abort();
    set_instance(object, &class_name, in);
    return object;
}

static void free_instance(void *userdata, GDExtensionClassInstancePtr in) {
    (void)userdata;
    close_world(in, NULL);
    free(in);
}

static void add_method(const struct method *method) {
    static void *names[sizeof methods / sizeof *methods];
    GDExtensionPropertyInfo number = {.type = GDEXTENSION_VARIANT_TYPE_INT,
                                      .name = &no_name,
                                      .class_name = &no_name,
                                      .hint_string = &no_string,
                                      .usage = 6 /* PROPERTY_USAGE_DEFAULT */};
    GDExtensionPropertyInfo args[MOST_ARGS] = {number, number, number};
    GDExtensionClassMethodArgumentMetadata sizes[MOST_ARGS] = {0};
    void **name = &names[method - methods];
    new_name(name, method->name, 1);
    const GDExtensionClassMethodInfo info = {.name = name,
                                             .method_userdata = (void *)(uintptr_t)method,
                                             .call_func = call_variants,
                                             .ptrcall_func = call_typed,
                                             .method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT,
                                             .has_return_value = 1,
                                             .return_value_info = &number,
                                             .argument_count = method->arg_count,
                                             .arguments_info = args,
                                             .arguments_metadata = sizes};
    register_method(library, &class_name, &info);
}

static void initialize(void *userdata, GDExtensionInitializationLevel level) {
    (void)userdata;
    if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
    new_name(&class_name, "WendWorld", 1), new_name(&parent_name, "RefCounted", 1), new_name(&no_name, "", 1);
    const GDExtensionClassCreationInfo4 info = {
        .is_exposed = 1, .create_instance_func = create_instance, .free_instance_func = free_instance};
    register_class(library, &class_name, &parent_name, &info);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) add_method(&methods[i]);
}

static void deinitialize(void *userdata, GDExtensionInitializationLevel level) {
    (void)userdata;
    if (level == GDEXTENSION_INITIALIZATION_SCENE) unregister_class(library, &class_name);
}

#if defined(_WIN32)
__declspec(dllexport)
#endif
    GDExtensionBool wend_godot_init(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr from,
                                    GDExtensionInitialization *out);
GDExtensionBool wend_godot_init(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr from,
                                GDExtensionInitialization *out) {
    typedef void (*any_function)(void); // a cast by way of it is what compilers take as meant
    library = from;
    construct = (GDExtensionInterfaceClassdbConstructObject2)(any_function)get("classdb_construct_object2");
    set_instance = (GDExtensionInterfaceObjectSetInstance)get("object_set_instance");
    new_name = (GDExtensionInterfaceStringNameNewWithLatin1Chars)get("string_name_new_with_latin1_chars");
    register_class = (GDExtensionInterfaceClassdbRegisterExtensionClass4)get("classdb_register_extension_class4");
    register_method =
        (GDExtensionInterfaceClassdbRegisterExtensionClassMethod)get("classdb_register_extension_class_method");
    unregister_class = (GDExtensionInterfaceClassdbUnregisterExtensionClass)get("classdb_unregister_extension_class");
    const GDExtensionInterfaceGetVariantToTypeConstructor to =
        (GDExtensionInterfaceGetVariantToTypeConstructor)(any_function)get("get_variant_to_type_constructor");
    const GDExtensionInterfaceGetVariantFromTypeConstructor of =
        (GDExtensionInterfaceGetVariantFromTypeConstructor)(any_function)get("get_variant_from_type_constructor");
    if (!construct || !set_instance || !new_name || !register_class || !register_method || !unregister_class || !to ||
        !of)
        return 0;
    to_int = to(GDEXTENSION_VARIANT_TYPE_INT), from_int = of(GDEXTENSION_VARIANT_TYPE_INT);
    *out = (GDExtensionInitialization){.minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE,
                                       .initialize = initialize,
                                       .deinitialize = deinitialize};
    return 1;
}
