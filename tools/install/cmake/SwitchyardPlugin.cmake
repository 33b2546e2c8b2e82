# switchyard_add_plugin(NAME SOURCE… [MANIFEST FILE]): a plugin as docs/plugin-abi.md wants it,
# libNAME.so, of sources in C or C++ (20, unless the target says otherwise) that use
# switchyard/c/plugin.h. It links nothing of Switchyard, exports sy_plugin_v1 alone, leaves nothing
# undefined and can be taken out of memory. The manifest is put beside it. NAME is a target like any
# other: link what the plugin needs, set properties, install it.
#
#   switchyard_add_plugin(toy device.cc kernels.cc MANIFEST toy.json)
#   target_link_libraries(toy PRIVATE OpenCL)
#   install(FILES $<TARGET_FILE:toy> toy.json DESTINATION lib/switchyard/plugins)
function(switchyard_add_plugin target)
  cmake_parse_arguments(PARSE_ARGV 1 plugin "" MANIFEST "")
  if(NOT plugin_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "switchyard_add_plugin(${target}): no sources")
  endif()
  add_library(${target} MODULE ${plugin_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES
    PREFIX lib SUFFIX .so C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(NOT CMAKE_CXX_STANDARD)
    set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  endif()
  target_link_libraries(${target} PRIVATE Switchyard::plugin)
  # gcc: unique symbols (std::make_shared has some) keep an object in memory for ever.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  # What visibility does not reach, as templates of the C++ library, the version script hides.
  set(exports ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.exports)
  file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: sy_plugin_v1; local: *; };\n")
  target_link_options(${target} PRIVATE
    -Wl,-z,defs -Wl,--as-needed "-Wl,--version-script=${exports}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  if(plugin_MANIFEST)
    _switchyard_put_manifest(${target} ${plugin_MANIFEST})
  endif()
endfunction()

# A copy beside the object, made anew with it. The loader refuses one that is of another object.
function(_switchyard_put_manifest target manifest)
  get_filename_component(manifest ${manifest} ABSOLUTE)
  file(READ ${manifest} text)
  string(JSON library ERROR_VARIABLE wrong GET "${text}" library)
  if(NOT library STREQUAL "lib${target}.so")
    message(FATAL_ERROR "${manifest}: \"library\" must be \"lib${target}.so\", got \"${library}\"")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${manifest})
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
    ${manifest} $<TARGET_FILE_DIR:${target}> VERBATIM)
endfunction()
