########## MACROS ###########################################################################
#############################################################################################

# Requires CMake > 3.15
if(${CMAKE_VERSION} VERSION_LESS "3.15")
    message(FATAL_ERROR "The 'CMakeDeps' generator only works with CMake >= 3.15")
endif()

if(wend_FIND_QUIETLY)
    set(wend_MESSAGE_MODE VERBOSE)
else()
    set(wend_MESSAGE_MODE STATUS)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/cmakedeps_macros.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/wendTargets.cmake)
include(CMakeFindDependencyMacro)

check_build_type_defined()

foreach(_DEPENDENCY ${wend_FIND_DEPENDENCY_NAMES} )
    # Check that we have not already called a find_package with the transitive dependency
    if(NOT ${_DEPENDENCY}_FOUND)
        find_dependency(${_DEPENDENCY} REQUIRED ${${_DEPENDENCY}_FIND_MODE})
    endif()
endforeach()

set(wend_VERSION_STRING "0.3.0")
set(wend_INCLUDE_DIRS ${wend_INCLUDE_DIRS_RELEASE} )
set(wend_INCLUDE_DIR ${wend_INCLUDE_DIRS_RELEASE} )
set(wend_LIBRARIES ${wend_LIBRARIES_RELEASE} )
set(wend_DEFINITIONS ${wend_DEFINITIONS_RELEASE} )


# Only the last installed configuration BUILD_MODULES are included to avoid the collision
foreach(_BUILD_MODULE ${wend_BUILD_MODULES_PATHS_RELEASE} )
    message(${wend_MESSAGE_MODE} "Conan: Including build module from '${_BUILD_MODULE}'")
    include(${_BUILD_MODULE})
endforeach()


