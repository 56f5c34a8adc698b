"""Load a problem, find the smallest disclosure that solves it, and look at the result."""

import tacit

instance = tacit.load("logistics/small")
result = tacit.solve(instance)

print(f"{instance.name}: {result.outcome.value} with k = {result.k}")
for agent, total in result.dependencies.items():
    print(f"  {agent} disclosed {result.disclosed[agent]} of {total} dependencies")
for step in result.plan.steps:
    print(f"  {step}")
