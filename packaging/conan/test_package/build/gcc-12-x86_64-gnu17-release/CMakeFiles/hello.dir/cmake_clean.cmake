file(REMOVE_RECURSE
  "CMakeFiles/hello.dir/work/wt/s51/examples/hello.c.o"
  "CMakeFiles/hello.dir/work/wt/s51/examples/hello.c.o.d"
  "hello"
  "hello.pdb"
)

# Per-language clean rules from dependency scanning.
foreach(lang C)
  include(CMakeFiles/hello.dir/cmake_clean_${lang}.cmake OPTIONAL)
endforeach()
