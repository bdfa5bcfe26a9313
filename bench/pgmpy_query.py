"""pgmpy on a Bayesian network, FILE.bif[.gz] VARIABLE VALUE: prints the probability, and the CPU seconds from the file
to that answer (its imports alone take longer).  Run by the Python of build/peers/pgmpy."""

import gzip
import sys
import time

from pgmpy.inference import VariableElimination
from pgmpy.readwrite import BIFReader

started = time.process_time()
path, variable, value = sys.argv[1:]
with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
    model = BIFReader(string=file.read()).get_model()
result = VariableElimination(model).query([variable], show_progress=False)
print(float(result.get_value(**{variable: value})), time.process_time() - started)
