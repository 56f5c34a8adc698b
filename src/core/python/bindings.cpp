// The Python face of the core: flat integer arrays in, memoryviews of flat integer arrays out.
#include "python/bindings.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Tacit's native core.";
    tacit::python::bind_pulse(m);
    tacit::python::bind_grounding(m);
    tacit::python::bind_dependencies(m);
    tacit::python::bind_search(m);
    tacit::python::bind_mafs(m);
    tacit::python::bind_minimum(m);
}
