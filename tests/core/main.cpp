#include "check.hpp"

int main() {
    for (const check::Case &c : check::cases()) {
        int before = check::failures;
        c.body();
        if (check::failures != before)
            std::fprintf(stderr, "FAILED %s\n", c.name);
    }
    std::printf("core: %zu cases, %d failures\n", check::cases().size(), check::failures);
    return check::failures == 0 ? 0 : 1;
}
