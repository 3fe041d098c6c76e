# SPDX-License-Identifier: MIT
# `conan create packaging/conan` builds examples/hello.c with the package, and runs it.
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Hello(ConanFile):
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            map_file = os.path.join(self.recipe_folder, "..", "..", "..", "data", "problem1.txt")
            self.run(f'"{os.path.join(self.cpp.build.bindir, "hello")}" "{map_file}"', env="conanrun")
