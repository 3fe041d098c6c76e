# SPDX-License-Identifier: MIT
"""The protocol of `wend serve`, by a client that shares no code with it. An argument chooses cases by their name."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import attacks  # noqa: F401
import checkpoints  # noqa: F401
import journal_attacks  # noqa: F401
import limits  # noqa: F401
import looks  # noqa: F401
import messages  # noqa: F401
import metrics  # noqa: F401
import pictures  # noqa: F401
import records  # noqa: F401
import streams  # noqa: F401
import wander  # noqa: F401
import waits  # noqa: F401
import worlds  # noqa: F401
from server import run_cases

sys.exit(run_cases(sys.argv[1] if len(sys.argv) > 1 else ""))
