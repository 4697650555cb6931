/** Demands, supplies, and the demands that each supply can serve. */
export interface Assignment {
  demands: readonly number[];
  supplies: readonly number[];
  canServe: (demand: number, supply: number) => boolean;
}

/** The maximum total that can be assigned: a maximum flow (Edmonds–Karp). */
export function maxFlow({ demands, supplies, canServe }: Assignment): number {
  const remainingDemand = [...demands];
  const remainingSupply = [...supplies];
  const flow = demands.map(() => supplies.map(() => 0));
  let total = 0;
  for (let path = findPath(); path; path = findPath()) total += assign(path);
  return total;

  /** An augmenting path from an unmet demand to a remaining supply. */
  function findPath(): { demand: number; supply: number }[] | null {
    const cameFrom = new Map<number, { demand: number; before: number | null }>();
    const queue = remainingDemand.flatMap((amount, demand) =>
      amount > 0 ? [{ demand, before: null as number | null }] : [],
    );
    const seen = new Set(queue.map(({ demand }) => demand));
    for (const { demand, before } of queue) {
      for (const [at] of supplies.entries()) {
        if (cameFrom.has(at) || !canServe(demand, at)) continue;
        cameFrom.set(at, { demand, before });
        if ((remainingSupply[at] ?? 0) > 0) return trace(at, cameFrom);
        for (const [other] of demands.entries()) {
          if (seen.has(other) || (flow[other]?.[at] ?? 0) === 0) continue;
          seen.add(other);
          queue.push({ demand: other, before: at });
        }
      }
    }
    return null;
  }

  /** Augments the flow along a path by its bottleneck capacity. */
  function assign(path: { demand: number; supply: number }[]): number {
    const last = path.at(-1);
    let amount = Math.min(remainingDemand[path[0]?.demand ?? 0] ?? 0, remainingSupply[last?.supply ?? 0] ?? 0);
    for (const [at, { supply: from }] of path.slice(0, -1).entries()) {
      amount = Math.min(amount, flow[path[at + 1]?.demand ?? 0]?.[from] ?? 0);
    }
    for (const [at, step] of path.entries()) {
      addFlow(step.demand, step.supply, amount);
      const next = path[at + 1];
      if (next) addFlow(next.demand, step.supply, -amount);
    }
    remainingDemand[path[0]?.demand ?? 0] = (remainingDemand[path[0]?.demand ?? 0] ?? 0) - amount;
    remainingSupply[last?.supply ?? 0] = (remainingSupply[last?.supply ?? 0] ?? 0) - amount;
    return amount;
  }

  function addFlow(demand: number, at: number, amount: number): void {
    const row = flow[demand];
    if (row) row[at] = (row[at] ?? 0) + amount;
  }
}

function trace(
  end: number,
  cameFrom: ReadonlyMap<number, { demand: number; before: number | null }>,
): { demand: number; supply: number }[] {
  const path: { demand: number; supply: number }[] = [];
  for (let at: number | null = end; at !== null; ) {
    const step: { demand: number; before: number | null } | undefined = cameFrom.get(at);
    if (!step) break;
    path.unshift({ demand: step.demand, supply: at });
    at = step.before;
  }
  return path;
}
