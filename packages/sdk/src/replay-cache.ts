const MAX_IDS = 100_000;

/** Creates a function that records ids in memory until they expire, and returns true if an id was recorded before. */
export function createReplayCache(now: () => number): (id: string, until: Date) => boolean {
  const known = new Map<string, number>();
  return function wasSeen(id, until) {
    if ((known.get(id) ?? 0) > now()) return true;
    for (const [old, end] of known) {
      if (end > now() && known.size < MAX_IDS) break;
      known.delete(old);
    }
    known.set(id, until.getTime());
    return false;
  };
}
