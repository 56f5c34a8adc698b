"""Which ranking needs the smallest budget? An offline search, for one user with all files."""

import tacit

for problem in ("driverlog/small", "logistics/small", "zenotravel/small"):
    instance = tacit.load(problem)
    rankings = ("m1", "m2", "m3", "m4", "random")
    needed = {m: tacit.solve(instance, ranking=m, smallest=True).k for m in rankings}
    best = min(needed, key=needed.get)
    print(f"{problem:20} {needed}  best: {best}")
