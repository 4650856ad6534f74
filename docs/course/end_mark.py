"""Prints how much attention a model gives to </s> while it writes words. Reads the records of align from stdin.

    build/align --run RUN --data FILE | python3 docs/course/end_mark.py
"""

import json
import sys

weights = [row[-1] for record in map(json.loads, sys.stdin) for row in record["matrix"][:-1]]  # the last row writes </s>
most = sum(weight > 0.5 for weight in weights)
print(f"{len(weights)} words: {sum(weights) / len(weights):.2f} of their attention on </s> in the mean,",
      f"more than half of it for {100 * most / len(weights):.1f}%")
