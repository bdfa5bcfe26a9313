/* solve.c - see solve.h: REQUEST_SOLVE and its replies. */
#include "sample/solve.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "solver/protocol.h"

#include <assert.h>

WorkerOutcome receive_models(Worker *worker, const Limits *limits, const Layout *layout,
                             ModelsCallback callback, void *data) {
  assert(callback);
  static const uint8_t nothing[1];
  for (;;) {
    Header header;
    const char *bytes;
    WorkerOutcome outcome = worker_receive(worker, &header, &bytes, limits);
    if (outcome != WORKER_OK)
      return outcome;
    Bytes r = bytes_of(bytes, header.length);
    if (header.type == REPLY_DONE) {
      uint32_t result = bytes_u32(&r);
      return r.bad                      ? WORKER_DAMAGED
             : result == OUTCOME_OK     ? WORKER_OK
             : result == OUTCOME_MEMORY ? WORKER_MEMORY
                                        : WORKER_DIED;
    }
    if (header.type != REPLY_MODELS || (layout->bytes && header.length % layout->bytes)) {
      worker_stop(worker);
      return WORKER_DAMAGED;
    }
    size_t count = layout->bytes ? header.length / layout->bytes : 1;
    const uint8_t *models = layout->bytes ? (const uint8_t *)bytes : nothing;
    if (!callback(data, layout, models, count)) {
      worker_stop(worker);
      return WORKER_OK;
    }
  }
}

WorkerOutcome solve(const Question *q, Worker *worker, const Limits *limits, Layout *layout,
                    ModelsCallback callback, void *data) {
  assert(q->ground->sealed && (q->required || !q->required_count));
  Text payload = {0};
  Encoding t;
  encode_begin(&t, q->ground, q->analysis);
  encode_require(&t, q->required, q->required_count);
  if (q->hard_violated != NONE)
    encode_hard_bound(&t, q->hard_violated);
  put_u32(&payload, q->most);
  encode_write(&t, &payload);
  *layout = t.layout;
  t.layout = (Layout){0};
  encode_free(&t);
  WorkerOutcome outcome = worker_start(worker, limits);
  if (outcome == WORKER_OK)
    outcome = worker_send(worker, REQUEST_SOLVE, &payload, limits);
  vec_free(&payload);
  if (outcome == WORKER_OK)
    outcome = receive_models(worker, limits, layout, callback, data);
  return outcome;
}
