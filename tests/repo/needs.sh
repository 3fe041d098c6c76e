# SPDX-License-Identifier: MIT
# Packages of a build, for tests: server, lab, extra, ground.
has() { case " $(sed -n 's/^WEND_PACKAGES = //p' "${WEND_BUILDDIR:-.}/Makefile") " in *" $1 "*) return 0 ;; esac; return 1; }
needs() { # packages: the test is skipped where the build has not all of them
    for package; do
        has "$package" || { echo "skipped: built without the package $package"; exit 77; }
    done
}
