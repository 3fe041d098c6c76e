CMakeFiles/hello.dir/work/wt/s51/examples/hello.c.o: \
 /work/wt/s51/examples/hello.c /usr/include/stdc-predef.h \
 /usr/include/stdio.h \
 /usr/include/x86_64-linux-gnu/bits/libc-header-start.h \
 /usr/include/features.h /usr/include/features-time64.h \
 /usr/include/x86_64-linux-gnu/bits/wordsize.h \
 /usr/include/x86_64-linux-gnu/bits/timesize.h \
 /usr/include/x86_64-linux-gnu/sys/cdefs.h \
 /usr/include/x86_64-linux-gnu/bits/long-double.h \
 /usr/include/x86_64-linux-gnu/gnu/stubs.h \
 /usr/include/x86_64-linux-gnu/gnu/stubs-64.h \
 /usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h \
 /usr/lib/gcc/x86_64-linux-gnu/12/include/stdarg.h \
 /usr/include/x86_64-linux-gnu/bits/types.h \
 /usr/include/x86_64-linux-gnu/bits/typesizes.h \
 /usr/include/x86_64-linux-gnu/bits/time64.h \
 /usr/include/x86_64-linux-gnu/bits/types/__fpos_t.h \
 /usr/include/x86_64-linux-gnu/bits/types/__mbstate_t.h \
 /usr/include/x86_64-linux-gnu/bits/types/__fpos64_t.h \
 /usr/include/x86_64-linux-gnu/bits/types/__FILE.h \
 /usr/include/x86_64-linux-gnu/bits/types/FILE.h \
 /usr/include/x86_64-linux-gnu/bits/types/struct_FILE.h \
 /usr/include/x86_64-linux-gnu/bits/stdio_lim.h \
 /usr/include/x86_64-linux-gnu/bits/floatn.h \
 /usr/include/x86_64-linux-gnu/bits/floatn-common.h \
 /usr/include/x86_64-linux-gnu/bits/stdio.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/wend.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/base.h \
 /usr/lib/gcc/x86_64-linux-gnu/12/include/stdint.h /usr/include/stdint.h \
 /usr/include/x86_64-linux-gnu/bits/wchar.h \
 /usr/include/x86_64-linux-gnu/bits/stdint-intn.h \
 /usr/include/x86_64-linux-gnu/bits/stdint-uintn.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/map.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/edit.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/acceleration.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/io.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/request.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/service.h \
 /tmp/conanhome/p/b/wend036fe638d9dd1/p/include/wend/crowd.h
