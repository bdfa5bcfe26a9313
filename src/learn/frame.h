/* frame.h - coordinates in which the sampled curvature is a diagonal.
**
** The program's part M of the curvature, never negative, is the measure: in the frame it is
** the identity, and the curvature H = M - O, O being that of the observations, has eigenvalues
** s of at most about 1.  Samples give s with an error of its own, in proportion to 1 - s.  A
** direction is determined if s stands out of that error; where it is not, the data may leave
** it free, and what could be gained there is bounded by taking the least curvature that would
** count as determined. */
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
  bool *known;     /* by direction: it is determined */
  double *axes;    /* by row: a step of length 1 in this direction, in weights */
} Frame;

void frame_begin(Frame *, uint32_t n);
void frame_free(Frame *);

/* `least`: added to M's diagonal, the curvature of what was not seen to vary.  `doubt`: the
** relative error of covariances, of the program's and the observations' together. */
void frame_make(Frame *, const Moments *, double least, double doubt);

/* Newton's step; in directions that are not determined, a step along the slope if that stands
** out of the noise.  Returns its length in the frame. */
double frame_step(const Frame *, double *step);

/* Does the slope stand out of `times` its noise, all directions together? */
bool frame_stands_out(const Frame *, double times);

/* In log-likelihood: what a step would gain, less what it would seem to gain by `times` the
** noise alone; and what the noise of a step costs, but for one time in twenty. */
double frame_gain(const Frame *, double times);
double frame_cost(const Frame *);

/* Standard errors of a weight: of Newton's step by sampling, and of the maximum by the data;
** the latter is NAN if the data does not determine the weight. */
double frame_noise_of(const Frame *, uint32_t k);
double frame_error_of(const Frame *, uint32_t k);
bool frame_determines(const Frame *, uint32_t parameter);

#endif
