# SPDX-License-Identifier: MIT
"""wend: paths for many agents inside a frame's budget.

Cells are tuples: (x, y), or (x, y, z) in space. One thread calls a service and its crowds. An exception that leaves a
callback does not pass through the library: it is kept, the other callbacks of the frame are called, and tick() or
update() raises it then."""
import asyncio
import ctypes
import functools
import os
from types import SimpleNamespace

from wend._wend import ffi, lib

__all__ = ["Agent", "Answer", "Arena", "Crowd", "Edit", "Error", "Event", "Layer", "Map", "Resumed", "Rows",
           "Service", "check", "ffi", "lib", "make", "version"]
BLOCKED, OPEN = lib.WEND_CLASS_BLOCKED, lib.WEND_CLASS_OPEN
NO_AGENT = 2**64 - 1
BODY_STATES = ("rests", "goes", "waits", "returns", "aside", "away")


def _text(at):
    return ffi.string(at).decode()


version = _text(lib.wend_version())


class Error(Exception):
    """An error of the library: `code` is its name, "WEND_BUSY" for one."""

    def __init__(self, number, text=None):
        super().__init__(text or _text(lib.wend_error_detail(number)))
        self.code = _text(lib.wend_error_name(number))


def _check(number):
    if number:
        raise Error(number)


def check(number):
    """Raise what a function of `lib` returns, if it is an error."""
    _check(number)


def _cell(place, noun="cell"):
    if isinstance(place, (str, bytes)) or len(place) not in (2, 3):
        raise TypeError(f"a {noun} is (x, y) or (x, y, z)")
    return (*place, 0)[:3]


def _is(kind, thing):
    if not isinstance(thing, kind):
        raise TypeError(f"this takes a wend.{kind.__name__}, not {thing!r}")
    return thing


def _callable(call):
    if not callable(call):
        raise TypeError(f"this takes a function, not {call!r}")
    return call


def _tuple(cell):
    return (cell.x, cell.y, cell.z)


@functools.lru_cache(maxsize=None)
def _options(name):
    """The fields of a struct that have a value of the caller's."""
    return tuple(field for field, _ in ffi.typeof(name).fields if field not in ("struct_bytes", "reserved"))


# What the methods of this module give, or replace by an option of their own.
INNER = ("allocator", "clock", "context", "jobs", "limits", "on_done", "options", "tuning")
OUTER = {"wend_map_def": ("arena",), "wend_service_def": ("arena",)}


def _check_options(given, *names):
    """Raise TypeError where one of these structs has no such field."""
    for option in given:
        if not any(option in _options(name) for name in names):
            known = [one for name in names for one in (*OUTER.get(name, ()), *_options(name)) if one not in INNER]
            raise TypeError(f"unknown option `{option}`; known: {', '.join(known)}")


def _make(name, **values):
    """A struct with its defaults and these values."""
    _check_options(values, name)
    made = ffi.new(name + " *")
    init = getattr(lib, name + "_init", None)
    if init:
        init(made, ffi.sizeof(name))
    else:
        made.struct_bytes = ffi.sizeof(name)
    for field, value in values.items():
        setattr(made, field, value)
    return made


def make(name, **fields):
    """A struct of the C interface with its defaults, for functions of `lib`: make("wend_route_def", corner_count=2)."""
    return _make(name, **fields)


def _value(one):
    """A value of C as one of Python: cells, points and vectors are tuples; an id that is all zero is None."""
    if not isinstance(one, ffi.CData):
        return one
    kind = ffi.typeof(one)
    if kind.kind == "array":
        return [_value(item) for item in one]
    if kind in (ffi.typeof("wend_agent_id"), ffi.typeof("wend_ticket")) and not (one.index or one.generation):
        return None
    if kind == ffi.typeof("wend_agent_id"):
        return Agent(one)
    return tuple(_value(getattr(one, name)) for name, _ in kind.fields)


def _get(name, call, *args):
    """The fields of the struct that call(..., out) gives, without its addresses; None where there is none."""
    made = _make(name)
    number = call(*args, made)
    if number == lib.WEND_EMPTY:
        return None
    _check(number)
    fields = [field for field, kind in ffi.typeof(name).fields if kind.type.kind != "pointer"]
    return SimpleNamespace(**{field.replace("from", "from_"): _value(getattr(made, field)) for field in fields
                              if field not in ("struct_bytes", "reserved")})


def _out(kind, call, *args):
    """The value that call(..., out) gives."""
    out = ffi.new(kind + " *")
    _check(call(*args, out))
    return out[0]


def _box(least, most):
    return ffi.new("wend_box *", (_cell(least), _cell(most)))


class Rows:
    """Rows of numbers, each a tuple: `for x, y in rows`, `rows[i]`, `len(rows)`. `buffer` is their memory, which
    numpy.asarray(rows) shares."""

    __slots__ = ("buffer", "_flat", "_columns")

    def __init__(self, flat, kind, columns):
        self._flat, self._columns = flat.cast(kind), columns
        self.buffer = flat.cast(kind, (len(self._flat) // columns, columns)) if flat.nbytes else self._flat

    def __len__(self):
        return len(self._flat) // self._columns

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[i] for i in range(len(self))[number]]
        begin = range(len(self))[number] * self._columns
        return tuple(self._flat[begin:begin + self._columns])

    def tolist(self):
        return self.buffer.tolist()

    def __repr__(self):
        return f"<{len(self)} rows of {self._columns}>"

    def __array__(self, dtype=None, copy=None):
        import numpy  # it calls this
        shared = numpy.asarray(self.buffer, dtype=dtype)
        return shared.copy() if copy else shared


def _array(at, count, kind, columns):
    """A copy of an array of C: rows, or a buffer where each has one number."""
    size = count * columns * (4 if kind in "iI" else 1)
    flat = memoryview(bytearray(ffi.buffer(at, size) if count else 0))
    return Rows(flat, kind, columns) if columns > 1 else flat.cast(kind)


class _Handle:
    @property
    def handle(self):
        """Its address, for functions of `lib`."""
        return self._at


def _make_with(name, link, further, **values):
    """The same, where a struct behind the field `link` has some of the fields; both, as the first does not hold the second."""
    _check_options(values, name, further)
    names = _options(further)
    behind = _make(further, **{field: value for field, value in values.items() if field in names})
    return _make(name, **{link: behind}, **{field: value for field, value in values.items() if field not in names}), behind


class _Catcher:
    """Keeps the first exception of callbacks until the call that led to them has returned."""

    def __init__(self):
        self.kept = None

    def run(self, call, *args):
        try:
            call(*args)
        except BaseException as problem:  # it is raised again
            self.kept = self.kept or problem
            return False
        return True

    def check(self, number):
        kept, self.kept = self.kept, None
        if kept:
            raise kept
        _check(number)


def _save(call):
    """What call(buffer, capacity, bytes) saves."""
    size = ffi.new("size_t *")
    number = call(ffi.NULL, 0, size)  # it counts them
    if number != lib.WEND_OUT_OF_MEMORY:
        _check(number)
    room = ffi.new("uint8_t[]", size[0])
    _check(call(room, size[0], size))
    return bytes(ffi.buffer(room, size[0]))


def _bytes(data):
    return bytes(memoryview(data))


def _rows_of(array):
    """Rows of terrain classes, or of values, as one buffer, with their width and height."""
    array = array.buffer if isinstance(array, Rows) else array
    if not isinstance(array, (list, tuple)):
        view = memoryview(array)
        if view.ndim != 2 or view.format not in ("B", "?") or not view.c_contiguous:
            raise TypeError("from_array() takes lists of terrain classes, or rows of bytes, one behind another")
        return view, view.shape[1], view.shape[0]
    rows = []
    for y, row in enumerate(array):
        try:
            rows.append(bytes(list(row)))
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"row {y}: cells have whole numbers from 0 to 255") from problem
        if len(rows[y]) != len(rows[0]):
            raise ValueError(f"row {y} has {len(rows[y])} cells, row 0 has {len(rows[0])}")
    return b"".join(rows), len(rows[0]) if rows else 0, len(rows)


def _size(box):
    """The cells of a box, and those of a row."""
    sides = [getattr(box.max, axis) - getattr(box.min, axis) + 1 for axis in "xyz"]
    if min(sides) < 1:
        raise Error(lib.WEND_BAD_ARGUMENT, "the box has no cells")
    return sides[0] * sides[1] * sides[2], sides[0]


def _values(values, cells, row):
    """A byte for each cell of a box: a list of its rows, or a buffer of bytes, one row behind another."""
    values = values.buffer if isinstance(values, Rows) else values
    if isinstance(values, (list, tuple)):
        values, width, _ = _rows_of(values)
        if width != row:
            raise Error(lib.WEND_BAD_ARGUMENT, f"the box has rows of {row} cells, not {width}")
    view = memoryview(values)
    if view.format not in ("B", "?") or not view.c_contiguous:
        raise TypeError("set_box() takes rows of bytes, one behind another")
    if view.nbytes != cells:
        raise Error(lib.WEND_BAD_ARGUMENT, f"the box has {cells} cells, not {view.nbytes}")
    return ffi.from_buffer("uint8_t[]", view)


def _destroy_arena(at, owned):
    for destroy, one in reversed(owned):
        destroy(one)
    lib.wend_arena_destroy(at)


class Arena(_Handle):
    """Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches: those made with
    `arena=`, before its first mark. They live as long as it does. Fields: those of wend_arena_def."""

    def __init__(self, **fields):
        out = ffi.new("wend_arena **")
        _check(lib.wend_arena_create(_make("wend_arena_def", **fields), out))
        self._owned, self._services, self._marked = [], [], False
        self._at = ffi.gc(out[0], lambda at, owned=self._owned: _destroy_arena(at, owned))

    def _take(self, at, destroy):
        if self._marked:
            destroy(at)
            raise Error(lib.WEND_IN_USE, "objects of an arena are made before its first mark")
        self._owned.append((destroy, at))
        return at

    def mark(self, slot):
        """Remember all of it, between two frames."""
        _check(lib.wend_arena_mark(self._at, slot))
        self._marked = True

    def rewind(self, slot, resume=None):
        """Make all of it what it was, also forth to a later mark. Functions of requests do not go back: as in
        Service.restore(), resume(request) returns the one of a request that is pending again, or None."""
        _check(lib.wend_arena_rewind(self._at, slot))
        for service in self._services:
            service._resume(resume, (), lambda host, service=service: lib.wend_service_adopt(service._at, host))


def _own(arena, at, destroy):
    """What frees an object: the garbage collector, or its arena."""
    return ffi.gc(at, destroy) if arena is None else _is(Arena, arena)._take(at, destroy)


def _where(arena):
    return {} if arena is None else {"allocator": lib.wend_arena_allocator(_is(Arena, arena)._at)}


class Edit(_Handle):
    """Changes of a map that searches see together: `with map.edit() as edit:`."""

    def __init__(self, map_):
        out = ffi.new("wend_edit **")
        _check(lib.wend_edit_begin(map_._at, out))
        self._open = ffi.gc(out[0], lib.wend_edit_discard)

    @property
    def _at(self):
        if not self._open:
            raise Error(lib.WEND_CLOSED, "this edit has ended")
        return self._open

    def set(self, cell, terrain):
        _check(lib.wend_edit_set_cell(self._at, _cell(cell), terrain))

    def fill(self, least, most, terrain):
        _check(lib.wend_edit_fill_box(self._at, (_cell(least), _cell(most)), terrain))

    def set_box(self, least, most, terrain):
        """Set the classes of a box: a list of its rows, or a buffer of bytes, one row behind another; in space, layer
        behind layer."""
        box = _box(least, most)
        cells, row = _size(box)
        _check(lib.wend_edit_set_box(self._at, box[0], _values(terrain, cells, row), row))

    def __enter__(self):
        return self if self._at else None

    def __exit__(self, kind, problem, trace):
        at, self._open = self._at, None
        if kind:
            ffi.release(at)
        else:
            ffi.gc(at, None)
            _check(lib.wend_edit_publish(at, ffi.NULL))


def _address(struct):
    return ctypes.c_void_p(int(ffi.cast("uintptr_t", struct)))


def _bake_tiled(extra, path, definition, where):
    """An error, or 0; what libwend-extra reads of a map of Tiled, as a baked map: it has a libwend of its own, which may
    be another one than that of this module; and the start and goal of the map."""
    at, beside, parts, ends = ctypes.c_void_p(), ctypes.c_void_p(), [], _make("wend_map_markers")
    number = extra.wend_tiled_load(path, None, _address(definition), ctypes.byref(at), ctypes.byref(beside), _address(where))
    if number:
        return number, b"", ends

    @ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    def write(context, begin, size):
        parts.append(ctypes.string_at(begin, size))
        return 0

    number = extra.wend_map_write(at, lib.WEND_FORMAT_BAKED, None, write, None, _address(where))
    markers = ffi.cast("wend_map_markers **", beside.value)[1]  # wend_tiled has struct_bytes, then `markers`
    ffi.memmove(ends, markers, min(markers.struct_bytes, ends.struct_bytes))
    extra.wend_tiled_free(beside)
    extra.wend_map_release(at)
    return number, b"".join(parts), ends


@functools.lru_cache(maxsize=None)
def _load_extra():
    """libwend-extra, or None."""
    for name in ("libwend-extra.so.1", "libwend-extra.1.dylib"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


class Map(_Handle):
    """A grid, a world of cubes, or a graph. Fields: those of wend_map_def."""

    def __init__(self, width, height, arena=None, **fields):
        out = ffi.new("wend_map **")
        _check(lib.wend_map_create(_make("wend_map_def", width=width, height=height, **_where(arena), **fields), out))
        self._take(out[0], arena=arena)

    def _take(self, at, markers=None, arena=None):
        self._arena, self._at = arena, _own(arena, at, lib.wend_map_release)
        self.start = _tuple(markers.start) if markers and markers.has_start else None
        self.goal = _tuple(markers.goal) if markers and markers.has_goal else None
        return self

    @classmethod
    def _read(cls, read, name, arena, fields, tiled=None):
        out, ends, where = ffi.new("wend_map **"), _make("wend_map_markers"), _make("wend_file_error")
        number = read(_make("wend_map_def", **_where(arena), **fields), out, ends, where)
        if tiled and number == lib.WEND_UNSUPPORTED and "libwend-extra" in _text(where.text) and _load_extra():
            number, baked, ends = _bake_tiled(_load_extra(), tiled, _make("wend_map_def", **fields), where)
            fields = {field: value for field, value in fields.items() if field != "rules"}  # the baked map has them
            number = number or lib.wend_map_parse(baked, len(baked), _make("wend_map_def", **_where(arena), **fields), out,
                                                  ffi.NULL, where)
        if number:
            raise Error(number, f"{name}:{where.line}:{where.column}: {_text(where.text)}")
        return cls.__new__(cls)._take(out[0], ends, arena)

    @classmethod
    def load(cls, path, arena=None, **fields):
        """From a file of any format that the library reads; of Tiled, where libwend-extra is installed."""
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError("a path has no zero byte")
        return cls._read(lambda *args: lib.wend_map_load(name, *args), path, arena, fields, name)

    @classmethod
    def parse(cls, data, arena=None, **fields):
        """From the text or bytes of a file."""
        data = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        return cls._read(lambda *args: lib.wend_map_parse(data, len(data), *args), "map", arena, fields)

    @classmethod
    def from_array(cls, array, arena=None, **fields):
        """From rows of terrain classes: a list of lists or bytes, a numpy array of uint8, or whatever else is a buffer of two
        dimensions."""
        rows, width, height = _rows_of(array)
        made = cls(width, height, arena, **fields)
        with made.edit() as edit:
            edit.set_box((0, 0), (width - 1, height - 1), rows)
        return made

    @property
    def info(self):
        """The library's description: .width, .height, .epoch, …: the fields of wend_map_info."""
        return _get("wend_map_info", lib.wend_map_get_info, self._at)

    def accelerate(self):
        """Make jump tables and landmarks: searches are faster."""
        _check(lib.wend_map_accelerate(self._at, ffi.NULL))
        return self

    def terrain(self, cell):
        out = ffi.new("uint8_t *")
        _check(lib.wend_map_get_terrain(self._at, _cell(cell), out))
        return out[0]

    def rows(self, z=0):
        """The terrain of a layer, as Rows."""
        info = self.info
        out = bytearray(info.width * info.height)
        box = ((0, 0, z), (info.width - 1, info.height - 1, z))
        _check(lib.wend_map_get_terrain_box(self._at, box, ffi.from_buffer("uint8_t[]", out), info.width))
        return Rows(memoryview(out), "B", info.width)

    def occupants(self, cell):
        out = ffi.new("uint32_t *")
        _check(lib.wend_map_get_occupants(self._at, _cell(cell), out))
        return out[0]

    def add_layer(self, **fields):
        """Values of cells, from 0 to 255, that make steps cost more. Fields: those of wend_layer_def."""
        return Layer(self, _out("int32_t", lib.wend_map_add_layer, self._at, _make("wend_layer_def", **fields)))

    def get_layer(self, number):
        """A layer of the map, also of one that was restored."""
        _get("wend_layer_info", lib.wend_map_get_layer, self._at, number)  # is there one?
        return Layer(self, number)

    def layer_update(self, steps=1):
        """Let time pass for all layers: those with a half_life fade."""
        _check(lib.wend_map_update_layers(self._at, steps))

    def add_profile(self, weights):
        """How much requests or agents mind layers: {layer: weight}. Returns a number for their field `profile`."""
        rows = [(_is(Layer, one)._of(self), weight) for one, weight in dict(weights).items()]
        rows = ffi.new("wend_layer_weight[]", rows)
        return _out("int32_t", lib.wend_map_add_profile, self._at, rows, len(rows))

    def get_profile(self, profile):
        """Pairs of a layer and its weight."""
        rows = ffi.new("wend_layer_weight[]", lib.WEND_MAX_PROFILE_LAYERS)
        count = _out("uint32_t", lib.wend_map_get_profile, self._at, profile, rows)
        return [(Layer(self, one.layer), one.weight) for one in rows[0:count]]

    def random_cell(self, origin, seed):
        """A cell that the default mover can reach from another one; the same seed gives the same."""
        out = ffi.new("wend_cell *")
        _check(lib.wend_map_random_cell(self._at, lib.WEND_MOVER_DEFAULT, _cell(origin), seed, out))
        return _tuple(out)

    def edit(self):
        return Edit(self)

    def save(self):
        """The map as it is between two frames, as bytes. A game saves maps, services, then crowds."""
        return _save(lambda *out: lib.wend_map_save_state(self._at, *out))

    def restore(self, data):
        """Back to what was saved, of this map or of one with the same definition."""
        data = _bytes(data)
        _check(lib.wend_map_restore_state(self._at, data, len(data)))

    def _repr_svg_(self):
        info = self.info
        if info.kind != lib.WEND_KIND_GRID or info.width > 512 or info.height > 512:
            return None
        side = max(1, 512 // max(info.width, info.height))
        bars = []
        for y, row in enumerate(self.rows().tolist()):
            x = 0
            while x < info.width:
                begin = x
                while x < info.width and row[x] == BLOCKED:
                    x += 1
                if x > begin:
                    bars.append(f"M{begin} {y}h{x - begin}v1h{begin - x}z")
                x += 1
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{side * info.width}" height="{side * info.height}" '
                f'viewBox="0 0 {info.width} {info.height}"><rect width="100%" height="100%" fill="#f4f1ea"/>'
                f'<path d="{"".join(bars)}" fill="#4a4a4a"/></svg>')


class Layer:
    """A layer of a map: danger, influence, traffic."""

    def __init__(self, map_, number):
        self._map, self.number = map_, number

    def _of(self, map_):
        if self._map is not map_:
            raise ValueError("this layer is of another map")
        return self.number

    @property
    def info(self):
        """.half_life, .within, .updates, .layers"""
        return _get("wend_layer_info", lib.wend_map_get_layer, self._map._at, self.number)

    def add_disc(self, centre, radius, peak):
        """Add a disc to the values: `peak` at its centre, less and less up to `radius` cells away."""
        _check(lib.wend_map_add_layer_disc(self._map._at, self.number, _cell(centre), radius, peak))

    def get(self, cell):
        return _out("uint8_t", lib.wend_map_get_layer_value, self._map._at, self.number, _cell(cell))

    def _room(self, least, most):
        """A box of the map, its cells, and those of a row."""
        box = _box(least, most)
        self.get(least), self.get(most)
        return (box[0], *_size(box))

    def set_box(self, least, most, values):
        """Set the values of a box: a list of its rows, or a buffer of bytes, one row behind another."""
        box, cells, row = self._room(least, most)
        _check(lib.wend_map_set_layer_box(self._map._at, self.number, box, _values(values, cells, row), row))

    def get_box(self, least, most):
        """The values of a box, as Rows."""
        box, cells, row = self._room(least, most)
        out = bytearray(cells)
        _check(lib.wend_map_get_layer_box(self._map._at, self.number, box, ffi.from_buffer("uint8_t[]", out), row))
        return Rows(memoryview(out), "B", row)


class Resumed:
    """A request that a restore has brought back. `agent` is the number that submit() was given, or None."""

    __slots__ = ("agent", "start", "goal", "urgency")

    def __init__(self, request):
        self.agent = request.agent if request.agent != NO_AGENT else None
        self.start, self.goal, self.urgency = _tuple(request.start), _tuple(request.goal), request.urgency


class Answer:
    """What became of a request."""

    __slots__ = ("status", "cost", "cells", "expansions", "frames", "number")

    def __init__(self, done):
        self.status, self.cost = _text(lib.wend_status_name(done.status)), done.cost
        self.expansions, self.frames, self.number = done.expansions, done.frames, done.number
        self.cells = [_tuple(one) for one in ffi.unpack(done.cells, done.cell_count)] if done.cell_count else []

    def __repr__(self):
        return f"<{self.status}, cost {self.cost}, {len(self.cells)} cells>"


@ffi.def_extern(name="wend_py_done")
def _on_done(context, done):
    ffi.from_handle(context)(done)


@ffi.def_extern(name="wend_py_event")
def _on_event(context, event):
    ffi.from_handle(context)(event)


@ffi.def_extern(name="wend_py_resume")
def _on_resume(context, ticket, request):
    ffi.from_handle(context)(request)


@ffi.def_extern(name="wend_py_write")
def _on_write(context, file, at, size):
    return ffi.from_handle(context)(file, bytes(ffi.buffer(at, size)))


def _destroy_crowd(at, crowds):
    if at in crowds:
        crowds.remove(at)
        lib.wend_crowd_destroy(at)


def _destroy_service(at, crowds):
    """Crowds go first: where all are garbage together, they are collected in any order."""
    for crowd in list(crowds):
        _destroy_crowd(crowd, crowds)
    lib.wend_service_destroy(at)


class Service(_Handle):
    """A queue of requests, searched a bounded number of expansions a frame. Fields: those of wend_service_def and
    wend_service_tuning."""

    def __init__(self, arena=None, **fields):
        out = ffi.new("wend_service **")
        definition, tuning = _make_with("wend_service_def", "tuning", "wend_service_tuning", **_where(arena), **fields)
        _check(lib.wend_service_create(definition, out))
        del tuning
        self._calls, self._catcher, self._writer, self._crowds = set(), _Catcher(), None, set()
        self._futures = set()  # of path(), that are not settled
        self._arena, self._at = arena, _own(arena, out[0], lambda at, crowds=self._crowds: _destroy_service(at, crowds))
        if arena is not None:
            arena._services.append(self)

    def _listen(self, done):
        """A handle for the context of a request; it lives as long as it is in _calls."""
        _callable(done)

        def deliver(completion):
            self._calls.discard(handle)
            self._catcher.run(lambda: done(Answer(completion)))

        handle = ffi.new_handle(deliver)
        return handle

    def submit(self, map, start, goal, done, **fields):
        """Queue a request; done(answer) is called in the tick that delivers it. Fields: those of wend_request and
        wend_search_options. Returns its ticket."""

        handle = self._listen(done)
        request, options = _make_with("wend_request", "options", "wend_search_options", map=_is(Map, map)._at, start=_cell(start),
                                   goal=_cell(goal), on_done=lib.wend_py_done, context=handle, **fields)
        ticket = ffi.new("wend_ticket *")
        _check(lib.wend_service_submit(self._at, request, ticket))
        del options
        self._calls.add(handle)
        return (ticket.index, ticket.generation)

    def cancel(self, ticket):
        """The request ends as cancelled, in the next frame."""
        _check(lib.wend_service_cancel(self._at, ticket))

    def set_urgency(self, ticket, urgency):
        """Of a request, from the next frame on."""
        _check(lib.wend_service_set_urgency(self._at, ticket, urgency))

    def path(self, map, start, goal, **fields):
        """The same for asyncio: `answer = await service.path(...)`, while run() ticks. A restore() that takes the request
        away answers it as cancelled."""
        future = asyncio.get_running_loop().create_future()

        def settle(answer):
            self._futures.discard(future)
            future.done() or future.set_result(answer)

        self.submit(map, start, goal, settle, **fields)
        self._futures.add(future)
        return future

    def _replace(self, calls):
        """The requests are gone, and their functions with them: but nobody must await for ever."""
        gone, self._calls, self._futures = self._futures, calls, set()
        answer = Answer(ffi.new("wend_completion *", {"status": lib.WEND_STATUS_CANCELLED, "cost": -1}))
        for future in gone:
            if not future.done():
                self._catcher.run(future.set_result, answer)

    async def run(self, hz=20, **limits):
        """Tick until cancelled."""
        while True:
            self.tick(**limits)
            await asyncio.sleep(1 / hz)

    def tick(self, **limits):
        """One frame. Limits: expansions, us, …; none: all that waits."""
        budget, behind = _make_with("wend_budget", "limits", "wend_frame_limits", **limits)
        self._catcher.check(lib.wend_service_tick(self._at, budget, ffi.NULL))
        del behind

    @property
    def pending(self):
        return lib.wend_service_get_pending(self._at)

    @staticmethod
    def _host(maps, **fields):
        maps = ffi.new("wend_map *[]", [_is(Map, one)._at for one in maps])
        return _make("wend_save_host", maps=maps, map_count=len(maps), **fields), maps

    def save(self, maps=()):
        """The requests that are pending, as bytes. `maps` are theirs."""
        host, kept = self._host(maps)
        data = _save(lambda *out: lib.wend_service_save_state(self._at, host, *out))
        del kept
        return data

    def restore(self, data, maps=(), resume=None):
        """Replace the requests by those of a save; `maps` are those of save(), in the same order. The functions of
        those that are gone are not called; futures of path() get a cancelled answer. No function is in a save:
        resume(request) returns the one of a Resumed request, or None."""
        data = _bytes(data)
        self._resume(resume, maps, lambda host: lib.wend_service_restore_state(self._at, host, data, len(data)))

    def _resume(self, resume, maps, call):
        calls = set()

        def ask(request):
            done = resume(Resumed(request))
            if done is not None:
                handle = self._listen(done)
                calls.add(handle)
                request.on_done, request.context = lib.wend_py_done, handle

        own = {}
        if resume is not None:
            _callable(resume)
            asked = ffi.new_handle(lambda request: self._catcher.run(ask, request))
            own = {"request": lib.wend_py_resume, "context": asked}
        host, kept = self._host(maps, **own)
        number = call(host)
        del kept
        if not number:
            self._replace(calls)
        elif number != lib.WEND_IN_CALLBACK and not self.pending:
            self._replace(set())
        self._catcher.check(number)

    def record(self, write, map=None, crowd=None):
        """Record what the service and its crowds get: write(file, bytes). With a map it may be running."""
        _callable(write)
        writer = ffi.new_handle(lambda *args: 0 if self._catcher.run(write, *args) else lib.WEND_IO)
        if map is None:
            _check(lib.wend_service_record(self._at, lib.wend_py_write, writer))
        else:
            crowd = ffi.NULL if crowd is None else _is(Crowd, crowd)._at
            _check(lib.wend_service_record_state(self._at, _is(Map, map)._at, crowd, lib.wend_py_write, writer))
        self._writer = writer

    def end_recording(self):
        self._catcher.check(lib.wend_service_end_recording(self._at))


class Agent:
    """An agent of a crowd."""

    __slots__ = ("index", "generation")

    def __init__(self, id_):
        self.index, self.generation = id_.index, id_.generation

    @property
    def id(self):
        """For functions of `lib`."""
        return (self.index, self.generation)

    def __eq__(self, other):
        return isinstance(other, Agent) and (self.index, self.generation) == (other.index, other.generation)

    def __hash__(self):
        return hash((self.index, self.generation))


def _id(agent):
    return (_is(Agent, agent).index, agent.generation)


def _ids(agents):
    """The ids of one agent, or of several, and their number."""
    ids = ffi.new("wend_agent_id[]", [_id(one) for one in ([agents] if isinstance(agents, Agent) else agents)])
    return ids, len(ids)


class Event:
    """Something that happened to an agent."""

    __slots__ = ("event", "number", "agent", "cell", "update", "ends_goal", "to", "ahead", "why", "box")

    def __init__(self, event):
        self.event, self.number, self.agent = _text(lib.wend_constant_name(lib.WEND_NAME_AGENT_EVENT, event.event)), event.event, Agent(event.agent)
        self.cell, self.update = _tuple(event.cell), event.update
        self.ends_goal = bool(lib.wend_agent_event_ends_goal(event.event))
        self.to, self.ahead = _tuple(event.to), event.ahead
        self.why, self.box = _text(lib.wend_constant_name(lib.WEND_NAME_WHY, event.why)), None
        if event.event == lib.WEND_AGENT_EVENT_CLEAR:
            self.box = _value(event.box)


class Crowd(_Handle):
    """Agents on a service and a map that go where they are sent, never two in one cell."""

    def __init__(self, service, map, agents=1024, on_event=None, **fields):
        self._service, self._catcher, arena = _is(Service, service), _Catcher(), service._arena
        definition, tuning = _make_with("wend_crowd_def", "tuning", "wend_crowd_tuning", service=service._at,
                                        map=_is(Map, map)._at, agents=agents, **_where(arena), **fields)
        if on_event is not None:
            _callable(on_event)
            self._handle = ffi.new_handle(lambda event: self._catcher.run(lambda: on_event(Event(event))))
            definition.on_event, definition.context = lib.wend_py_event, self._handle
        out = ffi.new("wend_crowd **")
        _check(lib.wend_crowd_create(definition, out))
        del tuning
        service._crowds.add(out[0])
        self._at = _own(arena, out[0], lambda at, crowds=service._crowds: _destroy_crowd(at, crowds))
        self._view = _make("wend_crowd_view")

    def add(self, cell, **fields):
        """Fields: those of wend_agent_def: speed_milli, urgency, mover, profile, …"""
        out = ffi.new("wend_agent_id *")
        _check(lib.wend_crowd_add(self._at, _make("wend_agent_def", cell=_cell(cell), **fields), out))
        return Agent(out)

    def go(self, agents, cell, **fields):
        """Send one agent, or a group, each of which gets a place of its own. Fields: those of wend_crowd_goal: reach,
        formation, spacing, pace, near_enough."""
        self._send(agents, cell=_cell(cell), **fields)

    def follow(self, agents, target, **fields):
        """Stay near another agent, for ever. Fields: reach."""
        self._send(agents, kind=lib.WEND_CROWD_FOLLOW, target=_id(target), **fields)

    def flee(self, agents, target, **fields):
        """Get away from another agent. Fields: distance; with keep=True for ever."""
        self._send(agents, kind=lib.WEND_CROWD_FLEE, target=_id(target), **fields)

    def _send(self, agents, **fields):
        _check(lib.wend_crowd_go(self._at, *_ids(agents), _make("wend_crowd_goal", **fields)))

    def set_body(self, agent, **fields):
        """Make an agent a disc that moves in continuous space. Fields: those of wend_body_def: radius_milli,
        accel_milli, turn_degrees, …"""
        _check(lib.wend_crowd_set_body(self._at, _id(agent), _make("wend_body_def", **fields)))

    def remove_body(self, agent):
        """Take the body of an agent away: it steps from cell to cell."""
        _check(lib.wend_crowd_set_body(self._at, _id(agent), ffi.NULL))

    def get_body(self, agent):
        """The body of an agent: .state, of BODY_STATES, .at, .velocity, .facing, …: the fields of wend_body_state."""
        found = _get("wend_body_state", lib.wend_crowd_get_body, self._at, _id(agent))
        found.state = BODY_STATES[found.state]
        return found

    def place_body(self, agent, at, velocity=(0, 0)):
        """Put a body where the host has moved it, in thousandths of a cell."""
        _check(lib.wend_crowd_place_body(self._at, _id(agent), _cell(at, "point"), _cell(velocity, "velocity")))

    def halt(self, agents):
        """End the goals of agents."""
        _check(lib.wend_crowd_halt(self._at, *_ids(agents)))

    def add_route(self, corners, mode=lib.WEND_ROUTE_ONCE):
        """A way by its corners, for patrol(); mode: lib.WEND_ROUTE_LOOP, …. Returns its number."""
        cells = ffi.new("wend_cell[]", [_cell(one) for one in corners])
        route = _make("wend_route_def", corners=cells, corner_count=len(cells), mode=mode)
        return _out("uint32_t", lib.wend_crowd_add_route, self._at, route)

    def patrol(self, agent, route):
        """Send an agent along a route."""
        _check(lib.wend_crowd_patrol(self._at, _id(agent), route))

    def step(self, agent, cell):
        _check(lib.wend_crowd_step(self._at, _id(agent), _cell(cell)))

    def move(self, agent, cell):
        """Put an agent elsewhere at once."""
        _check(lib.wend_crowd_move(self._at, _id(agent), _cell(cell)))

    def remove(self, agent):
        _check(lib.wend_crowd_remove(self._at, _id(agent)))

    def set_speed(self, agent, speed_milli):
        _check(lib.wend_crowd_set_speed(self._at, _id(agent), speed_milli))

    def set_urgency(self, agent, urgency):
        _check(lib.wend_crowd_set_urgency(self._at, _id(agent), urgency))

    def set_mover(self, agents, mover):
        _check(lib.wend_crowd_set_mover(self._at, *_ids(agents), mover))

    def set_profile(self, agents, profile):
        """Which costs by place agents mind: of map.add_profile(), or 0."""
        _check(lib.wend_crowd_set_profile(self._at, *_ids(agents), profile))

    def wait_for(self, agent, others):
        """An agent never pushes these aside, in place of those set before."""
        _check(lib.wend_crowd_wait_for(self._at, _id(agent), *_ids(others)))

    def get_agent(self, agent):
        """The state of an agent: .state, .cell, .waits, .has_goal, …: the fields of wend_agent_state."""
        found = _get("wend_agent_state", lib.wend_crowd_get_agent, self._at, _id(agent))
        found.state = _text(lib.wend_constant_name(lib.WEND_NAME_AGENT_STATE, found.state))
        found.waits = _text(lib.wend_constant_name(lib.WEND_NAME_WAIT, found.waits))
        return found

    def get_goal(self, agent):
        """The fields of its wend_crowd_goal, or None."""
        return _get("wend_crowd_goal", lib.wend_crowd_get_goal, self._at, _id(agent))

    def get_path(self, agent):
        """The rest of the path that an agent keeps, the cell that it holds first."""
        return self._list("wend_cell", lib.wend_crowd_get_path, _id(agent))

    def is_clear(self, least, most):
        """Is no agent in a box?"""
        return _out("bool", lib.wend_crowd_is_clear, self._at, _box(least, most)[0])

    def clear_box(self, least, most):
        """Agents leave a box and do not enter it; the event "clear" comes when none is in it."""
        _check(lib.wend_crowd_clear_box(self._at, _box(least, most)[0]))

    def release_box(self, least, most):
        _check(lib.wend_crowd_release_box(self._at, _box(least, most)[0]))

    def get_boxes(self):
        """The boxes that are kept clear: (least, most) of each."""
        return self._list("wend_box", lib.wend_crowd_get_boxes)

    def get_stats(self):
        """Counts: .agents, .busy, .searches, …: the fields of wend_crowd_stats."""
        return _get("wend_crowd_stats", lib.wend_crowd_get_stats, self._at)

    def _list(self, kind, call, *args):
        items = ffi.new(kind + "[]", _out("size_t", call, self._at, *args, ffi.NULL, 0))
        _check(call(self._at, *args, items, len(items), ffi.new("size_t *")))
        return [_value(one) for one in items]

    def update(self, elapsed_milli=1000, **limits):
        """A step of the crowd; its events follow. Limits: us, choices."""
        budget = _make("wend_update_budget", **limits) if limits else ffi.NULL
        self._catcher.check(lib.wend_crowd_update(self._at, elapsed_milli, budget, ffi.NULL))

    def poll(self):
        """The next event of a crowd without on_event, or None."""
        out = _make("wend_agent_event")
        number = lib.wend_crowd_poll(self._at, out)
        _check(number if number != lib.WEND_EMPTY else 0)
        return Event(out) if not number else None

    def save(self):
        """Agents, in the middle of their steps, with goals, groups and paths, as bytes."""
        return _save(lambda *out: lib.wend_crowd_save_state(self._at, *out))

    def restore(self, data):
        """Replace the agents by those of a save. Map and service were restored before. Agents keep their names."""
        data = _bytes(data)
        _check(lib.wend_crowd_restore_state(self._at, ffi.NULL, data, len(data)))

    def _array(self, name, kind, columns):
        _check(lib.wend_crowd_get_view(self._at, self._view))
        return _array(getattr(self._view, name), self._view.count, kind, columns)

    @property
    def points(self):
        """Positions in thousandths of a cell, x, y and z, by index: Rows of their own."""
        return self._array("points", "i", 3)

    @property
    def cells(self):
        return self._array("cells", "i", 3)

    @property
    def facings(self):
        """-1, 0 or 1 along each axis: of the last step."""
        return self._array("facings", "b", 3)

    @property
    def velocities(self):
        """Of the last update, in thousandths of a cell in a unit of time."""
        return self._array("velocities", "i", 3)

    @property
    def radii(self):
        """Of bodies, in thousandths of a cell; 0: no body, or it is away."""
        return self._array("radii", "I", 1)

    @property
    def states(self):
        return self._array("states", "B", 1)
