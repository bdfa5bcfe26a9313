/* portions.c - see portions.h.
**
** The bytes: lengths of the arrays, other numbers, then array after array, each at a multiple of
** eight, so that a circuit looks into them where they lie. */
#include "learn/portions.h"

#include "base/file.h"
#include "learn/portions_shared.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 1 << 16 }; /* no system has larger ones */

enum {
  NODES,
  CHILDREN,
  VARIABLES,
  BLOCKS,
  TERMS,
  CONSTANTS,
  BOTH,
  OBSERVED = BOTH + 2,
  ARRAYS = 10
};

typedef struct {
  size_t lengths[ARRAYS]; /* in elements */
  double sums[2];         /* of both mixtures */
  uint32_t weights, atoms;
} Head;

/* ---- writing ---------------------------------------------------------------------------- */

static void put_array(Text *to, const void *at, size_t n, size_t size) {
  static const char zeros[8];
  if (n)
    text_add(to, at, n * size);
  text_add(to, zeros, -to->n % 8);
}

#define PUT(to, v) put_array(to, (v)->at, (v)->n, sizeof *(v)->at)

static void put_sum(Text *to, const CircuitSum *sum) {
  PUT(to, &sum->nodes);
  PUT(to, &sum->blocks);
}

static void put_portion(Text *to, const Circuit *c, const Mixture *both, const Mixture *observed) {
  Head head = {.lengths = {c->nodes.n, c->children.n, c->variables.n, c->blocks.n, c->terms.n,
                           c->constants.n, both->is.nodes.n, both->is.blocks.n,
                           observed->is.nodes.n, observed->is.blocks.n},
               .sums = {both->sum, observed->sum},
               .weights = c->weights,
               .atoms = c->atoms};
  put_array(to, &head, 1, sizeof head);
  PUT(to, &c->nodes);
  PUT(to, &c->children);
  PUT(to, &c->variables);
  PUT(to, &c->blocks);
  PUT(to, &c->terms);
  PUT(to, &c->constants);
  put_sum(to, &both->is);
  put_sum(to, &observed->is);
}

static bool begin_file(Portions *p) {
  int file = file_unnamed();
  p->spilled = file >= 0, p->file = file;
  return p->spilled;
}

/* False: the disk does not take it. */
static bool spill(Portions *p, const Text *bytes, Portion *to) {
  if (!p->spilled && !begin_file(p))
    return false;
  for (size_t done = 0; done < bytes->n;) {
    ssize_t n = pwrite(p->file, bytes->at + done, bytes->n - done, (off_t)(p->end + done));
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  *to = (Portion){.at = p->end, .length = bytes->n};
  p->end += (bytes->n + PAGE - 1) / PAGE * PAGE;
  return true;
}

/* Takes the bytes. */
static void keep(Portions *p, Text *bytes) {
  Portion portion;
  vec_reserve(&p->list, 1);
  if (p->most && p->kept + bytes->n > p->most && spill(p, bytes, &portion)) {
    vec_free(bytes);
  } else {
    p->kept += bytes->n;
    portion = (Portion){.length = bytes->n};
    portion.bytes = memory_resize(text_take(bytes), portion.length, 1);
  }
  vec_push(&p->list, portion);
}

Status portions_add(Portions *p, const Circuit *c, const Mixture *both, const Mixture *observed,
                    const Limits *limits) {
  assert(!both->nodes.n && !observed->nodes.n); /* sealed */
  Text bytes = {0};
  Status status = OK;
  put_portion(&bytes, c, both, observed);
  p->nodes += c->nodes.n;
  p->weights = c->weights;
  if (portions_owner(p, p->list.n)) {
    status = portions_send(p, &bytes, limits);
    vec_push(&p->list, (Portion){.length = bytes.n});
    vec_free(&bytes);
  } else {
    keep(p, &bytes);
  }
  return status;
}

void portions_free(Portions *p) {
  share_end(&p->setup);
  for (size_t i = 0; i < p->list.n; i++)
    free(p->list.at[i].bytes);
  vec_free(&p->list);
  vec_free(&p->trouble);
  if (p->spilled)
    close(p->file);
  *p = (Portions){0};
}

/* ---- looking ---------------------------------------------------------------------------- */

typedef struct {
  const char *bytes;
  Circuit circuit; /* borrows the bytes, and so do the mixtures */
  Mixture both, observed;
} View;

static void *next_array(const char **at, size_t n, size_t size) {
  const char *array = *at;
  *at += (n * size + 7) / 8 * 8;
  return (void *)(uintptr_t)array; /* a view is never written to */
}

#define LOOK(from, v, length) \
  ((v)->n = (length), (v)->at = next_array(from, (v)->n, sizeof *(v)->at))

static void look(View *v, const char *bytes, size_t length) {
  const Head *head = (const Head *)(const void *)bytes;
  const size_t *n = head->lengths;
  const char *at = bytes + sizeof *head;
  Circuit *c = &v->circuit;
  *v = (View){.bytes = bytes};
  c->weights = head->weights, c->atoms = head->atoms;
  LOOK(&at, &c->nodes, n[NODES]);
  LOOK(&at, &c->children, n[CHILDREN]);
  LOOK(&at, &c->variables, n[VARIABLES]);
  LOOK(&at, &c->blocks, n[BLOCKS]);
  LOOK(&at, &c->terms, n[TERMS]);
  LOOK(&at, &c->constants, n[CONSTANTS]);
  LOOK(&at, &v->both.is.nodes, n[BOTH]);
  LOOK(&at, &v->both.is.blocks, n[BOTH + 1]);
  LOOK(&at, &v->observed.is.nodes, n[OBSERVED]);
  LOOK(&at, &v->observed.is.blocks, n[OBSERVED + 1]);
  v->both.sum = head->sums[0], v->observed.sum = head->sums[1];
  assert(at == bytes + length);
  (void)length;
}

static void view_open(View *v, const Portions *p, size_t i) {
  assert(i < p->list.n);
  const Portion *portion = &p->list.at[i];
  char *bytes = portion->bytes;
  if (!bytes)
    bytes = mmap(NULL, portion->length, PROT_READ, MAP_SHARED, p->file, (off_t)portion->at);
  if (bytes == MAP_FAILED)
    memory_fail();
  look(v, bytes, portion->length);
}

static void view_close(View *v, const Portions *p, size_t i) {
  if (!p->list.at[i].bytes)
    munmap((void *)(uintptr_t)v->bytes, p->list.at[i].length);
}

/* ---- what came from another process -------------------------------------------------------- */

/* The arrays end where the bytes do. */
static bool whole(const char *bytes, size_t length) {
  static const size_t sizes[ARRAYS] = {
      sizeof(CircuitNode),  sizeof(uint32_t),    sizeof(CircuitVariable), sizeof(CircuitBlock),
      sizeof(CircuitTerm),  sizeof(uint32_t),    sizeof(CircuitTimes),    sizeof(CircuitTimes),
      sizeof(CircuitTimes), sizeof(CircuitTimes)};
  Head head;
  size_t all = sizeof head;
  if (length < all)
    return false;
  memcpy(&head, bytes, sizeof head);
  for (int i = 0; i < ARRAYS; i++) {
    if (head.lengths[i] > (length - all) / sizes[i])
      return false;
    all += (head.lengths[i] * sizes[i] + 7) / 8 * 8;
    if (all > length)
      return false;
  }
  return all == length;
}

static bool sum_fits(const Circuit *c, const CircuitSum *sum) {
  bool good = true;
  for (size_t i = 0; i < sum->nodes.n; i++)
    good &= sum->nodes.at[i].number < c->nodes.n;
  for (size_t i = 0; i < sum->blocks.n; i++)
    good &= sum->blocks.at[i].number < c->blocks.n;
  return good;
}

static bool fits(const View *v) {
  return circuit_fits(&v->circuit) && sum_fits(&v->circuit, &v->both.is) &&
         sum_fits(&v->circuit, &v->observed.is);
}

bool portions_keep(Portions *p, const char *bytes, size_t length) {
  View v;
  Text copy = {0};
  if (!whole(bytes, length))
    return false;
  text_add(&copy, bytes, length); /* at a multiple of eight */
  look(&v, copy.at, length);
  if (!fits(&v)) {
    vec_free(&copy);
    return false;
  }
  p->weights = v.circuit.weights;
  keep(p, &copy);
  return true;
}

/* ---- answers ------------------------------------------------------------------------------ */

static double answer(const View *v, const PortionQuestion *q, const CircuitValues *values,
                     double *sum) {
  const Mixture *m = q->observed ? &v->observed : &v->both;
  if (q->direction)
    mixture_product(m, &v->circuit, values, q->direction, sum);
  else
    mixture_gradient(m, &v->circuit, values, sum);
  return q->direction ? 0 : mixture_value(m, values);
}

double portions_answer(const Portions *p, size_t portion, const PortionQuestion *q, double *sum) {
  View v;
  CircuitValues values;
  view_open(&v, p, portion);
  circuit_values_make(&v.circuit, &values);
  circuit_evaluate(&v.circuit, q->weights, &values);
  double value = answer(&v, q, &values, sum);
  circuit_values_free(&values);
  view_close(&v, p, portion);
  return value;
}
