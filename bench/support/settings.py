"""The loosest setting with which a peer comes within a gap of the optimum.

A peer stops by a rule of its own, so that its tolerance is searched: doubled or halved until the gap lies between two
settings, then bisected in its logarithm, until the peer's distance is between 0.9 and 1 times the gap, or two settings
that differ by 2 % fall on both sides of it. What is found is kept in bench/results/settings.json, so that later runs only time it.
"""

import json
import math

from support import results

FILE = results.FOLDER / "settings.json"
NEAR, SAME, MOST = 0.9, 1.02, 24


class Settings:
    def __init__(self, kept, say=print):
        """kept: the Results that a search is recorded with."""
        self.kept, self.say = kept, say
        self.known = json.loads(FILE.read_text())["found"] if FILE.exists() else {}

    def loosest(self, key, gap, first, distance):
        """key: what is run; distance(setting): how far from the optimum it ended, relative."""
        found = self.known.get(key)
        if found is None or found["gap"] != gap:
            found = {"gap": gap, **search(gap, first, lambda setting: self.tried(key, setting, distance))}
            self.record(key, found)
        return found["setting"]

    def tried(self, key, setting, distance):
        reached = distance(setting)
        self.say(f"{key}: {setting:.4g} ends at {reached:.3g}")
        return reached

    def forget(self, key):
        self.known.pop(key, None)

    def record(self, key, found):
        self.known[key] = found
        if self.kept.keep:
            found["commit"] = self.kept.commit
            FILE.write_text(json.dumps({"found": dict(sorted(self.known.items()))}, indent=1) + "\n")


def search(gap, first, distance):
    """{"setting": the loosest that was seen to reach the gap, "reached", "looser": the next one, which does not, "its_distance", "runs"}"""
    seen = {}

    def reaches(setting):
        seen[setting] = distance(setting)
        return seen[setting] <= gap

    def answer():
        good, bad = [s for s in seen if seen[s] <= gap], [s for s in seen if seen[s] > gap]
        if not good:
            raise ValueError(f"no setting reaches {gap:g}: {seen}")
        setting = max(good)
        looser = min((s for s in bad if s > setting), default=None)
        return {"setting": setting, "reached": seen[setting], "looser": looser, "its_distance": seen.get(looser), "runs": len(seen)}

    tight, loose, setting = None, None, first
    while len(seen) < MOST:
        if reaches(setting):
            tight = setting
            if seen[setting] >= NEAR * gap:
                break
        else:
            loose = setting
        if tight is None:
            setting = loose / 2
        elif loose is None:
            setting = tight * 2
        elif loose / tight < SAME:
            break
        else:
            setting = math.sqrt(tight * loose)
    return answer()
