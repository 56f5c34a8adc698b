#include "mafs/private_state_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace tacit::mafs {

namespace {

// Sets have one word at least: `States` has no rows of width 0.
std::size_t set_words(std::size_t bits) { return std::max<std::size_t>(1, words_for(bits)); }

}  // namespace

PrivateStateTable::PrivateStateTable(const NodeTask &task)
    : support_(task.support), shown_(task.shown), any_disclosed_(task.options.any_disclosed),
      token_words_(words_for(task.token_counts[task.self])),
      fact_words_(words_for(task.private_facts)), support_words_(set_words(support_.token.size())),
      shown_words_(set_words(shown_.token.size())), facts_(std::max<std::size_t>(1, fact_words_)),
      support_sets_(support_words_), shown_sets_(shown_words_),
      work_(std::max({support_words_, shown_words_, fact_words_, std::size_t{1}})) {
    std::vector<Ints> bits_of(task.token_counts[task.self]);
    for (std::size_t bit = 0; bit < support_.token.size(); ++bit)
        bits_of[support_.token[bit]].push_back(static_cast<std::int32_t>(bit));
    for (const Ints &bits : bits_of)
        bits_of_.append(bits);
    Entry first{};
    std::ranges::fill(work_, 0);
    auto first_private = static_cast<std::int32_t>(words_for(task.public_facts) * 64);
    for (std::int32_t fact : task.view.init)
        if (fact >= first_private && fact < first_private + task.private_facts)
            put(work_.data(), fact - first_private);
    first.facts = facts_.insert(work_.data(), no_state, -1).first;
    std::ranges::fill(work_, 0);
    for (std::int32_t bit : support_.initial)
        put(work_.data(), bit);
    first.support = intern_support(work_.data());
    std::ranges::fill(work_, 0);
    for (std::int32_t bit : shown_.initial)
        put(work_.data(), bit);
    first.shown = intern_shown(work_.data());
    intern(first);
}

Index PrivateStateTable::after(Index before, std::int32_t action, bool is_public,
                               const Word *facts) {
    Entry entry = entries_[before];
    if (fact_words_ > 0)
        entry.facts = facts_.insert(facts, no_state, -1).first;
    if (is_public) {
        Row sets = support_.sets[action], clears = support_.clears[action];
        if (!sets.empty() || !clears.empty() || !any_disclosed_) {
            const Word *old = support_sets_[entry.support];
            std::copy(old, old + support_words_, work_.begin());
            if (!any_disclosed_)
                std::fill(work_.begin(),
                          work_.begin() + static_cast<std::ptrdiff_t>(support_words_), 0);
            for (std::int32_t bit : clears)
                drop(work_.data(), bit);
            for (std::int32_t bit : sets)
                put(work_.data(), bit);
            entry.support = intern_support(work_.data());
        }
        Row shows = shown_.sets[action], hides = shown_.clears[action];
        if (!shows.empty() || !hides.empty()) {
            const Word *old = shown_sets_[entry.shown];
            std::copy(old, old + shown_words_, work_.begin());
            for (std::int32_t bit : hides)
                drop(work_.data(), bit);
            for (std::int32_t bit : shows)
                put(work_.data(), bit);
            entry.shown = intern_shown(work_.data());
        }
    }
    return intern(entry);
}

Index PrivateStateTable::intern(const Entry &entry) {
    std::uint64_t key = (std::uint64_t{entry.facts} * 0x9e3779b97f4a7c15) ^
                        (std::uint64_t{entry.support} << 32 | entry.shown);
    std::vector<Index> &same = found_[key];
    for (Index index : same) {
        const Entry &known = entries_[index];
        if (known.facts == entry.facts && known.support == entry.support &&
            known.shown == entry.shown)
            return index;
    }
    if (entries_.size() >= ForeignStateTable::max_index)
        throw std::bad_alloc();
    same.push_back(static_cast<Index>(entries_.size()));
    bytes_of_found_ += 64;
    entries_.push_back(entry);
    return same.back();
}

std::uint32_t PrivateStateTable::intern_support(const Word *set) {
    auto [id, is_new] = support_sets_.insert(set, no_state, -1);
    if (is_new) {
        tokens_.resize(tokens_.size() + token_words_);
        fill_support(id);
    }
    return id;
}

std::uint32_t PrivateStateTable::intern_shown(const Word *set) {
    auto [id, is_new] = shown_sets_.insert(set, no_state, -1);
    if (is_new) {
        shown_tokens_.resize(shown_tokens_.size() + token_words_);
        fill_shown(id);
    }
    return id;
}

void PrivateStateTable::fill_support(std::uint32_t set) {
    const Word *bits = support_sets_[set];
    Word *tokens = tokens_.data() + set * token_words_;
    std::fill(tokens, tokens + token_words_, 0);
    for (std::size_t bit = 0; bit < support_.token.size(); ++bit)
        if (has(bits, bit) && static_cast<bool>(support_.disclosed[bit]) == any_disclosed_)
            put(tokens, support_.token[bit]);
}

void PrivateStateTable::fill_shown(std::uint32_t set) {
    const Word *bits = shown_sets_[set];
    Word *tokens = shown_tokens_.data() + set * token_words_;
    std::fill(tokens, tokens + token_words_, 0);
    for (std::size_t bit = 0; bit < shown_.token.size(); ++bit)
        if (has(bits, bit) && shown_.disclosed[bit])
            put(tokens, shown_.token[bit]);
}

bool PrivateStateTable::covers(Index b, Index a) const {
    const Word *large = support_sets_[entries_[b].support],
               *small = support_sets_[entries_[a].support];
    if (!any_disclosed_)
        return std::equal(large, large + support_words_, small);
    return is_subset(small, large, support_words_);
}

bool PrivateStateTable::may_support(Index index, std::int32_t token) const {
    if (!any_disclosed_)
        return true;
    const Word *bits = support_sets_[entries_[index].support];
    return std::ranges::any_of(bits_of_[token],
                               [bits](std::int32_t bit) { return has(bits, bit); });
}

std::int32_t PrivateStateTable::undisclosed_bit(Index index, std::int32_t token) const {
    const Word *bits = support_sets_[entries_[index].support];
    for (std::int32_t bit : bits_of_[token])
        if (has(bits, bit) && !support_.disclosed[bit])
            return bit;
    return -1;
}

void PrivateStateTable::disclose(const Ints &support_bits, const Ints &shown_bits) {
    for (std::int32_t bit : support_bits)
        support_.disclosed.at(bit) = 1;
    for (std::int32_t bit : shown_bits)
        shown_.disclosed.at(bit) = 1;
    for (std::uint32_t set = 0; set < support_sets_.size(); ++set)
        fill_support(set);
    for (std::uint32_t set = 0; set < shown_sets_.size(); ++set)
        fill_shown(set);
}

std::size_t PrivateStateTable::bytes() const {
    return facts_.bytes() + support_sets_.bytes() + shown_sets_.bytes() +
           (tokens_.capacity() + shown_tokens_.capacity()) * sizeof(Word) +
           entries_.capacity() * sizeof(Entry) + bytes_of_found_;
}

ForeignStateTable::ForeignStateTable(const std::vector<Word> &tokens)
    : token_words_(tokens.size()), is_uniform_(true), tokens_(tokens) {
    tokens_.resize(2 * token_words_);
}

bool ForeignStateTable::learn(Index index, const Word *tokens) {
    if (index >= max_index)
        throw std::invalid_argument("an index is too large");
    std::size_t page = index >> page_bits;
    if (page >= pages_.size())
        pages_.resize(page + 1);
    if (!pages_[page]) {
        pages_[page] = std::make_unique_for_overwrite<std::uint32_t[]>(page_size);
        std::fill_n(pages_[page].get(), page_size, unknown);
        ++page_count_;
    }
    std::uint32_t &place = pages_[page][index % page_size];
    if (is_uniform_) {
        place = 0;
        return false;
    }
    if (place == unknown) {
        place = count_++;
        tokens_.insert(tokens_.end(), tokens, tokens + token_words_);
        tokens_.resize(tokens_.size() + token_words_);
        return false;
    }
    Word *known = tokens_.data() + std::size_t{place} * 2 * token_words_;
    if (is_subset(tokens, known, token_words_))
        return false;
    for (std::size_t w = 0; w < token_words_; ++w)
        known[w] |= tokens[w];
    return true;
}

void ForeignStateTable::prove(Index index, const Word *tokens) {
    Word *proved = tokens_.data() + (std::size_t{place(index)} * 2 + 1) * token_words_;
    for (std::size_t w = 0; w < token_words_; ++w)
        proved[w] |= tokens[w];
}

}  // namespace tacit::mafs
