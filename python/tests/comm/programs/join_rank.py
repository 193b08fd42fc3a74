"""Joins a group as its argument says, and reports in JSON whether that worked."""

from __future__ import annotations

import json
import sys

import numpy as np

from cobre.comm import BackendError, CommError, connect

try:
    with connect(**json.loads(sys.argv[1])) as comm:
        total = np.zeros(1, np.int32)
        comm.allreduce(np.ones(1, np.int32), total, "sum")
        totals = np.zeros(20_000)
        comm.allreduce(np.ones(20_000), totals, "sum")
        assert (totals == comm.size).all(), "wrong sum"
        print(json.dumps({"joined": int(total[0])}))
except (BackendError, CommError) as error:
    print(json.dumps({"error": error.to_json()}))
