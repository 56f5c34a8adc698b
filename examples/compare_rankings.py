"""Which ranking needs the fewest disclosed dependencies?"""

import tacit

for problem in ("driverlog/small", "logistics/small", "zenotravel/small"):
    instance = tacit.load(problem)
    needed = {m: tacit.solve(instance, ranking=m).k for m in ("m1", "m2", "m3", "m4", "random")}
    best = min(needed, key=needed.get)
    print(f"{problem:20} {needed}  best: {best}")
