/* frame.h - coordinates in which the sampled curvature is a diagonal.
**
** The program's part M of the curvature, never negative, is the measure: in the frame it is
** the identity, and the curvature H has eigenvalues s of at most about 1.  Where the data
** leaves a direction free, s is about 0; where s is below a tenth, a tenth is used. */
#ifndef LEARN_FRAME_H
#define LEARN_FRAME_H

#include "learn/sides.h"

typedef struct {
  uint32_t n;
  double *lower;   /* M = lower lower^T */
  double *values;  /* s by direction */
  double *vectors; /* directions: by row, in coordinates of lower */
  double *slope;   /* gradient by direction */
  double *noise;   /* variance of the slope by direction */
  double *axes;    /* by row: a step of length 1 in this direction, in weights */
} Frame;

void frame_begin(Frame *, uint32_t n);
void frame_free(Frame *);

/* `least`: added to M's diagonal, the curvature of what was not seen to vary. */
void frame_make(Frame *, const Moments *, double least);

/* Newton's step; returns its length in the frame. */
double frame_step(const Frame *, double *step);

/* In log-likelihood: what a step would gain, where the slope stands out of the noise; what
** the noise of a step is expected to cost. */
double frame_gain(const Frame *);
double frame_cost(const Frame *);

/* Standard errors of a weight: of Newton's step by sampling, and of the maximum by the data;
** the latter is NAN if the data does not determine the weight. */
double frame_noise_of(const Frame *, uint32_t k);
double frame_error_of(const Frame *, uint32_t k);
bool frame_determines(const Frame *, uint32_t parameter);

#endif
