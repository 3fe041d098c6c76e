# SPDX-License-Identifier: MIT
"""The extension module wend._wend: the whole library and its interface, by cffi."""
import json
import os
import subprocess

from cffi import FFI

ROOT = os.environ.get("WEND_ROOT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CALLBACKS = """
extern "Python" void wend_py_done(void *context, const wend_completion *done);
extern "Python" void wend_py_event(void *context, const wend_agent_event *event);
extern "Python" wend_error wend_py_write(void *context, uint32_t file, const void *bytes, size_t size);
extern "Python" void wend_py_resume(void *context, wend_ticket ticket, wend_request *request);
"""

LINKED = os.environ.get("WEND_LIB_DIR")  # a library that is there, instead of its sources


def sources():
    if LINKED:
        return []
    told = subprocess.run(["sh", os.path.join(ROOT, "bindings", "sources.sh")], capture_output=True, text=True, check=True)
    return [os.path.relpath(os.path.join(ROOT, line)) for line in told.stdout.split()]


subprocess.run(["sh", os.path.join(ROOT, "bindings", "api", "make.sh"), "--if-older"], check=True)
ffi = FFI()
with open(os.path.join(ROOT, "bindings", "api", "wend.cdef"), encoding="ascii") as file:
    ffi.cdef(file.read() + CALLBACKS)
with open(os.path.join(ROOT, "bindings", "api", "api.json"), encoding="ascii") as file:
    headers = sorted({function["header"] for function in json.load(file)["functions"].values()})
ffi.set_source(
    "wend._wend",
    "".join(f"#include <wend/{name}>\n" for name in headers) + CALLBACKS.replace('extern "Python"', "static"),
    sources=sources(), include_dirs=[os.path.join(ROOT, "include"), os.path.join(ROOT, "src")], libraries=["wend"] if LINKED else ["m"],
    library_dirs=[LINKED] if LINKED else [],
    extra_compile_args=["-std=c11", "-O3", "-g0", "-fvisibility=hidden", "-fno-strict-aliasing", "-ffp-contract=off"])

if __name__ == "__main__":
    ffi.compile(verbose=True)
