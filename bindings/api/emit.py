#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Declarations for other languages: emit.py API.json WHAT.

cdef      for Python's cffi and LuaJIT
layouts   assertions of the sizes and offsets below, in C
js        sizes, offsets, constants and lists for WebAssembly
cs        C#
rs        Rust
echo, calls, rust-calls
          for tests/bindings/calls: the functions of a library that stands in for libwend, and their calls"""
import json
import sys

API = {}
SIZES = {"bool": 1, "int8_t": 1, "uint8_t": 1, "char": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int": 4,
         "int64_t": 8, "uint64_t": 8, "double": 8}
SMALL = range(-2**31, 2**31)


def is_array(kind):
    return isinstance(kind, dict) and "array" in kind


def c_type(kind, name):
    """A declaration in C."""
    if not isinstance(kind, dict):
        return f"{kind} {name}"
    if "array" in kind:
        return c_type(kind["array"], f"{name}[{kind['n']}]")
    if "fn" in kind:
        return c_function(kind["fn"], f"(*{name})")
    star = f"*{name}"
    if isinstance(kind["ptr"], dict) and "array" in kind["ptr"]:
        star = f"({star})"
    return ("const " if kind["const"] else "") + c_type(kind["ptr"], star)


def c_function(function, name):
    args = ", ".join(c_type(one["type"], one["name"] or "") .strip() for one in function["args"]) or "void"
    return c_type(function["returns"], f"{name}({args})")


def cdef():
    yield "/* Made by bindings/api/emit.py from api.json. */"
    yield "enum {"
    yield from (f"    {name} = {value}," for name, value in API["constants"].items() if value in SMALL)
    yield "};"
    yield from (f"typedef {kind} {name};" for name, kind in API["aliases"].items())
    yield from (f"typedef struct {name} {name};" for name in [*API["handles"], *API["structs"]])
    yield from (f"typedef {c_function(one, name)};" for name, one in API["callbacks"].items())
    for name, fields in API["structs"].items():
        yield f"struct {name} {{"
        yield from (f"    {c_type(one['type'], one['name'])};" for one in fields)
        yield "};"
    yield from (f"{c_function(one, name)};" for name, one in API["functions"].items())


# ---- layouts ----

def measure(kind, pointer):
    """Size, alignment, and the kind in a word."""
    if isinstance(kind, dict):
        if "array" not in kind:
            return pointer, pointer, "pointer"
        size, align, word = measure(kind["array"], pointer)
        return size * kind["n"], align, f"{word}[{kind['n']}]"
    if kind == "size_t":
        return pointer, pointer, "size"
    if kind in API["aliases"]:
        return measure(API["aliases"][kind], pointer)
    if kind in API["structs"]:
        size, align, _ = layout(kind, pointer)
        return size, align, kind
    return SIZES[kind], SIZES[kind], kind


def layout(name, pointer):
    """Size, alignment, and [(field, offset, kind)], where each type is aligned to its size."""
    at, most, fields = 0, 1, []
    for one in API["structs"][name]:
        size, align, word = measure(one["type"], pointer)
        at = -(-at // align) * align
        fields.append((one["name"], at, word))
        at, most = at + size, max(most, align)
    return -(-at // most) * most, most, fields


def includes():
    return (f"#include <wend/{name}>" for name in
            ["wend.h", *sorted({one["header"] for one in API["functions"].values()} - {"wend.h"})])


def layouts():
    yield "/* SPDX-License-Identifier: MIT */"
    yield "/* Made by bindings/api/emit.py from api.json: sizes and offsets that bindings count on. */"
    yield "#include <stddef.h>"
    yield from includes()
    yield "#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)"
    yield "#define AT(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), #type \".\" #field)"
    for pointer, test in ((8, "#if UINTPTR_MAX > UINT32_MAX"), (4, "#elif defined __wasm__")):
        yield test
        for name in API["structs"]:
            size, _, fields = layout(name, pointer)
            yield f"SIZE({name}, {size});"
            yield from (f"AT({name}, {field}, {at});" for field, at, _ in fields)
    yield "#endif"


# ---- JavaScript ----

def js():
    def big(value):
        return f"{value}n" if abs(value) > 2**53 else str(value)
    yield "// SPDX-License-Identifier: MIT"
    yield "// Made by bindings/api/emit.py from api.json: structs as wasm32 lays them out, constants, and lists."
    yield "export const structs = {"
    for name in API["structs"]:
        size, _, fields = layout(name, 4)
        inner = ", ".join(f"{field}: [{at}, '{word}']" for field, at, word in fields)
        yield f"    {name}: {{ size: {size}, fields: {{ {inner} }} }},"
    yield "};"
    yield "export const constants = {"
    yield from (f"    {name}: {big(value)}," for name, value in API["constants"].items())
    yield "};"
    yield "export const lists = {"
    for name, items in API["lists"].items():
        yield f"    {name}: ["
        yield from (f"        {json.dumps(item)}," for item in items)
        yield "    ],"
    yield "};"


# ---- C# ----

CS = {"bool": "byte", "int8_t": "sbyte", "uint8_t": "byte", "char": "byte", "int32_t": "int", "int": "int", "uint32_t": "uint",
      "int64_t": "long", "uint64_t": "ulong", "size_t": "UIntPtr", "void": "void", "double": "double"}
CS_WORDS = {"event", "checked", "out", "in", "ref", "object", "string", "fixed", "params", "lock", "base", "is"}


def cs_name(name):
    return "@" + name if name in CS_WORDS else name


def cs_type(kind):
    if isinstance(kind, dict):
        return "IntPtr"
    return CS.get(kind) or (cs_type(API["aliases"][kind]) if kind in API["aliases"] else kind)


def cs_arg(one, position):
    """Pointers to structs are `ref`, but for arrays, which a count follows; those and all else are addresses."""
    return f"{cs_type(one['type'])} {cs_name(one['name'] or f'a{position}')}"


def cs_field(one):
    if not is_array(one["type"]):
        return f"public {cs_type(one['type'])} {cs_name(one['name'])};"
    return (f"[MarshalAs(UnmanagedType.ByValArray, SizeConst = {one['type']['n']})] "
            f"public {cs_type(one['type']['array'])}[] {cs_name(one['name'])};")


def cs():
    yield "// SPDX-License-Identifier: MIT"
    yield "// Made by bindings/api/emit.py from api.json."
    yield "using System;"
    yield "using System.Runtime.InteropServices;"
    yield "namespace Wend.Native"
    yield "{"
    yield "    public static class Constants"
    yield "    {"
    for name, value in API["constants"].items():
        yield f"        public const {'int' if value in SMALL else 'ulong'} {name} = {value};"
    yield "    }"
    for name, fields in API["structs"].items():
        yield "    [StructLayout(LayoutKind.Sequential)]"
        yield f"    public struct {name}"
        yield "    {"
        yield from (f"        {cs_field(one)}" for one in fields)
        yield "    }"
    for name, one in API["callbacks"].items():
        args = ", ".join(cs_arg(arg, i) for i, arg in enumerate(one["args"]))
        yield "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]"
        yield f"    public delegate {cs_type(one['returns'])} {name}({args});"
    yield "    public static class Functions"
    yield "    {"
    yield '        const string Library = "wend";'
    for name, one in API["functions"].items():
        args = ", ".join(cs_arg(arg, i) for i, arg in enumerate(one["args"]))
        yield "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]"
        yield f"        public static extern {cs_type(one['returns'])} {name}({args});"
    yield "    }"
    yield "}"


# ---- Rust ----

RS = {"bool": "bool", "int8_t": "i8", "uint8_t": "u8", "char": "c_char", "int32_t": "i32", "int": "i32", "uint32_t": "u32",
      "int64_t": "i64", "uint64_t": "u64", "size_t": "usize", "void": "c_void", "double": "f64"}
RS_WORDS = {"type", "box", "where", "in", "ref", "move", "loop", "match"}


def rs_name(name):
    return "r#" + name if name in RS_WORDS else name


def rs_type(kind):
    if isinstance(kind, dict):
        if "fn" in kind:
            return f"Option<{rs_function(kind['fn'])}>"
        if "array" in kind:
            return f"[{rs_type(kind['array'])}; {kind['n']}]"
        if isinstance(kind["ptr"], str) and kind["ptr"] in API["callbacks"]:
            return f"Option<{kind['ptr']}>"
        return ("*const " if kind["const"] else "*mut ") + rs_type(kind["ptr"])
    return RS.get(kind) or (rs_type(API["aliases"][kind]) if kind in API["aliases"] else kind)


def rs_signature(function):
    args = ", ".join(f"{rs_name(one['name'] or f'a{i}')}: {rs_arg(one['type'])}" for i, one in enumerate(function["args"]))
    return f"({args})" + ("" if function["returns"] == "void" else f" -> {rs_type(function['returns'])}")


def rs_arg(kind):
    if is_array(kind):
        return "*mut " + rs_type(kind["array"])
    return rs_type(kind)


def rs_function(function):
    return f'unsafe extern "C" fn{rs_signature(function)}'


def rs():
    yield "// SPDX-License-Identifier: MIT"
    yield "// Made by bindings/api/emit.py from api.json."
    yield "//! The C interface of libwend as it is. The crate `wend` is what programs use."
    yield "#![allow(non_camel_case_types)]"
    yield "use std::os::raw::{c_char, c_void};"
    for name, value in API["constants"].items():
        yield f"pub const {name}: {'i32' if value in SMALL else 'u64'} = {value};"
    for name in API["handles"]:
        yield "#[repr(C)]"
        yield f"pub struct {name} {{"
        yield "    _private: [u8; 0],"
        yield "}"
    yield from (f"pub type {name} = {rs_function(one)};" for name, one in API["callbacks"].items())
    for name, fields in API["structs"].items():
        yield "#[repr(C)]"
        yield "#[derive(Clone, Copy)]"
        yield f"pub struct {name} {{"
        yield from (f"    pub {rs_name(one['name'])}: {rs_type(one['type'])}," for one in fields)
        yield "}"
    yield '#[link(name = "wend")]'
    yield 'extern "C" {'
    yield from (f"    pub fn {name}{rs_signature(one)};" for name, one in API["functions"].items())
    yield "}"


# ---- calls of each function, for tests ----

def echo():
    yield '#include "echo.h"'
    yield from includes()
    for name, one in API["functions"].items():
        args = [{"name": f"a{i}", "type": pointed(arg["type"])} for i, arg in enumerate(one["args"])]
        takes = "".join(f" ECHO_TAKE({i}, a{i});" for i in range(len(args)))
        gives = "" if one["returns"] == "void" else f" ECHO_RETURN({c_type(one['returns'], '').strip()});"
        yield f'{c_function({**one, "args": args}, name)} {{ echo_begin("{name}");{takes}{gives} }}'


def pointed(kind):
    """What a function gets for an array."""
    return {"ptr": kind["array"], "const": False} if is_array(kind) else kind


def calls():
    yield from includes()
    yield "static void call_each() {"
    yield from (f'    call("{name}", {name});' for name in API["functions"])
    yield "}"


def rust_calls():
    yield "fn call_each() -> Vec<bool> {"
    yield "    vec!["
    yield from (f"        call!({' '.join([name, *map(str, range(len(one['args'])))])})," for name, one in API["functions"].items())
    yield "    ]"
    yield "}"
    yield "fn measure_each() -> Vec<bool> {"
    yield "    vec!["
    for name in API["structs"]:
        size, _, fields = layout(name, 8)
        yield f"        measure!({name} {size} {' '.join(f'{rs_name(field)} {at}' for field, at, _ in fields)}),"
    yield "    ]"
    yield "}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        API.update(json.load(file))
    what = {"cdef": cdef, "layouts": layouts, "js": js, "cs": cs, "rs": rs, "echo": echo, "calls": calls, "rust-calls": rust_calls}
    print("\n".join(what[sys.argv[2]]()))


main()
