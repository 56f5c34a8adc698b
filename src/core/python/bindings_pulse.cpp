#include "python/bindings.hpp"
#include "util/pulse.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

nb::object *callback = nullptr;  // never freed: threads may be at work when the interpreter ends

// Lets Ctrl-C through while native code works, and whatever the callback raises.
void call_back() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0)
        throw nb::python_error();
    if (callback && !callback->is_none())
        (*callback)();
}

}  // namespace

void bind_pulse(nb::module_ &m) {
    m.def(
        "on_pulse",
        [](nb::object called, double seconds_between) {
            if (!callback)
                callback = new nb::object();
            *callback = std::move(called);
            on_pulse(call_back, seconds_between);
        },
        "callback"_a.none(), "seconds_between"_a);
}

}  // namespace tacit::python
