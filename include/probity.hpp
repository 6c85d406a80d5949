/* SPDX-License-Identifier: MIT */
// Probity for C++17: objects that free themselves, numbers as text, and errors as exceptions.
//
//     auto in = probity::table::csv("counts.csv");
//     probity::permission by = probity::permission::certificate("certificate.json", "census.ledger");
//     probity::release(by, in).write("noisy.csv");
//
// A thin face of probity.h, and nothing else: each function here calls the C function of the same name, which
// says what it does. Where that returns another status than PBY_OK, this throws probity::error. What is not
// here is called on the C objects, which get() gives; probity::check turns their status into an exception.
#ifndef PROBITY_HPP
#define PROBITY_HPP

#include <probity.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace probity
{

// ---- errors
// ------------------------------------------------------------------------------------------------

class error : public std::runtime_error
{
  public:
    explicit error(const pby_error &e) : std::runtime_error(e.text), status_(e.status), reason_(e.reason)
    {
    }
    pby_status status() const noexcept
    {
        return status_;
    }
    pby_reason reason() const noexcept
    {
        return reason_;
    }

  private:
    pby_status status_;
    pby_reason reason_;
};

inline void check(pby_status status, const pby_error &e)
{
    if (status != PBY_OK)
        throw error(e);
}

namespace detail
{

// Owns a pointer that a C function frees.
template <typename T, void (*Free)(T *)> struct freed {
    void operator()(T *x) const noexcept
    {
        Free(x);
    }
};
template <typename T, void (*Free)(T *)> using handle = std::unique_ptr<T, freed<T, Free>>;

// A text of malloc.
inline std::string take(char *text)
{
    const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
    return std::string(text);
}

// They live as long as the texts, so that these may not be temporary.
std::vector<const char *> pointers(std::vector<std::string> &&texts) = delete;
inline std::vector<const char *> pointers(const std::vector<std::string> &texts)
{
    std::vector<const char *> out;
    for (const std::string &text : texts)
        out.push_back(text.c_str());
    return out;
}

inline const char *or_null(const std::string &text)
{
    return text.empty() ? nullptr : text.c_str();
}

} // namespace detail

// Two decimals that surround the truth.
struct bounds {
    std::string lo, hi;
    bounds() = default;
    explicit bounds(const pby_decimals &d) : lo(d.lo), hi(d.hi)
    {
    }
};

// ---- specs and losses
// --------------------------------------------------------------------------------------

class spec
{
  public:
    explicit spec(const std::string &text)
    {
        pby_spec *made;
        pby_error e = PBY_NO_ERROR;
        const char *const texts[] = {text.c_str()};
        check(pby_spec_parse(&made, texts, 1, &e), e);
        spec_.reset(made);
    }
    std::string text() const
    {
        return pby_spec_text(get());
    }
    pby_neighbours neighbours() const
    {
        pby_neighbours out;
        pby_error e = PBY_NO_ERROR;
        check(pby_spec_neighbours(&out, get(), &e), e);
        return out;
    }
    const pby_spec *get() const noexcept
    {
        return spec_.get();
    }

  private:
    detail::handle<pby_spec, pby_spec_free> spec_;
};

// Any question about a loss.
inline bounds loss(const spec &s, const pby_loss_request &request)
{
    struct owned {
        pby_answer c;
        owned()
        {
            pby_answer_init(&c);
        }
        ~owned()
        {
            pby_answer_clear(&c);
        }
        owned(const owned &) = delete;
        owned &operator=(const owned &) = delete;
    } answer;
    pby_error e = PBY_NO_ERROR;
    check(pby_loss_ask(&answer.c, s.get(), &request, &e), e);
    return bounds(answer.c.text);
}

inline bounds delta(const spec &s, const std::string &epsilon, pby_neighbours relation = PBY_ADD_REMOVE,
                    unsigned digits = 0)
{
    pby_loss_request request{};
    request.relation = relation;
    request.at.text = epsilon.c_str();
    request.digits = digits;
    return loss(s, request);
}

inline bounds epsilon(const spec &s, const std::string &delta, pby_neighbours relation = PBY_ADD_REMOVE,
                      unsigned digits = 0)
{
    pby_loss_request request{};
    request.ask = PBY_ASK_EPSILON;
    request.relation = relation;
    request.at.text = delta.c_str();
    request.digits = digits;
    return loss(s, request);
}

// ---- certificates and ledgers
// ------------------------------------------------------------------------------

inline std::string certify(const spec &s, const std::string &epsilon,
                           pby_neighbours relation = PBY_ADD_REMOVE)
{
    char *text;
    pby_error e = PBY_NO_ERROR;
    check(pby_certify_text(&text, s.get(), relation, epsilon.c_str(), nullptr, &e), e);
    return detail::take(text);
}

// A certificate that holds: the constructor verifies it.
class certificate
{
  public:
    explicit certificate(const std::string &text)
    {
        pby_certificate *made;
        pby_error e = PBY_NO_ERROR;
        check(pby_verify(&made, text.data(), text.size(), &e), e);
        certificate_.reset(made);
    }
    std::string spec_text() const
    {
        return pby_spec_text(pby_certificate_spec(get()));
    }
    std::string epsilon() const
    {
        return pby_certificate_epsilon(get());
    }
    std::string delta_lo() const
    {
        return pby_certificate_delta_lo(get());
    }
    std::string delta_hi() const
    {
        return pby_certificate_delta_hi(get());
    }
    pby_neighbours neighbours() const
    {
        return pby_certificate_neighbours(get());
    }
    const pby_certificate *get() const noexcept
    {
        return certificate_.get();
    }

  private:
    detail::handle<pby_certificate, pby_certificate_free> certificate_;
};

class ledger
{
  public:
    explicit ledger(const std::string &path)
    {
        pby_ledger *opened;
        pby_error e = PBY_NO_ERROR;
        check(pby_ledger_open(&opened, path.c_str(), &e), e);
        ledger_.reset(opened);
    }
    static void create(const std::string &path, const std::string &epsilon, const std::string &delta,
                       pby_neighbours relation = PBY_ADD_REMOVE,
                       pby_composition accounting = PBY_COMPOSE_EXACT, unsigned long rows = 1)
    {
        pby_error e = PBY_NO_ERROR;
        check(pby_ledger_create_text(path.c_str(), relation, accounting, rows, epsilon.c_str(), delta.c_str(),
                                     &e),
              e);
    }
    // order is of PBY_FILTER_RENYI and split of PBY_FILTER_APPROX; "" is what the C function takes for NULL.
    static void create_filter(const std::string &path, pby_filter by, const std::string &bound,
                              const std::string &delta = "", const std::string &order = "",
                              const std::string &split = "", pby_neighbours relation = PBY_ADD_REMOVE,
                              unsigned long rows = 1)
    {
        pby_error e = PBY_NO_ERROR;
        check(pby_ledger_create_filter_text(path.c_str(), relation, rows, by, bound.c_str(),
                                            detail::or_null(delta), detail::or_null(order),
                                            detail::or_null(split), &e),
              e);
    }
    // epsilon is read under basic accounting, and under a filter where the law has no divergence.
    void spend(const spec &s, const std::string &epsilon = "")
    {
        pby_error e = PBY_NO_ERROR;
        check(pby_ledger_spend_text(get(), s.get(), detail::or_null(epsilon), &e), e);
    }
    struct account {
        bounds delta, epsilon;
    };
    account spent(unsigned digits = 0)
    {
        pby_decimals d, e;
        pby_error why = PBY_NO_ERROR;
        check(pby_ledger_spent_text(&d, &e, get(), digits, &why), why);
        return {bounds(d), bounds(e)};
    }
    pby_ledger *get() const noexcept
    {
        return ledger_.get();
    }

  private:
    detail::handle<pby_ledger, pby_ledger_close> ledger_;
};

// ---- tables
// ------------------------------------------------------------------------------------------------

class table
{
  public:
    // Takes over what a C function made.
    explicit table(pby_table *made) noexcept : table_(made)
    {
    }

    static table csv(const std::string &path, const std::string &keys = "", const std::string &counts = "")
    {
        pby_table *made;
        pby_error e = PBY_NO_ERROR;
        const pby_csv_options options = {detail::or_null(keys), detail::or_null(counts), nullptr};
        check(pby_table_csv(&made, path.c_str(), &options, &e), e);
        return table(made);
    }
    // The stream must outlive the table, or be read to its end once.
    static table csv(std::istream &in, const std::string &keys = "", const std::string &counts = "")
    {
        pby_table *made;
        pby_error e = PBY_NO_ERROR;
        const pby_csv_options options = {detail::or_null(keys), detail::or_null(counts), nullptr};
        check(pby_table_csv_callback(&made, read_stream, &in, &options, &e), e);
        return table(made);
    }
    static table of(const std::vector<std::pair<std::string, std::int64_t>> &rows)
    {
        std::vector<const char *> keys;
        std::vector<std::int64_t> counts;
        for (const auto &row : rows) {
            keys.push_back(row.first.c_str());
            counts.push_back(row.second);
        }
        pby_table *made;
        pby_error e = PBY_NO_ERROR;
        check(pby_table_of(&made, keys.data(), counts.data(), keys.size(), &e), e);
        return table(made);
    }

    // A public filter, or a public group-by of as many groups as keys.
    table filter(const std::vector<std::string> &keys)
    {
        return map(keys, nullptr);
    }
    table group_by(const std::vector<std::string> &keys, const std::vector<std::string> &groups)
    {
        if (keys.size() != groups.size())
            throw std::invalid_argument("groups: expected as many as keys");
        return map(keys, &groups);
    }

    // The next row; false behind the last.
    bool next()
    {
        bool found;
        pby_error e = PBY_NO_ERROR;
        check(pby_table_next(get(), &found, &e), e);
        return found;
    }
    std::string key() const
    {
        std::size_t size;
        const char *text = pby_table_key(get(), &size);
        return std::string(text, size);
    }
    std::int64_t count() const
    {
        return pby_table_count(get());
    }
    std::int64_t value(std::size_t column) const
    {
        return pby_table_value(get(), column);
    }
    std::size_t columns() const
    {
        return pby_table_columns(get());
    }
    std::string unit() const
    {
        return pby_table_unit(get());
    }
    void rewind()
    {
        pby_error e = PBY_NO_ERROR;
        check(pby_table_rewind(get(), &e), e);
    }

    // Whole or not at all; and as text.
    void write(const std::string &path, pby_table_format format = PBY_FORMAT_CSV)
    {
        pby_error e = PBY_NO_ERROR;
        check(pby_table_write(get(), path.c_str(), format, &e), e);
    }
    std::string text(pby_table_format format = PBY_FORMAT_CSV)
    {
        char *made;
        pby_error e = PBY_NO_ERROR;
        check(pby_table_write_memory(&made, nullptr, get(), format, &e), e);
        return detail::take(made);
    }
    pby_table *get() const noexcept
    {
        return table_.get();
    }

  private:
    detail::handle<pby_table, pby_table_free> table_;

    // No exception passes through the library: a stream that throws has failed.
    static pby_status read_stream(void *what, void *buffer, std::size_t size, std::size_t *got,
                                  pby_error *e) noexcept
    {
        std::istream &in = *static_cast<std::istream *>(what);
        try {
            in.read(static_cast<char *>(buffer), static_cast<std::streamsize>(size));
            *got = static_cast<std::size_t>(in.gcount());
        } catch (...) {
            *got = static_cast<std::size_t>(in.gcount());
        }
        if (!in.bad() && (!in.fail() || in.eof()))
            return PBY_OK;
        if (e != nullptr) {
            e->status = PBY_FAILED;
            e->reason = PBY_REASON_IO;
            std::strcpy(e->text, "the stream cannot be read");
        }
        return PBY_FAILED;
    }
    table map(const std::vector<std::string> &keys, const std::vector<std::string> *groups)
    {
        const std::vector<const char *> k = detail::pointers(keys);
        std::vector<const char *> g;
        if (groups != nullptr)
            g = detail::pointers(*groups);
        pby_map by = {};
        by.keys = k.data();
        by.groups = groups == nullptr ? nullptr : g.data();
        by.count = k.size();
        pby_table *made;
        pby_error e = PBY_NO_ERROR;
        check(pby_table_map(&made, get(), &by, &e), e);
        return table(made);
    }
};

// ---- releases
// ----------------------------------------------------------------------------------------------

class permission
{
  public:
    // By a certificate's file, or by a spec that the caller answers for; without a ledger no budget is
    // charged.
    static permission certificate(const std::string &path, const std::string &ledger = "")
    {
        pby_permission_options from = {};
        from.certificate = path.c_str();
        from.ledger = detail::or_null(ledger);
        return permission(from);
    }
    static permission spec(const std::string &text, const std::string &ledger = "")
    {
        pby_permission_options from = {};
        from.spec = text.c_str();
        from.ledger = detail::or_null(ledger);
        return permission(from);
    }
    std::string spec_text() const
    {
        return pby_spec_text(pby_permission_spec(get()));
    }
    pby_permission *get() const noexcept
    {
        return permission_.get();
    }

  private:
    detail::handle<pby_permission, pby_permission_close> permission_;
    explicit permission(const pby_permission_options &from)
    {
        pby_permission *opened;
        pby_error e = PBY_NO_ERROR;
        check(pby_permission_open(&opened, &from, &e), e);
        permission_.reset(opened);
    }
};

inline table release(permission &by, table &in, const pby_release_options *options = nullptr)
{
    pby_table *out;
    pby_error e = PBY_NO_ERROR;
    check(pby_release_table(&out, by.get(), in.get(), options, &e), e);
    return table(out);
}

} // namespace probity

#endif
