#!/bin/sh
# Learns on the machines of the file `hosts`, without a batch system:
#   examples/cluster/learn.sh PROGRAM DATA.csv OUT [RANKS]
# Each needs ssh without a password, and lpmln-mpi and lpmln-worker at the same path.
set -eu
[ $# -ge 3 ] || { echo "usage: learn.sh PROGRAM DATA.csv OUT [RANKS]" >&2; exit 2; }
here=$(dirname "$0")
resume=
[ -e "$3.checkpoint" ] && resume=--resume
exec mpirun -hostfile "${HOSTS:-$here/hosts}" -n "${4:-16}" "${LPMLN_MPI:-lpmln-mpi}" learn "$1" --data "$2" -o "$3" \
  --threads 1 --checkpoint "$3.checkpoint" $resume
