# SPDX-License-Identifier: MIT
"""Declarations of the C functions that the package calls. The compiler checks every declaration against the headers."""
import os

from cffi import FFI

binding = FFI()
binding.cdef("""
    void free(void *);

    /* status.h */
    typedef enum { PBY_OK, PBY_NO, PBY_BAD, PBY_FAILED, PBY_INCONCLUSIVE } pby_status;
    typedef int... pby_reason;
    typedef struct { pby_status status; pby_reason reason; char text[512]; } pby_error;
    const char *pby_reason_text(pby_reason reason);
    const char *pby_version(void);

    /* spec.h */
    typedef struct pby_spec pby_spec;
    typedef enum { PBY_ADD_REMOVE, PBY_SUBSTITUTE, PBY_LOCAL } pby_neighbours;
    pby_status pby_spec_parse(pby_spec **, const char *const *, size_t, pby_error *);
    void pby_spec_free(pby_spec *);
    const char *pby_spec_text(const pby_spec *);
    uint64_t pby_spec_uses(const pby_spec *);
    pby_status pby_neighbours_parse(pby_neighbours *, const char *, const char *, pby_error *);
    const char *pby_neighbours_text(pby_neighbours);
    pby_status pby_spec_neighbours(pby_neighbours *, const pby_spec *, pby_error *);

    /* enclosure.h, loss.h */
    typedef struct { char lo[...]; char hi[...]; } pby_decimals;
    typedef enum { PBY_ASK_DELTA, PBY_ASK_EPSILON, PBY_ASK_RENYI, PBY_ASK_RHO, PBY_ASK_MU } pby_question;
    typedef struct { const char *text; ...; } pby_value;
    typedef struct { pby_question ask; pby_neighbours relation; pby_value at; const char *conversion;
                     const char *composition; unsigned long group; pby_value width; unsigned digits; ...;
                     } pby_loss_request;
    typedef enum { PBY_COMPOSE_EXACT, PBY_COMPOSE_BASIC, ... } pby_composition;
    pby_status pby_composition_parse(pby_composition *, const char *, const char *, pby_error *);

    /* report.h */
    typedef enum { PBY_REPORT_LINES, PBY_REPORT_JSON } pby_report_form;
    pby_status pby_report_loss(char **, const pby_spec *, const pby_loss_request *, pby_report_form, pby_error *);
    pby_status pby_report_profile(char **, const char **, const pby_spec *, const pby_loss_request *, const char *,
                                  pby_report_form, pby_error *);
    typedef struct { const char *epsilon, *delta, *rho, *mu; const pby_neighbours *relation; unsigned long uses;
                     const char *resolution; unsigned digits; ...; } pby_select_asked;
    pby_status pby_report_choice(char **, pby_spec **, const char *, const pby_select_asked *, pby_report_form,
                                 pby_error *);
    typedef struct { const char *n, *support, *width, *beta, *gamma, *eta, *statistics, *k, *q; unsigned digits;
                     ...; } pby_accuracy_asked;
    pby_status pby_report_accuracy(char **, const pby_spec *, const pby_accuracy_asked *, pby_report_form,
                                   pby_error *);
    pby_status pby_report_explanation(char **, char **, const pby_spec *, pby_neighbours, unsigned,
                                      pby_report_form, pby_error *);
    pby_status pby_report_families(char **, pby_error *);

    /* certificate.h, key.h */
    typedef struct pby_certificate pby_certificate;
    typedef struct { const char *delta; uint64_t n, support; const char *width, *beta, *gamma, *user; ...; }
        pby_certify_words;
    pby_status pby_certify_text(char **, const pby_spec *, pby_neighbours, const char *, const pby_certify_words *,
                                pby_error *);
    pby_status pby_verify(pby_certificate **, const char *, size_t, pby_error *);
    pby_status pby_verify_signed(pby_certificate **, const char *, size_t, const char *, pby_error *);
    pby_status pby_certificate_sign(char **, const char *, size_t, const char *, pby_error *);
    void pby_certificate_free(pby_certificate *);
    const pby_spec *pby_certificate_spec(const pby_certificate *);
    pby_neighbours pby_certificate_neighbours(const pby_certificate *);
    const char *pby_certificate_epsilon(const pby_certificate *);
    pby_question pby_certificate_question(const pby_certificate *);
    const char *pby_certificate_value(const pby_certificate *);
    const char *pby_certificate_divergence_lo(const pby_certificate *);
    const char *pby_certificate_divergence_hi(const pby_certificate *);
    const char *pby_certificate_delta_lo(const pby_certificate *);
    const char *pby_certificate_delta_hi(const pby_certificate *);
    const char *pby_certificate_route(const pby_certificate *);
    const char *pby_certificate_signer(const pby_certificate *);
    const char *pby_certificate_deployment(const pby_certificate *);
    pby_status pby_certify_deployment(char **, const char *, const char *, size_t, pby_error *);
    const char *pby_certificate_user(const pby_certificate *);
    pby_status pby_certificate_theorem(char **, const pby_certificate *, pby_error *);

    /* ledger.h */
    typedef struct pby_ledger pby_ledger;
    typedef struct { long long number; const char *at, *spec, *epsilon, *delta, *part, *spender; ...; } pby_ledger_entry;
    typedef struct { const char *accounting, *bound, *delta, *order, *split, *neighbours; unsigned long rows;
                     const char *user, *every, *from, *parts; ...; } pby_ledger_terms;
    pby_status pby_ledger_create_terms(const char *, const pby_ledger_terms *, pby_error *);
    typedef enum { PBY_LEDGER_JSON_LINES, PBY_LEDGER_CSV, ... } pby_ledger_form;
    pby_status pby_ledger_list(char **, pby_ledger *, pby_ledger_form, pby_error *);
    pby_status pby_ledger_copy(const char *, const char *, pby_error *);
    pby_status pby_ledger_page(char **, pby_ledger *, const pby_spec *, const char *, pby_error *);
    const char *pby_ledger_parts(const pby_ledger *);
    pby_status pby_ledger_for_part(pby_ledger *, const char *, pby_error *);
    pby_status pby_ledger_odometer_text(pby_decimals *, pby_ledger *, unsigned, pby_error *);
    const char *pby_ledger_mode(const pby_ledger *);
    const char *pby_ledger_user(const pby_ledger *);
    pby_status pby_ledger_for_user(pby_ledger *, const char *, pby_error *);
    pby_status pby_ledger_open(pby_ledger **, const char *, pby_error *);
    void pby_ledger_close(pby_ledger *);
    pby_neighbours pby_ledger_neighbours(const pby_ledger *);
    unsigned long pby_ledger_rows(const pby_ledger *);
    pby_status pby_ledger_budget_text(char **, char **, const pby_ledger *, pby_error *);
    pby_status pby_ledger_digest(char *, pby_ledger *, pby_error *);
    pby_status pby_ledger_after(pby_ledger *, const char *, pby_error *);
    pby_status pby_ledger_spend_text(pby_ledger *, const pby_spec *, const char *, pby_error *);
    pby_status pby_ledger_spend_curve(pby_ledger *, const char *, pby_error *);
    pby_status pby_ledger_affords_text(pby_ledger *, const pby_spec *, const char *, pby_error *);
    pby_status pby_ledger_spent_text(pby_decimals *, pby_decimals *, pby_ledger *, unsigned, pby_error *);
    pby_status pby_ledger_each(pby_ledger *, pby_status (*)(const pby_ledger_entry *, void *, pby_error *), void *,
                               pby_error *);
    pby_status pby_report_ledger(char **, pby_ledger *, pby_report_form, pby_error *);
    extern "Python" pby_status probity_entry(const pby_ledger_entry *, void *, pby_error *);

    /* session.h */
    typedef struct pby_session pby_session;
    typedef struct { _Bool above, has_value; int64_t value; } pby_reply;
    pby_status pby_session_create(const char *, const pby_spec *, int64_t, pby_ledger *, pby_error *);
    pby_status pby_session_open(pby_session **, const char *, pby_error *);
    void pby_session_close(pby_session *);
    pby_status pby_session_ask(pby_session *, const int64_t *, size_t, pby_reply *, size_t *, pby_error *);
    const char *pby_session_digest(const pby_session *);
    pby_status pby_session_after(const pby_session *, const char *, pby_error *);
    pby_status pby_session_end(pby_session *, pby_error *);
    const char *pby_session_spec(const pby_session *);
    int64_t pby_session_threshold(const pby_session *);
    uint64_t pby_session_left(const pby_session *);
    uint64_t pby_session_asked(const pby_session *);
    size_t pby_session_tops(const pby_session *);
    uint64_t pby_session_top(pby_reply *, const pby_session *, size_t);

    /* table.h, release.h */
    typedef struct pby_table pby_table;
    typedef struct { const char *keys, *counts, *name; ...; } pby_csv_options;
    typedef enum { PBY_FORMAT_CSV, PBY_FORMAT_JSON, ... } pby_table_format;
    typedef struct { const char *path; _Bool grouped; const char *const *keys; const char *const *groups;
                     size_t count; ...; } pby_map;
    pby_status pby_table_csv(pby_table **, const char *, const pby_csv_options *, pby_error *);
    pby_status pby_table_csv_callback(pby_table **, pby_status (*)(void *, void *, size_t, size_t *, pby_error *),
                                      void *, const pby_csv_options *, pby_error *);
    pby_status pby_table_map(pby_table **, pby_table *, const pby_map *, pby_error *);
    pby_status pby_table_next(pby_table *, _Bool *, pby_error *);
    pby_status pby_table_rewind(pby_table *, pby_error *);
    const char *pby_table_key(const pby_table *, size_t *);
    int64_t pby_table_value(const pby_table *, size_t);
    size_t pby_table_columns(const pby_table *);
    const char *pby_table_column(const pby_table *, size_t);
    const char *pby_table_unit(const pby_table *);
    pby_status pby_table_write_memory(char **, size_t *, pby_table *, pby_table_format, pby_error *);
    void pby_table_free(pby_table *);
    struct ArrowArrayStream { ...; };
    pby_status pby_table_arrow(pby_table **, struct ArrowArrayStream *, const pby_csv_options *, pby_error *);
    typedef struct pby_permission pby_permission;
    typedef struct { const char *certificate, *spec, *ledger; ...; } pby_permission_options;
    typedef enum { PBY_MOMENT_NONE, PBY_MOMENT_SUM, PBY_MOMENT_MEAN, PBY_MOMENT_VARIANCE, PBY_MOMENT_QUANTILE }
        pby_moment;
    typedef struct { int64_t truncate; _Bool timing_safe; const char *queries, *along, *user, *quantiles;
                     pby_moment moment; ...; } pby_release_options;
    typedef struct { const char *by, *user; uint64_t contributions; const pby_map *map; const char *value, *name; ...; }
        pby_records_options;
    pby_status pby_table_records(pby_table **, const char *, const pby_records_options *, pby_error *);
    pby_status pby_table_records_arrow(pby_table **, struct ArrowArrayStream *, const pby_records_options *,
                                       pby_error *);
    pby_status pby_permission_open(pby_permission **, const pby_permission_options *, pby_error *);
    void pby_permission_close(pby_permission *);
    pby_ledger *pby_permission_ledger(const pby_permission *);
    pby_status pby_release_table(pby_table **, pby_permission *, pby_table *, const pby_release_options *,
                                 pby_error *);

    /* plan.h */
    typedef struct pby_planned pby_planned;
    typedef struct { const char *data; struct ArrowArrayStream *rows; const char *folder, *ledger, *certificate, *after, *part;
                     ...; } pby_plan_release;
    pby_status pby_planned_parse(pby_planned **, const char *, const char *, const char *, size_t, pby_error *);
    void pby_planned_free(pby_planned *);
    pby_status pby_planned_report(char **, pby_planned *, pby_report_form, pby_error *);
    pby_status pby_planned_curves(char **, pby_planned *, pby_error *);
    pby_status pby_planned_json(char **, const pby_planned *, pby_error *);
    pby_status pby_planned_certify(char **, const pby_planned *, pby_error *);
    pby_status pby_planned_ledger(const char *, const pby_planned *, const char *, pby_error *);
    pby_status pby_planned_release(const pby_planned *, const pby_plan_release *, pby_error *);

    typedef struct pby_release pby_release;
    typedef enum { PBY_RELEASE_COUNTS, PBY_RELEASE_PASSED, PBY_RELEASE_PRESENT, PBY_RELEASE_RANGES,
                   PBY_RELEASE_PASSED_RANGES, ... } pby_release_form;
    pby_release_form pby_release_form_of(const pby_release *);
    size_t pby_release_uses(const pby_release *);
    int64_t pby_release_reach(const pby_release *);
    pby_status pby_release_unit_text(char **, const pby_release *, pby_error *);
    void pby_release_free(pby_release *);
    const pby_spec *pby_permission_spec(const pby_permission *);
    const pby_certificate *pby_permission_certificate(const pby_permission *);

    /* keyed.h */
    typedef struct { const char *bytes; const int64_t *offsets; const int64_t *counts; size_t n; } pby_keyed_part;
    pby_status pby_keyed_secret(uint8_t *, pby_error *);
    pby_status pby_keyed_digest(uint8_t *, const pby_keyed_part *, pby_error *);
    void pby_keyed_join(uint8_t *, const uint8_t *);
    pby_status pby_keyed_new(pby_release **, const pby_spec *, pby_neighbours, const uint8_t *, const uint8_t *,
                             pby_error *);
    pby_status pby_keyed_bars(pby_release *, const pby_keyed_part *, size_t, int64_t *, pby_error *);
    static const int64_t PBY_SUPPRESSED;

    /* audit.h */
    typedef struct pby_audit pby_audit;
    typedef struct pby_verdict pby_verdict;
    typedef enum { PBY_LEFT, PBY_RIGHT } pby_side;
    pby_status pby_audit_new(pby_audit **, pby_error *);
    void pby_audit_free(pby_audit *);
    uint64_t pby_audit_outputs(const pby_audit *, pby_side);
    pby_status pby_audit_settle(pby_audit *, pby_error *);
    pby_status pby_audit_features(pby_audit *, const char *, pby_error *);
    pby_status pby_audit_judge_divergence(pby_verdict **, const pby_audit *, pby_question, pby_value, pby_value,
                                          pby_error *);
    pby_status pby_audit_judge(pby_verdict **, const pby_audit *, pby_value, pby_value, pby_value, pby_error *);
    void pby_verdict_free(pby_verdict *);
    _Bool pby_verdict_violation(const pby_verdict *);
    _Bool pby_verdict_inconclusive(const pby_verdict *);
    const char *pby_verdict_reason(const pby_verdict *);
    const char *pby_verdict_epsilon_lower(const pby_verdict *);
    const char *pby_verdict_delta_lower(const pby_verdict *);
    const char *pby_verdict_event(const pby_verdict *);
    pby_status pby_verdict_lines(char **, const pby_verdict *, pby_error *);
    pby_status pby_verdict_json(char **, const pby_verdict *, pby_error *);

    /* timing.h */
    typedef struct pby_times pby_times;
    typedef enum { PBY_TIMES_CONSISTENT, PBY_TIMES_VIOLATION, PBY_TIMES_INCONCLUSIVE } pby_times_verdict;
    pby_status pby_times_new(pby_times **, pby_error *);
    void pby_times_free(pby_times *);
    pby_status pby_times_add(pby_times *, pby_side, uint64_t, pby_error *);
    pby_status pby_times_judge(char **, pby_times_verdict *, const pby_times *, const char *, const char *, const char *,
                               pby_report_form, pby_error *);

    /* trace.h */
    typedef struct { const char *epsilon, *delta, *error, *slack; unsigned long runs; _Bool assume_fixed, allow_seeds;
                     pby_report_form form; ...; } pby_trace_options;
    typedef enum { PBY_TRACE_CONSISTENT, PBY_TRACE_VIOLATION, PBY_TRACE_INCONCLUSIVE } pby_trace_verdict;
    pby_status pby_trace_judge(char **, pby_trace_verdict *, const char *, const char *, const pby_trace_options *,
                               pby_error *);
    pby_status pby_trace_sarif(char **, const char *, pby_error *);

    /* interrupt.h, probity.h */
    void pby_interrupt_by(_Bool (*)(void *), void *);
    void pby_interrupt_never(void);
    void pby_thread_end(void);

    /* adapter.c */
    _Bool probity_given_up(void *);
    typedef struct { const char *next; size_t left; } probity_bytes;
    pby_status probity_stream(struct ArrowArrayStream **, pby_table *, pby_error *);
    void probity_stream_drop(void *);
    pby_status probity_read(void *, void *, size_t, size_t *, pby_error *);
    pby_status probity_add_lines(pby_audit *, pby_side, const char *, size_t, pby_error *);
    pby_status probity_add_doubles(pby_audit *, pby_side, const double *, size_t, size_t, pby_error *);
    pby_status probity_add_integers(pby_audit *, pby_side, const int64_t *, size_t, size_t, pby_error *);
""")

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "adapter.c"), encoding="utf-8") as adapter:
    binding.set_source(
        "probity._probity",
        adapter.read(),
        include_dirs=[os.path.join(os.environ["PROBITY_STAGE"], "include")],
        library_dirs=[os.path.join(os.environ["PROBITY_STAGE"], "lib")],
        libraries=["probity"],
        runtime_library_dirs=["$ORIGIN"],
        # Python's flags ask for debugging information, which names folders of this machine.
        extra_link_args=["-s"],
        py_limited_api=True,
    )
