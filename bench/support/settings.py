"""The loosest setting with which a peer comes within a gap of the optimum.

A peer stops by a rule of its own, so that its tolerance is searched until its distance is between 0.9 and 1 times the gap, or two
settings that differ by 5 % fall on both sides of it. The next setting to try is where a power law through what was seen would reach 0.95
of the gap, or half-way (in logarithms) between the two settings that enclose it, in turn. What is found is kept in bench/results/settings.json, so that later
runs only time it.
"""

import json
import math

from support import results

FILE = results.FOLDER / "settings.json"
NEAR, AIM, SAME, MOST = 0.9, 0.95, 1.05, 24


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

    setting = first
    while len(seen) < MOST:
        if reaches(setting) and seen[setting] >= NEAR * gap:
            break
        tight = max((s for s in seen if seen[s] <= gap), default=None)
        loose = min((s for s in seen if seen[s] > gap and (tight is None or s > tight)), default=None)
        if tight and loose and loose / tight < SAME:
            break
        setting = next_setting(tight, loose, seen, AIM * gap)
    return answer()


def next_setting(tight, loose, seen, aim):
    """Between tight, which reaches the gap, and loose, which does not; one of them may be None."""
    if tight is None or loose is None:
        known = tight or loose
        return known * min(max(aim / max(seen[known], aim / 8), 1 / 8), 8)  # as if distances were proportional to settings
    share = 0.5  # every other time, since many peers go in steps
    if seen[tight] > 0 and len(seen) % 2 == 0:
        share = math.log(aim / seen[tight]) / math.log(seen[loose] / seen[tight])
    return tight * (loose / tight) ** min(max(share, 0.2), 0.8)
