/* clingo_api.h - the part of libclingo's C interface that we use.
**
** Debian's package ships the library without its header, so what we call is
** declared here; a system <clingo.h> is preferred where there is one. */
#ifndef SOLVER_WORKER_CLINGO_API_H
#define SOLVER_WORKER_CLINGO_API_H

#if defined __has_include
#if __has_include(<clingo.h>)
#include <clingo.h>
#define HAVE_CLINGO_H
#endif
#endif

#ifndef HAVE_CLINGO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t clingo_literal_t, clingo_weight_t;
typedef uint32_t clingo_atom_t, clingo_id_t;
typedef uint64_t clingo_symbol_t, clingo_signature_t, clingo_symbolic_atom_iterator_t;
typedef int clingo_error_t, clingo_warning_t, clingo_symbol_type_t, clingo_external_type_t,
    clingo_heuristic_type_t;
typedef unsigned clingo_solve_mode_bitset_t, clingo_solve_event_type_t,
    clingo_solve_result_bitset_t;

typedef struct clingo_control clingo_control_t;
typedef struct clingo_backend clingo_backend_t;
typedef struct clingo_model clingo_model_t;
typedef struct clingo_solve_handle clingo_solve_handle_t;
typedef struct clingo_symbolic_atoms clingo_symbolic_atoms_t;
typedef struct clingo_assignment clingo_assignment_t;
typedef struct clingo_propagate_init clingo_propagate_init_t;
typedef struct clingo_propagate_control clingo_propagate_control_t;

typedef struct {
  clingo_literal_t literal;
  clingo_weight_t weight;
} clingo_weighted_literal_t;

typedef struct {
  char const *name;
  clingo_symbol_t const *params;
  size_t size;
} clingo_part_t;

enum {
  clingo_error_success,
  clingo_error_runtime,
  clingo_error_logic,
  clingo_error_bad_alloc,
  clingo_error_unknown
};
enum {
  clingo_symbol_type_infimum = 0,
  clingo_symbol_type_number = 1,
  clingo_symbol_type_string = 4,
  clingo_symbol_type_function = 5
};
enum { clingo_solve_result_satisfiable = 1, clingo_solve_result_interrupted = 8 };
enum { clingo_solve_event_type_model = 0 };
typedef int clingo_truth_value_t, clingo_clause_type_t, clingo_propagator_check_mode_t;
enum { clingo_truth_value_free, clingo_truth_value_true, clingo_truth_value_false };
enum {
  clingo_clause_type_learnt,
  clingo_clause_type_static,
  clingo_clause_type_volatile,
  clingo_clause_type_volatile_static
};
enum {
  clingo_propagator_check_mode_none,
  clingo_propagator_check_mode_total,
  clingo_propagator_check_mode_fixpoint
};

typedef void (*clingo_logger_t)(clingo_warning_t, char const *, void *);
typedef bool (*clingo_solve_event_callback_t)(clingo_solve_event_type_t, void *event, void *data,
                                              bool *goon);
typedef bool (*clingo_symbol_callback_t)(clingo_symbol_t const *, size_t, void *);
typedef struct clingo_location clingo_location_t;
typedef bool (*clingo_ground_callback_t)(clingo_location_t const *, char const *,
                                         clingo_symbol_t const *, size_t, void *,
                                         clingo_symbol_callback_t, void *);

typedef struct clingo_ground_program_observer { /* of clingo 5.4 */
  bool (*init_program)(bool incremental, void *data);
  bool (*begin_step)(void *data);
  bool (*end_step)(void *data);
  bool (*rule)(bool choice, clingo_atom_t const *head, size_t head_size,
               clingo_literal_t const *body, size_t body_size, void *data);
  bool (*weight_rule)(bool choice, clingo_atom_t const *head, size_t head_size,
                      clingo_weight_t lower_bound, clingo_weighted_literal_t const *body,
                      size_t body_size, void *data);
  bool (*minimize)(clingo_weight_t, clingo_weighted_literal_t const *, size_t, void *);
  bool (*project)(clingo_atom_t const *, size_t, void *);
  bool (*output_atom)(clingo_symbol_t symbol, clingo_atom_t atom, void *data);
  bool (*output_term)(clingo_symbol_t symbol, clingo_literal_t const *condition, size_t size,
                      void *data);
  bool (*output_csp)(clingo_symbol_t, int, clingo_literal_t const *, size_t, void *);
  bool (*external)(clingo_atom_t atom, clingo_external_type_t type, void *data);
  bool (*assume)(clingo_literal_t const *, size_t, void *);
  bool (*heuristic)(clingo_atom_t, clingo_heuristic_type_t, int, unsigned, clingo_literal_t const *,
                    size_t, void *);
  bool (*acyc_edge)(int, int, clingo_literal_t const *, size_t, void *);
  bool (*theory_term_number)(clingo_id_t, int, void *);
  bool (*theory_term_string)(clingo_id_t, char const *, void *);
  bool (*theory_term_compound)(clingo_id_t, int, clingo_id_t const *, size_t, void *);
  bool (*theory_element)(clingo_id_t, clingo_id_t const *, size_t, clingo_literal_t const *, size_t,
                         void *);
  bool (*theory_atom)(clingo_id_t, clingo_id_t, clingo_id_t const *, size_t, void *);
  bool (*theory_atom_with_guard)(clingo_id_t, clingo_id_t, clingo_id_t const *, size_t, clingo_id_t,
                                 clingo_id_t, void *);
} clingo_ground_program_observer_t;

typedef struct clingo_propagator { /* of clingo 5.4 */
  bool (*init)(clingo_propagate_init_t *, void *data);
  bool (*propagate)(clingo_propagate_control_t *, clingo_literal_t const *, size_t, void *data);
  bool (*undo)(clingo_propagate_control_t const *, clingo_literal_t const *, size_t, void *data);
  bool (*check)(clingo_propagate_control_t *, void *data);
  bool (*decide)(clingo_id_t thread, clingo_assignment_t const *, clingo_literal_t fallback,
                 void *data, clingo_literal_t *decision);
} clingo_propagator_t;

bool clingo_control_new(char const *const *arguments, size_t, clingo_logger_t, void *,
                        unsigned message_limit, clingo_control_t **);
void clingo_control_free(clingo_control_t *);
bool clingo_control_add(clingo_control_t *, char const *name, char const *const *parameters, size_t,
                        char const *program);
bool clingo_control_ground(clingo_control_t *, clingo_part_t const *, size_t,
                           clingo_ground_callback_t, void *);
bool clingo_control_register_observer(clingo_control_t *, clingo_ground_program_observer_t const *,
                                      bool replace, void *);
bool clingo_control_register_propagator(clingo_control_t *, clingo_propagator_t const *, void *data,
                                        bool sequential);
bool clingo_propagate_init_solver_literal(clingo_propagate_init_t const *, clingo_literal_t,
                                          clingo_literal_t *);
void clingo_propagate_init_set_check_mode(clingo_propagate_init_t *,
                                          clingo_propagator_check_mode_t);
clingo_assignment_t const *clingo_propagate_control_assignment(clingo_propagate_control_t const *);
bool clingo_propagate_control_add_clause(clingo_propagate_control_t *, clingo_literal_t const *,
                                         size_t, clingo_clause_type_t, bool *);
uint32_t clingo_assignment_root_level(clingo_assignment_t const *);
bool clingo_assignment_truth_value(clingo_assignment_t const *, clingo_literal_t,
                                   clingo_truth_value_t *);
bool clingo_control_symbolic_atoms(clingo_control_t const *, clingo_symbolic_atoms_t const **);
bool clingo_control_backend(clingo_control_t *, clingo_backend_t **);
bool clingo_control_solve(clingo_control_t *, clingo_solve_mode_bitset_t,
                          clingo_literal_t const *assumptions, size_t,
                          clingo_solve_event_callback_t, void *, clingo_solve_handle_t **);
bool clingo_solve_handle_get(clingo_solve_handle_t *, clingo_solve_result_bitset_t *);
bool clingo_solve_handle_close(clingo_solve_handle_t *);
bool clingo_backend_begin(clingo_backend_t *);
bool clingo_backend_end(clingo_backend_t *);
bool clingo_backend_add_atom(clingo_backend_t *, clingo_symbol_t *, clingo_atom_t *);
bool clingo_backend_rule(clingo_backend_t *, bool choice, clingo_atom_t const *, size_t,
                         clingo_literal_t const *, size_t);
bool clingo_backend_weight_rule(clingo_backend_t *, bool choice, clingo_atom_t const *, size_t,
                                clingo_weight_t, clingo_weighted_literal_t const *, size_t);
bool clingo_model_is_true(clingo_model_t const *, clingo_literal_t, bool *);
bool clingo_symbolic_atoms_begin(clingo_symbolic_atoms_t const *, clingo_signature_t const *,
                                 clingo_symbolic_atom_iterator_t *);
bool clingo_symbolic_atoms_is_valid(clingo_symbolic_atoms_t const *,
                                    clingo_symbolic_atom_iterator_t, bool *);
bool clingo_symbolic_atoms_next(clingo_symbolic_atoms_t const *, clingo_symbolic_atom_iterator_t,
                                clingo_symbolic_atom_iterator_t *);
bool clingo_symbolic_atoms_symbol(clingo_symbolic_atoms_t const *, clingo_symbolic_atom_iterator_t,
                                  clingo_symbol_t *);
bool clingo_symbolic_atoms_is_fact(clingo_symbolic_atoms_t const *, clingo_symbolic_atom_iterator_t,
                                   bool *);
bool clingo_symbolic_atoms_literal(clingo_symbolic_atoms_t const *, clingo_symbolic_atom_iterator_t,
                                   clingo_literal_t *);
bool clingo_symbolic_atoms_signatures_size(clingo_symbolic_atoms_t const *, size_t *);
bool clingo_symbolic_atoms_signatures(clingo_symbolic_atoms_t const *, clingo_signature_t *,
                                      size_t);
char const *clingo_signature_name(clingo_signature_t);
clingo_symbol_type_t clingo_symbol_type(clingo_symbol_t);
bool clingo_symbol_number(clingo_symbol_t, int *);
bool clingo_symbol_name(clingo_symbol_t, char const **);
bool clingo_symbol_string(clingo_symbol_t, char const **);
bool clingo_symbol_arguments(clingo_symbol_t, clingo_symbol_t const **, size_t *);
bool clingo_symbol_to_string_size(clingo_symbol_t, size_t *);
bool clingo_symbol_to_string(clingo_symbol_t, char *, size_t);
clingo_error_t clingo_error_code(void);
char const *clingo_error_message(void);

#endif
#endif
