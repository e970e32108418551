"""What Ctrl-C does to a training."""

from __future__ import annotations

import signal
import sys
import threading

# Modules of scikit-learn that fit once and go on with what was learned.
_ONCE = ("sklearn.pipeline", "sklearn.base")


def presses(searching: bool = False) -> int:
    """How many Ctrl-C a training that begins here raises at.

    2: the first one ends it with the best weights so far. 1: it is one of many, within a search of scikit-learn or a loop of joblib,
    or ``searching``: who presses wants an end of all. 0: Ctrl-C is not Hinge's to handle.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return 0
    return 1 if searching or _within_search() else 2


def _within_search() -> bool:
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.partition(".")[0] in ("joblib", "sklearn") and not name.startswith(_ONCE):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
