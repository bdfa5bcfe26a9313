/* unit.c - see unit.h. */
#include "compile/unit.h"

#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void lane_finish(UnitLane *lane) {
  if (lane->searching)
    search_free(&lane->search);
  lane->searching = false;
}

void lane_free(UnitLane *lane) {
  lane_finish(lane);
  if (lane->begun)
    circuit_free(&lane->own);
  vec_free(&lane->common);
  vec_free(&lane->message);
  lane->begun = false;
}

void unit_free(CompileUnit *unit) {
  lane_free(&unit->lane);
  theory_free(&unit->theory);
  free(unit->variable);
  free(unit->first);
  vec_free(&unit->variables);
  vec_free(&unit->message);
  *unit = (CompileUnit){0};
}

/* The members first, then events. */
static void make_variables(CompileUnit *unit, uint32_t kind) {
  assert(!unit->variables.n);
  const Theory *t = &unit->theory;
  unit->variable = memory_zero(t->atoms, sizeof *unit->variable);
  memset(unit->variable, 0xff, t->atoms * sizeof *unit->variable);
  for (uint32_t a = 0; a < t->atoms; a++) {
    if (a >= t->members && !t->event.at[a])
      continue;
    unit->variable[a] = (uint32_t)unit->variables.n;
    vec_push(&unit->variables,
             (CircuitVariable){kind, t->input.at[a] ? CIRCUIT_INPUT : CIRCUIT_DETERMINED});
  }
  for (uint32_t a = 0; a < t->mirror.n; a++)
    if (t->mirror.at[a] != THEORY_NONE)
      unit->variable[t->mirror.at[a]] = unit->variable[a];
}

/* A member, and the mirror that it can be decided by. */
static void mark_first(CompileUnit *unit, const TheorySource *from) {
  const Theory *t = &unit->theory;
  unit->first = memory_zero(t->atoms, sizeof *unit->first);
  for (uint32_t a = 0; a < from->member_count; a++) {
    unit->first[a] = from->first[from->members[a]];
    if (t->mirror.at[a] != THEORY_NONE)
      unit->first[t->mirror.at[a]] = unit->first[a];
  }
}

Status unit_begin(CompileUnit *unit, const TheorySource *from, uint32_t kind, uint64_t seed) {
  assert(!unit->begun && from->member_count);
  TheorySource source = *from;
  Status status = theory_make(&unit->theory, &source);
  if (status != OK && source.foundedness == FOUNDED_BY_FORMULA) {
    theory_free(&unit->theory);
    source.foundedness = FOUNDED_BY_TWINS;
    status = theory_make(&unit->theory, &source);
  }
  if (status != OK) {
    theory_free(&unit->theory);
    unit->message.n = 0;
    text_printf(&unit->message,
                "the diagram of a head cycle among %u atoms needs more "
                "than %zu nodes",
                source.member_count, source.node_limit);
    return status;
  }
  theory_alias(&unit->theory);
  theory_order(&unit->theory, seed);
  theory_add_mirrors(&unit->theory);
  make_variables(unit, kind);
  if (from->first)
    mark_first(unit, from);
  unit->begun = true;
  return OK;
}

static void begin_circuit(const CompileUnit *unit, Circuit *own) {
  circuit_begin(own);
  for (size_t i = 0; i < unit->variables.n; i++)
    vec_push(&own->variables, unit->variables.at[i]);
}

void lane_begin(UnitLane *lane, const CompileUnit *unit, SearchChoice choice) {
  assert(unit->begun);
  if (lane->begun)
    return;
  begin_circuit(unit, &lane->own);
  lane->begun = true;
  search_begin(&lane->search, &unit->theory, &lane->own, unit->variable, choice);
  lane->search.first = unit->first;
  lane->searching = true;
}

void lane_put(const UnitLane *lane, Text *to) {
  assert(lane->begun);
  put_string(to, lane->message.at ? lane->message.at : "", lane->message.n);
  put_vec(to, &lane->own.nodes);
  put_vec(to, &lane->own.children);
}

static bool node_fits(const Circuit *c, size_t i) {
  const CircuitNode *node = &c->nodes.at[i];
  if (node->variable != CIRCUIT_NONE)
    return node->variable < c->variables.n && node->first < i && node->second < i;
  bool good = (size_t)node->first + node->second <= c->children.n;
  for (uint32_t k = 0; good && k < node->second; k++)
    good = c->children.at[node->first + k] < i;
  return good;
}

void lane_get(UnitLane *lane, const CompileUnit *unit, Bytes *from) {
  uint32_t length;
  const char *message = bytes_string(from, &length);
  Circuit *own = &lane->own;
  assert(!lane->begun);
  text_add(&lane->message, message, length);
  begin_circuit(unit, own);
  lane->begun = true;
  own->nodes.n = own->children.n = 0;
  bytes_vec(from, &own->nodes);
  bytes_vec(from, &own->children);
  from->bad |= own->nodes.n <= CIRCUIT_TRUE;
  for (size_t i = CIRCUIT_TRUE + 1; !from->bad && i < own->nodes.n; i++)
    from->bad |= !node_fits(own, i);
}

/* Blocks are numbered by kind; their variables stand in the common circuit in
** the order in which kinds are first used. */
static void place_block(CompileUnit *unit, Circuit *circuit, uint32_t kind) {
  assert(kind < circuit->blocks.n && !circuit->blocks.at[kind].count);
  const Theory *t = &unit->theory;
  uint32_t first = (uint32_t)circuit->variables.n;
  for (size_t i = 0; i < unit->variables.n; i++)
    vec_push(&circuit->variables, unit->variables.at[i]);
  circuit->blocks.at[kind] =
      (CircuitBlock){.first = first, .count = (uint32_t)unit->variables.n, .atoms = t->members};
  for (size_t i = 0; i < t->terms.n; i++) {
    uint32_t literal = t->terms.at[i].literal;
    assert(unit->variable[literal >> 1] < unit->variables.n);
    uint32_t variable = first + unit->variable[literal >> 1];
    vec_push(&circuit->terms, (CircuitTerm){lit_of(variable, literal & 1), t->terms.at[i].weight});
  }
  unit->placed = true;
}

/* The first nodes of a kind that is most of the circuit; less is not worth losing the table by
** which nodes are found. */
static bool append_nodes(UnitLane *lane, Circuit *circuit, uint32_t first) {
  const Circuit *own = &lane->own;
  if (lane->common.n || own->nodes.n < circuit->nodes.n)
    return false;
  uint32_t more = circuit_append(circuit, own, first);
  vec_reserve(&lane->common, own->nodes.n);
  for (uint32_t i = 0; i < own->nodes.n; i++)
    lane->common.at[i] = i > CIRCUIT_TRUE ? i + more : i;
  lane->common.n = own->nodes.n;
  return true;
}

static void copy_nodes(UnitLane *lane, Circuit *circuit, uint32_t first) {
  assert(lane->common.n <= lane->own.nodes.n);
  const Circuit *own = &lane->own;
  VEC(uint32_t) children = {0};
  for (size_t i = lane->common.n; i < own->nodes.n; i++) {
    const CircuitNode *node = &own->nodes.at[i];
    assert(node->variable == CIRCUIT_NONE || (node->first < i && node->second < i));
    uint32_t copy = (uint32_t)i; /* the constants */
    if (i > CIRCUIT_TRUE && node->variable != CIRCUIT_NONE) {
      copy = circuit_decision(circuit, first + node->variable, lane->common.at[node->first],
                              lane->common.at[node->second]);
    } else if (i > CIRCUIT_TRUE) {
      children.n = 0;
      for (uint32_t k = 0; k < node->second; k++)
        vec_push(&children, lane->common.at[own->children.at[node->first + k]]);
      copy = circuit_product(circuit, children.at, children.n);
    }
    vec_push(&lane->common, copy);
  }
  vec_free(&children);
}

void lane_copy(UnitLane *lane, CompileUnit *unit, Circuit *common, uint32_t kind) {
  assert(unit->begun);
  bool fresh = !unit->placed;
  if (fresh)
    place_block(unit, common, kind);
  uint32_t first = common->blocks.at[kind].first;
  if (lane->begun && !(fresh && append_nodes(lane, common, first)))
    copy_nodes(lane, common, first);
}

void unit_compacted(CompileUnit *unit) { unit->lane.common.n = 0; }

void unit_forget(CompileUnit *unit) {
  assert(unit->begun);
  UnitLane *lane = &unit->lane;
  if (!lane->begun)
    return;
  circuit_free(&lane->own);
  begin_circuit(unit, &lane->own);
  lane->common.n = 0;
  search_forget(&lane->search);
}
