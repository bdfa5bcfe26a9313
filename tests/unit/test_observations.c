/* test_observations.c - what was seen, as literals: equal rows are one, plain literals add no
** atoms, contradictions and what is known are told apart. */
#include "unit.h"

#include "base/random.h"
#include "ground/observations.h"
#include "ground/read.h"

#include <stdio.h>

/* Atoms 0..n-1, all guessed; 0 is certain and 1 impossible. */
static void guessed(Ground *g, uint32_t n) {
  *g = (Ground){0};
  for (uint32_t a = 0; a < n; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    Atom atom = ground_atom(g, name);
    if (a != 1)
      *ground_rule(g, (Rule){.choice = a > 1, .heads = 1, .instance = NONE}) = atom;
  }
  ground_seal(g);
  assert_int_equal(ground_truth(g, lit_of(0, false)), 1);
  assert_int_equal(ground_truth(g, lit_of(1, false)), 0);
}

static void add(Observations *o, uint32_t block, uint32_t statement, Lit violated) {
  vec_push(&o->violations, (Violation){block, statement, violated});
}

/* Seals them as those of a program of so many blocks. */
static void seal(Observations *o, const Ground *g, uint32_t blocks) {
  Program p = {0};
  for (uint32_t b = 0; b < blocks; b++)
    (void)program_add_block(&p, NOWHERE);
  observations_seal(o, g, &p);
  program_free(&p);
}

static void equal_rows(void **state) {
  (void)state;
  Ground g;
  Observations o = {0};
  guessed(&g, 6);
  /* blocks: 2, not 3 | 4 | not 3, 2, 2 | (nothing) | 4 | 0 (certain) */
  add(&o, 0, 0, lit_of(2, true));
  add(&o, 0, 1, lit_of(3, false));
  add(&o, 1, 2, lit_of(4, true));
  add(&o, 2, 3, lit_of(3, false));
  add(&o, 2, 4, lit_of(2, true));
  add(&o, 2, 5, lit_of(2, true));
  add(&o, 4, 6, lit_of(4, true));
  add(&o, 5, 7, lit_of(0, true));
  seal(&o, &g, 6);
  assert_true(observations_valid(&o, &g));
  static const uint32_t of_block[] = {0, 1, 0, 2, 1, 2};
  assert_int_equal(o.of_block.n, 6);
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(o.of_block.at[i], of_block[i]);
  assert_int_equal(o.list.n, 3);
  assert_int_equal(o.list.at[0].size, 2);
  assert_int_equal(o.literals.at[0], lit_of(2, false));
  assert_int_equal(o.literals.at[1], lit_of(3, true));
  assert_int_equal(o.list.at[2].size, 0); /* what is certain says nothing */
  assert_int_equal(o.list.at[1].block, 1);
  observations_free(&o);
  ground_free(&g);
}

/* A literal that never holds stays: the observation is impossible, and that is for others
** to say. */
static void impossible(void **state) {
  (void)state;
  Ground g;
  Observations o = {0};
  guessed(&g, 3);
  add(&o, 0, 0, lit_of(1, true)); /* a1 was seen */
  add(&o, 1, 1, lit_of(2, true));
  add(&o, 1, 2, lit_of(2, false)); /* a2, and not a2 */
  seal(&o, &g, 2);
  assert_int_equal(o.list.n, 2);
  assert_int_equal(o.list.at[0].size, 1);
  assert_int_equal(ground_truth(&g, o.literals.at[0]), 0);
  assert_int_equal(o.list.at[1].size, 2);
  size_t n;
  Lit *all = observations_evidence(&o, &n);
  assert_int_equal(n, 3);
  free(all);
  o.literals.at[0] = 2 * 3; /* it re-checks */
  assert_false(observations_valid(&o, &g));
  o.literals.at[0] = 0;
  assert_true(observations_valid(&o, &g));
  o.list.at[1].size++;
  assert_false(observations_valid(&o, &g));
  o.list.at[1].size--, o.list.at[0].block = 2;
  assert_false(observations_valid(&o, &g));
  o.list.at[0].block = 0, o.of_block.at[1] = 2;
  assert_false(observations_valid(&o, &g));
  observations_free(&o);
  ground_free(&g);
}

/* Random rows in any order of statements, against comparing them two by two. */
static void random_rows(void **state) {
  (void)state;
  enum { ROUNDS = 200, BLOCKS = 30, ATOMS = 5 };
  Random random = random_make(5, 0);
  size_t merged = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Ground g;
    Observations o = {0};
    int8_t value[BLOCKS][ATOMS];
    guessed(&g, ATOMS + 2);
    for (uint32_t b = 0; b < BLOCKS; b++)
      for (uint32_t i = 0; i < ATOMS; i++)
        value[b][i] = (int8_t)random_below(&random, 3);
    for (uint32_t i = 0; i < ATOMS; i++)
      for (uint32_t b = BLOCKS; b-- > 0;)
        if (value[b][i] < 2)
          add(&o, b, i, lit_of(i + 2, value[b][i] == 1));
    seal(&o, &g, BLOCKS);
    for (uint32_t a = 0; a < BLOCKS; a++)
      for (uint32_t b = 0; b < a; b++) {
        bool equal = !memcmp(value[a], value[b], ATOMS);
        assert_int_equal(o.of_block.at[a] == o.of_block.at[b], equal);
        merged += equal;
      }
    for (uint32_t b = 0; b < BLOCKS; b++) {
      const Observation *is = &o.list.at[o.of_block.at[b]];
      uint32_t size = 0;
      for (uint32_t i = 0; i < ATOMS; i++)
        size += value[b][i] < 2;
      assert_int_equal(is->size, size);
      for (uint32_t k = 0; k < is->size; k++) {
        Lit l = o.literals.at[is->first + k];
        assert_int_equal(value[b][lit_atom(l) - 2], !lit_negated(l));
        assert_true(!k || o.literals.at[is->first + k - 1] < l);
      }
    }
    observations_free(&o);
    ground_free(&g);
  }
  assert_true(merged > ROUNDS);
}

/* From text, with the worker: rows of literals add no atoms, formulas do. */
static void read(const char *observed, Grounded *is, Program *p) {
  static const char text[] = "{a;b;c}. d :- a, b.";
  Worker worker = {.wanted = getenv("LPMLN_TEST_WORKER")};
  Limits limits = {.memory = 4096};
  *p = (Program){0};
  *is = (Grounded){0};
  program_read(p, source_add(&p->sources, "p", memory_copy(text, strlen(text)), strlen(text)),
               NULL);
  program_read_observations(
      p, source_add(&p->sources, "o", memory_copy(observed, strlen(observed)), strlen(observed)),
      true);
  assert_int_equal(p->said.errors, 0);
  assert_int_equal(ground_read(p, program_said(p), (ScriptOptions){0}, &worker, &limits, is), OK);
  worker_free(&worker);
}

static void plain_literals(void **state) {
  (void)state;
  Grounded none, literals, formulas;
  Program p, q, r;
  read("a.\n", &none, &p);
  read("a. not b.\n---\nnot d. c.\n---\nnot b. a.\n---\n:- not c.\n---\n:- d.\n---\nc.\n",
       &literals, &q);
  read(":- a, not b.\n---\n:- c, d.\n", &formulas, &r);
  assert_int_equal(literals.ground.atoms.n, none.ground.atoms.n);
  assert_int_equal(literals.ground.rules.n, none.ground.rules.n);
  assert_int_equal(literals.observed.of_block.n, 6);
  assert_int_equal(literals.observed.list.n, 4); /* 1 and 3, 4 and 6 are one */
  assert_int_equal(literals.observed.of_block.at[0], literals.observed.of_block.at[2]);
  assert_int_equal(literals.observed.of_block.at[3], literals.observed.of_block.at[5]);
  assert_true(formulas.ground.atoms.n > none.ground.atoms.n);
  assert_int_equal(formulas.ground.own.atoms, none.ground.own.atoms);
  grounded_free(&none);
  grounded_free(&literals);
  grounded_free(&formulas);
  program_free(&p);
  program_free(&q);
  program_free(&r);
}

/* A table of the same rows, and the same rows as statements. */
static void read_table(const char *text, const char *table, bool listed, Grounded *is, Program *p) {
  Worker worker = {.wanted = getenv("LPMLN_TEST_WORKER")};
  Limits limits = {.memory = 4096};
  *p = (Program){0};
  *is = (Grounded){0};
  program_read(p, source_add(&p->sources, "p", memory_copy(text, strlen(text)), strlen(text)),
               NULL);
  program_read_table(
      p, source_add(&p->sources, "t", memory_copy(table, strlen(table)), strlen(table)), listed);
  assert_int_equal(p->said.errors, 0);
  assert_int_equal(ground_read(p, program_said(p), (ScriptOptions){.closed_world = listed}, &worker,
                               &limits, is),
                   OK);
  worker_free(&worker);
}

static void rows_of_tables(void **state) {
  (void)state;
  static const char text[] = "#const k=2. {a(1);a(k);b;-c}. d :- a(1), b. e. g(3) :- b.",
                    table[] = "a(1),#count,a(k),b,-c,d,e,f(1),g(1+2)\n"
                              "1,2,0,,1,,1,0,\n0,1,1,1,0,0,,0,1\n1,5,0,,1,,1,0,\n"
                              ",1,,,,1,0,1,0\n,1,,,,,1,0,\n";
  Grounded rows, listed;
  Program p, q;
  read_table(text, table, false, &rows, &p);
  assert_int_equal(p.tables.n, 1);
  assert_int_equal(p.tables.at[0].rows, 4); /* two are equal */
  assert_float_equal(program_block_count(&p, 0), 7, 0);
  assert_int_equal(rows.observed.violations.n, 0);
  assert_int_equal(rows.observed.columns.n, 8);
  read_table(text, table, true, &listed, &q);
  assert_int_equal(q.tables.n, 0);
  assert_int_equal(q.blocks.n, 4);
  size_t known = 0;
  for (uint32_t b = 0; b < 4; b++) {
    Violations one = {0}, other = {0};
    observations_forbidden(&rows.observed, &p, b, &one);
    observations_forbidden(&listed.observed, &q, b, &other);
    assert_true(one.n <= other.n); /* a closed world forbids more */
    for (size_t i = 0; i < one.n; i++)
      assert_int_equal(ground_truth(&rows.ground, one.at[i].lit),
                       ground_truth(&listed.ground, other.at[i].lit));
    known += one.n;
    vec_free(&one);
    vec_free(&other);
  }
  assert_int_equal(known, 5 + 7 + 4 + 2);
  /* row 1: a(1), not a(k), -c; e is certain, f(1) impossible */
  assert_int_equal(rows.observed.list.at[0].size, 3);
  assert_int_equal(rows.observed.list.at[1].size, 6);
  assert_int_equal(rows.observed.list.at[3].size, 0);
  grounded_free(&rows);
  grounded_free(&listed);
  program_free(&p);
  program_free(&q);
}

/* Rows of one table about open atoms are literals when they are asked for: the same as if they
** were merged one by one. */
static void packed_rows(void **state) {
  (void)state;
  static const char text[] = "{a;b;c;-a}. d :- a. e.";
  static const char *const tables[] = {"c,b,-a\n1,0,\n,,1\n0,1,0\n1,0,\n,,\n",
                                       "c,a,#count\n1,0,3\n0,0,2\n,1,1\n1,0,1.5\n",
                                       "c,b,c\n1,0,1\n0,,0\n,,1\n1,0,\n", "c,e\n1,1\n1,\n0,1\n"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    Grounded rows;
    Program p;
    Lits room = {0};
    read_table(text, tables[i], false, &rows, &p);
    Observations merged = {0}, *packed = &rows.observed;
    for (size_t k = 0; k < packed->columns.n; k++)
      vec_push(&merged.columns, packed->columns.at[k]);
    observations_row(packed, &p, 0, &merged.violations); /* once more: it is not a row alone */
    observations_seal(&merged, &rows.ground, &p);
    assert_null(merged.rows);
    assert_int_equal(packed->rows != NULL, i < 2);
    assert_int_equal(observations_count(packed), observations_count(&merged));
    for (uint32_t b = 0; b < p.block_count; b++) {
      uint32_t size[2], one = observations_of(packed, b), other = observations_of(&merged, b);
      const Lit *own = observations_literals(packed, one, &room, &size[0]);
      const Lit *same = observations_literals(&merged, other, &room, &size[1]);
      assert_int_equal(size[0], size[1]);
      assert_memory_equal(own, same, size[0] * sizeof *own);
      assert_int_equal(observations_block(packed, one), observations_block(&merged, other));
    }
    vec_free(&room);
    observations_free(&merged);
    grounded_free(&rows);
    program_free(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_rows),     cmocka_unit_test(impossible),
      cmocka_unit_test(random_rows),    cmocka_unit_test(plain_literals),
      cmocka_unit_test(rows_of_tables), cmocka_unit_test(packed_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
