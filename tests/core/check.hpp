// The smallest test framework that does the job: named cases that register themselves.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Case {
    const char *name;
    void (*body)();
};

inline std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

struct Register {
    Register(const char *name, void (*body)()) { cases().push_back({name, body}); }
};

inline int failures = 0;

inline void that(bool holds, const char *text, const char *file, int line) {
    if (!holds) {
        std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
        ++failures;
    }
}

}  // namespace check

#define CASE(name)                                                                                 \
    static void name();                                                                            \
    static const check::Register register_##name(#name, name);                                     \
    static void name()
#define CHECK(...) check::that((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(type, ...)                                                                    \
    do {                                                                                           \
        bool thrown = false;                                                                       \
        try {                                                                                      \
            __VA_ARGS__;                                                                           \
        } catch (const type &) {                                                                   \
            thrown = true;                                                                         \
        }                                                                                          \
        check::that(thrown, "throws " #type ": " #__VA_ARGS__, __FILE__, __LINE__);                \
    } while (false)
