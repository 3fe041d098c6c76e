########### AGGREGATED COMPONENTS AND DEPENDENCIES FOR THE MULTI CONFIG #####################
#############################################################################################

set(wend_COMPONENT_NAMES "")
if(DEFINED wend_FIND_DEPENDENCY_NAMES)
  list(APPEND wend_FIND_DEPENDENCY_NAMES )
  list(REMOVE_DUPLICATES wend_FIND_DEPENDENCY_NAMES)
else()
  set(wend_FIND_DEPENDENCY_NAMES )
endif()

########### VARIABLES #######################################################################
#############################################################################################
set(wend_PACKAGE_FOLDER_RELEASE "/tmp/conanhome/p/b/wend036fe638d9dd1/p")
set(wend_BUILD_MODULES_PATHS_RELEASE )


set(wend_INCLUDE_DIRS_RELEASE "${wend_PACKAGE_FOLDER_RELEASE}/include")
set(wend_RES_DIRS_RELEASE )
set(wend_DEFINITIONS_RELEASE )
set(wend_SHARED_LINK_FLAGS_RELEASE )
set(wend_EXE_LINK_FLAGS_RELEASE )
set(wend_OBJECTS_RELEASE )
set(wend_COMPILE_DEFINITIONS_RELEASE )
set(wend_COMPILE_OPTIONS_C_RELEASE )
set(wend_COMPILE_OPTIONS_CXX_RELEASE )
set(wend_LIB_DIRS_RELEASE "${wend_PACKAGE_FOLDER_RELEASE}/lib")
set(wend_BIN_DIRS_RELEASE )
set(wend_LIBRARY_TYPE_RELEASE STATIC)
set(wend_IS_HOST_WINDOWS_RELEASE 0)
set(wend_LIBS_RELEASE wend)
set(wend_SYSTEM_LIBS_RELEASE m pthread)
set(wend_FRAMEWORK_DIRS_RELEASE )
set(wend_FRAMEWORKS_RELEASE )
set(wend_BUILD_DIRS_RELEASE )
set(wend_NO_SONAME_MODE_RELEASE FALSE)


# COMPOUND VARIABLES
set(wend_COMPILE_OPTIONS_RELEASE
    "$<$<COMPILE_LANGUAGE:CXX>:${wend_COMPILE_OPTIONS_CXX_RELEASE}>"
    "$<$<COMPILE_LANGUAGE:C>:${wend_COMPILE_OPTIONS_C_RELEASE}>")
set(wend_LINKER_FLAGS_RELEASE
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:${wend_SHARED_LINK_FLAGS_RELEASE}>"
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:${wend_SHARED_LINK_FLAGS_RELEASE}>"
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${wend_EXE_LINK_FLAGS_RELEASE}>")


set(wend_COMPONENTS_RELEASE )