/** How much each line needs, how much each of the others has, and which may serve which. */
export interface Assignment {
  demands: readonly number[];
  supplies: readonly number[];
  canServe: (need: number, stock: number) => boolean;
}

/** The most that can be assigned at once: the maximum flow from needs to stock (Edmonds and Karp). */
export function maxFlow({ demands: needs, supplies: stock, canServe: serves }: Assignment): number {
  const remainingDemand = [...needs];
  const remainingSupply = [...stock];
  const flow = needs.map(() => stock.map(() => 0));
  let total = 0;
  for (let path = findPath(); path; path = findPath()) total += assign(path);
  return total;

  /** Steps from a need that is open to stock that is left: forward by any amount, back by what was given. */
  function findPath(): { need: number; stock: number }[] | null {
    const cameFrom = new Map<number, { need: number; before: number | null }>();
    const queue = remainingDemand.flatMap((amount, need) =>
      amount > 0 ? [{ need, before: null as number | null }] : [],
    );
    const seen = new Set(queue.map(({ need }) => need));
    for (const { need, before } of queue) {
      for (const [at] of stock.entries()) {
        if (cameFrom.has(at) || !serves(need, at)) continue;
        cameFrom.set(at, { need, before });
        if ((remainingSupply[at] ?? 0) > 0) return trace(at, cameFrom);
        for (const [other] of needs.entries()) {
          if (seen.has(other) || (flow[other]?.[at] ?? 0) === 0) continue;
          seen.add(other);
          queue.push({ need: other, before: at });
        }
      }
    }
    return null;
  }

  /** Moves along a path as much as its narrowest step lets through. */
  function assign(path: { need: number; stock: number }[]): number {
    const last = path.at(-1);
    let amount = Math.min(remainingDemand[path[0]?.need ?? 0] ?? 0, remainingSupply[last?.stock ?? 0] ?? 0);
    for (const [at, { stock: from }] of path.slice(0, -1).entries()) {
      amount = Math.min(amount, flow[path[at + 1]?.need ?? 0]?.[from] ?? 0);
    }
    for (const [at, step] of path.entries()) {
      addFlow(step.need, step.stock, amount);
      const next = path[at + 1];
      if (next) addFlow(next.need, step.stock, -amount);
    }
    remainingDemand[path[0]?.need ?? 0] = (remainingDemand[path[0]?.need ?? 0] ?? 0) - amount;
    remainingSupply[last?.stock ?? 0] = (remainingSupply[last?.stock ?? 0] ?? 0) - amount;
    return amount;
  }

  function addFlow(need: number, at: number, amount: number): void {
    const row = flow[need];
    if (row) row[at] = (row[at] ?? 0) + amount;
  }
}

function trace(
  end: number,
  cameFrom: ReadonlyMap<number, { need: number; before: number | null }>,
): { need: number; stock: number }[] {
  const path: { need: number; stock: number }[] = [];
  for (let at: number | null = end; at !== null; ) {
    const step: { need: number; before: number | null } | undefined = cameFrom.get(at);
    if (!step) break;
    path.unshift({ need: step.need, stock: at });
    at = step.before;
  }
  return path;
}
