# switchyard_formulas(TARGET BASE HEADER…): what backends make of the formulas in headers, which are
# included by their place below the folder BASE: loops, compiled once per instruction set, and
# texts, which are compiled for GPUs at run time. Whoever links TARGET gets their objects.
function(switchyard_formulas target base)
  set(loop_options @LOOP_COPTS@)
  set(baseline_options @BASELINE@)
  set(avx2_options @AVX2@)
  set(avx512_options @AVX512@)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  foreach(header ${ARGN})
    string(MAKE_C_IDENTIFIER ${header} name)
    foreach(backend cpu/simd/formula_loops cuda/formula_kernels)
      string(REGEX MATCH "^[a-z]+" device ${backend})
      file(CONFIGURE OUTPUT ${folder}/${name}_${device}.cc CONTENT
"#define SY_FORMULA_HEADER \"${header}\"
#include \"switchyard/backends/${backend}.h\"
#include \"${header}\"
" @ONLY)
      list(APPEND ${device}_sources ${folder}/${name}_${device}.cc)
    endforeach()
    # Made anew when the header changes.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${base}/${header})
    file(READ ${base}/${header} text)
    file(WRITE ${folder}/${name}_text.cc.new "#include \"switchyard/backends/cuda/formula.h\"
static const sy::cuda::HeaderText header{\"${header}\", R\"sy_header(${text})sy_header\"};
")
    file(COPY_FILE ${folder}/${name}_text.cc.new ${folder}/${name}_text.cc ONLY_IF_DIFFERENT)
    list(APPEND cuda_sources ${folder}/${name}_text.cc)
  endforeach()
  add_library(${target} INTERFACE)
  foreach(part baseline avx2 avx512 cuda)
    if(part STREQUAL cuda)
      add_library(${target}_${part} OBJECT ${cuda_sources})
    else()
      add_library(${target}_${part} OBJECT ${cpu_sources})
      target_compile_options(${target}_${part} PRIVATE ${loop_options} ${${part}_options})
    endif()
    set_target_properties(${target}_${part} PROPERTIES
      POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    target_include_directories(${target}_${part} PRIVATE ${base})
    target_link_libraries(${target}_${part} PRIVATE Switchyard::headers)
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${target}_${part}>)
  endforeach()
endfunction()
