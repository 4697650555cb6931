const MOST = 100_000;

/** Remembers ids in memory until their time, and says which were there. */
export function rememberIds(now: () => number): (id: string, until: Date) => boolean {
  const known = new Map<string, number>();
  return function wasSeen(id, until) {
    if ((known.get(id) ?? 0) > now()) return true;
    for (const [old, end] of known) {
      if (end > now() && known.size < MOST) break;
      known.delete(old);
    }
    known.set(id, until.getTime());
    return false;
  };
}
