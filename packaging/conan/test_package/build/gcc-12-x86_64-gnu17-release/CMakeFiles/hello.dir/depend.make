# Empty dependencies file for hello.
# This may be replaced when dependencies are built.
