// What a node does for siblings and where states never end: Secure-MAFS (`Siblings`).
#include "mafs/node.hpp"

namespace tacit::mafs {

// Sends a state. Under `secure` a sibling is kept, and continued from what came back of the state
// that was sent in its place.
void Node::send(RecordId id, int value) {
    mailroom_.send(id, value);
    for (const auto &[like, record] : mailroom_.returned_for(id)) {
        RecordId copy = admit(states_.receive_like(like, record));
        if (!states_.has_any(copy, StateStore::by_value))
            frontier_.push_arrived(copy);
    }
}

// Whatever the state is worth, all its successors are there afterwards.
void Node::step_by_age(RecordId id) {
    if (states_.has_any(id, StateStore::by_value) || visit(id))
        step_by_novelty(id);
}

// An action that was deferred. Where states never end its successor is made at once: it would wait
// behind others for ever, and as a record it has its turn.
void Node::take_up(OpenEntry entry, bool is_preferred) {
    int value = states_[entry.record].value;
    if (task_.options.hardening.secure)
        entry = {admit(states_.generate(entry)), no_action};
    frontier_.push(value, entry, is_preferred);
}

}  // namespace tacit::mafs
