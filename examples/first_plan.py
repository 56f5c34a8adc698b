"""Load a problem, let its agents disclose as needed, and look at what came of it."""

import tacit

instance = tacit.load("logistics/small")
result = tacit.solve(instance)

print(f"{instance.name}: {result.outcome.value} with k = {result.k}")
for agent, total in result.dependencies.items():
    print(f"  {agent} disclosed {result.disclosed[agent]} of {total} dependencies")
print(f"  all agents together disclosed {result.ledger.sum}, repairs included")
for step in result.plan.steps:
    print(f"  {step}")
