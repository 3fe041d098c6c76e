# SPDX-License-Identifier: MIT
import os

from setuptools import setup

os.chdir(os.path.dirname(os.path.abspath(__file__)))
setup(cffi_modules=["build_wend.py:ffi"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
