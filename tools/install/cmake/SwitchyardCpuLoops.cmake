# switchyard_cpu_loops(TARGET SOURCE…): pointwise operators of other projects, compiled once per
# instruction set. Sources include switchyard/backends/cpu/simd/register.h. Whoever links TARGET
# gets their objects.
function(switchyard_cpu_loops target)
  set(loop_options @LOOP_COPTS@)
  set(baseline_options @BASELINE@)
  set(avx2_options @AVX2@)
  set(avx512_options @AVX512@)
  add_library(${target} INTERFACE)
  foreach(isa baseline avx2 avx512)
    add_library(${target}_${isa} OBJECT ${ARGN})
    set_target_properties(${target}_${isa} PROPERTIES
      POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    target_compile_options(${target}_${isa} PRIVATE ${loop_options} ${${isa}_options})
    target_link_libraries(${target}_${isa} PRIVATE Switchyard::headers)
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${target}_${isa}>)
  endforeach()
endfunction()
