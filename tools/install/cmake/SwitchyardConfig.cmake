# Switchyard as installed: find_package(Switchyard 0.1 REQUIRED [COMPONENTS status spdlog]).
#
#   Switchyard::switchyard  the shared object, and headers
#   Switchyard::static      the same linked into the program: nothing to ship beside it
#   Switchyard::headers     headers alone, for static libraries of operators and kernels: the
#                           program that links them chooses between the two above
#   Switchyard::plugin      the C ABI and its C++ wrapper: all that a plugin uses
#
# switchyard_add_plugin(NAME SOURCE… [MANIFEST FILE]) makes a plugin, and
# switchyard_formulas(TARGET BASE HEADER…) serves pointwise operators. A process must hold one
# Switchyard: link one of the first two, once. Either writes its log through an spdlog of its own; a
# target with the property SWITCHYARD_PLAIN_LOG links Switchyard::static without it. Components:
#
#   status  Switchyard::status: switchyard/status.h, results as absl::StatusOr (needs Abseil)
#   spdlog  Switchyard::spdlog: the log goes to the program's spdlog (needs fmt and spdlog)

cmake_minimum_required(VERSION 3.24)  # whole archives
include(CMakeFindDependencyMacro)
include("${CMAKE_CURRENT_LIST_DIR}/SwitchyardFormulas.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SwitchyardPlugin.cmake")
find_dependency(Threads)

get_filename_component(_switchyard_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_switchyard_lib "${_switchyard_prefix}/lib")

if(NOT TARGET Switchyard::headers)
  add_library(Switchyard::plugin INTERFACE IMPORTED)
  target_include_directories(Switchyard::plugin INTERFACE "${_switchyard_prefix}/include")

  add_library(Switchyard::headers INTERFACE IMPORTED)
  target_include_directories(Switchyard::headers INTERFACE "${_switchyard_prefix}/include")
  target_compile_features(Switchyard::headers INTERFACE cxx_std_20)

  add_library(Switchyard::switchyard SHARED IMPORTED)
  set_target_properties(Switchyard::switchyard PROPERTIES
    IMPORTED_LOCATION "${_switchyard_lib}/libswitchyard.so.${Switchyard_VERSION}"
    IMPORTED_SONAME "libswitchyard.so.${Switchyard_VERSION_MAJOR}.${Switchyard_VERSION_MINOR}")
  target_link_libraries(Switchyard::switchyard INTERFACE Switchyard::headers)

  # Operators, kernels and devices register when a program starts: nothing refers to them, so that
  # they are linked whole.
  add_library(Switchyard::archive STATIC IMPORTED)
  set_target_properties(Switchyard::archive PROPERTIES
    IMPORTED_LOCATION "${_switchyard_lib}/libswitchyard.a")
  target_link_libraries(Switchyard::archive INTERFACE
    mvec ${CMAKE_DL_LIBS} Threads::Threads)
  add_library(Switchyard::static INTERFACE IMPORTED)
  foreach(_switchyard_part ops autograd gradients transforms cpu cuda meta log)
    add_library(Switchyard::${_switchyard_part} STATIC IMPORTED)
    set_target_properties(Switchyard::${_switchyard_part} PROPERTIES
      IMPORTED_LOCATION "${_switchyard_lib}/libswitchyard_${_switchyard_part}.a")
    target_link_libraries(Switchyard::${_switchyard_part} INTERFACE Switchyard::archive)
    set(_switchyard_whole "$<LINK_LIBRARY:WHOLE_ARCHIVE,Switchyard::${_switchyard_part}>")
    if(_switchyard_part STREQUAL "log")
      set(_switchyard_plain "$<BOOL:$<TARGET_PROPERTY:SWITCHYARD_PLAIN_LOG>>")
      set(_switchyard_whole "$<$<NOT:${_switchyard_plain}>:${_switchyard_whole}>")
    endif()
    target_link_libraries(Switchyard::static INTERFACE "${_switchyard_whole}")
  endforeach()
  unset(_switchyard_whole)
  unset(_switchyard_plain)
  target_link_libraries(Switchyard::static INTERFACE Switchyard::headers Switchyard::archive)
endif()

if("status" IN_LIST Switchyard_FIND_COMPONENTS)
  find_dependency(absl)
  if(NOT TARGET Switchyard::status)
    add_library(Switchyard::status INTERFACE IMPORTED)
    target_link_libraries(Switchyard::status INTERFACE
      Switchyard::headers absl::status absl::statusor)
  endif()
  set(Switchyard_status_FOUND TRUE)
endif()

if("spdlog" IN_LIST Switchyard_FIND_COMPONENTS)
  find_dependency(fmt)
  find_dependency(spdlog)
  if(NOT TARGET Switchyard::spdlog)
    add_library(Switchyard::spdlog_sink STATIC IMPORTED)
    set_target_properties(Switchyard::spdlog_sink PROPERTIES
      IMPORTED_LOCATION "${_switchyard_lib}/libswitchyard_spdlog_sink.a")
    target_link_libraries(Switchyard::spdlog_sink INTERFACE spdlog::spdlog fmt::fmt)
    add_library(Switchyard::spdlog INTERFACE IMPORTED)
    target_link_libraries(Switchyard::spdlog INTERFACE
      "$<LINK_LIBRARY:WHOLE_ARCHIVE,Switchyard::spdlog_sink>")
  endif()
  set(Switchyard_spdlog_FOUND TRUE)
endif()

foreach(_switchyard_part IN LISTS Switchyard_FIND_COMPONENTS)
  if(Switchyard_FIND_REQUIRED_${_switchyard_part} AND NOT Switchyard_${_switchyard_part}_FOUND)
    set(Switchyard_FOUND FALSE)
    set(Switchyard_NOT_FOUND_MESSAGE "Switchyard has no component ${_switchyard_part}")
  endif()
endforeach()
unset(_switchyard_part)
unset(_switchyard_prefix)
unset(_switchyard_lib)
