# Avoid multiple calls to find_package to append duplicated properties to the targets
include_guard()########### VARIABLES #######################################################################
#############################################################################################
set(wend_FRAMEWORKS_FOUND_RELEASE "") # Will be filled later
conan_find_apple_frameworks(wend_FRAMEWORKS_FOUND_RELEASE "${wend_FRAMEWORKS_RELEASE}" "${wend_FRAMEWORK_DIRS_RELEASE}")

set(wend_LIBRARIES_TARGETS "") # Will be filled later


######## Create an interface target to contain all the dependencies (frameworks, system and conan deps)
if(NOT TARGET wend_DEPS_TARGET)
    add_library(wend_DEPS_TARGET INTERFACE IMPORTED)
endif()

set_property(TARGET wend_DEPS_TARGET
             APPEND PROPERTY INTERFACE_LINK_LIBRARIES
             $<$<CONFIG:Release>:${wend_FRAMEWORKS_FOUND_RELEASE}>
             $<$<CONFIG:Release>:${wend_SYSTEM_LIBS_RELEASE}>
             $<$<CONFIG:Release>:>)

####### Find the libraries declared in cpp_info.libs, create an IMPORTED target for each one and link the
####### wend_DEPS_TARGET to all of them
conan_package_library_targets("${wend_LIBS_RELEASE}"    # libraries
                              "${wend_LIB_DIRS_RELEASE}" # package_libdir
                              "${wend_BIN_DIRS_RELEASE}" # package_bindir
                              "${wend_LIBRARY_TYPE_RELEASE}"
                              "${wend_IS_HOST_WINDOWS_RELEASE}"
                              wend_DEPS_TARGET
                              wend_LIBRARIES_TARGETS  # out_libraries_targets
                              "_RELEASE"
                              "wend"    # package_name
                              "${wend_NO_SONAME_MODE_RELEASE}")  # soname

# FIXME: What is the result of this for multi-config? All configs adding themselves to path?
set(CMAKE_MODULE_PATH ${wend_BUILD_DIRS_RELEASE} ${CMAKE_MODULE_PATH})

########## GLOBAL TARGET PROPERTIES Release ########################################
    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                 $<$<CONFIG:Release>:${wend_OBJECTS_RELEASE}>
                 $<$<CONFIG:Release>:${wend_LIBRARIES_TARGETS}>
                 )

    if("${wend_LIBS_RELEASE}" STREQUAL "")
        # If the package is not declaring any "cpp_info.libs" the package deps, system libs,
        # frameworks etc are not linked to the imported targets and we need to do it to the
        # global target
        set_property(TARGET wend::wend
                     APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                     wend_DEPS_TARGET)
    endif()

    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_LINK_OPTIONS
                 $<$<CONFIG:Release>:${wend_LINKER_FLAGS_RELEASE}>)
    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
                 $<$<CONFIG:Release>:${wend_INCLUDE_DIRS_RELEASE}>)
    # Necessary to find LINK shared libraries in Linux
    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_LINK_DIRECTORIES
                 $<$<CONFIG:Release>:${wend_LIB_DIRS_RELEASE}>)
    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                 $<$<CONFIG:Release>:${wend_COMPILE_DEFINITIONS_RELEASE}>)
    set_property(TARGET wend::wend
                 APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                 $<$<CONFIG:Release>:${wend_COMPILE_OPTIONS_RELEASE}>)

########## For the modules (FindXXX)
set(wend_LIBRARIES_RELEASE wend::wend)
