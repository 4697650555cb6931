import { setTimeout as delay } from 'node:timers/promises';
import { publish, subscribe } from '../platform/bus';
import { isDatabaseUnavailable } from '../platform/database-errors';
import { createGroupCommit } from '../platform/group-commit';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { adjustSlots, reclaimSlotsOfDeadNodes, type SlotGrant, type SlotRequest } from './store/slots';

export interface ConcurrencyRule {
  /** Name of what is counted, such as `streams`. */
  name: string;
  /** Places of one key, over all nodes. */
  max: number;
}

/** Gives the place back; the second time does nothing. */
export type Release = () => void;

/** The places of one key that this node holds. */
interface SlotPool {
  id: string;
  max: number;
  /** In use. */
  used: number;
  /** Known to the other nodes as this one's; those that are not in use are kept for a while. */
  held: number;
  waiting: number;
  /** The last time that this node asked there were fewer places than it wanted. */
  full: boolean;
  resizing: Promise<void> | null;
  reclaiming: Promise<void> | null;
  /** More than half of all places were held when this node asked last, so none is kept that is not in use. */
  crowded: boolean;
  /** Nothing is asked for before this. */
  fullUntil: number;
  touched: boolean;
}

/** How long places that are not in use are kept, milliseconds. */
const idleTtlMs = 5_000;
/** For how long the other nodes may think about what they can give back, and for how long a "no" holds, milliseconds. */
const reclaimWaitMs = 100;
const denialTtlMs = 250;
const maxBatch = 500;

/**
 * Takes one of the places of `key`, which all nodes share, such as one open stream of a person; null when all are taken. A
 * promise only when this node holds none that is free and has to ask for one.
 */
export function acquireSlot(rule: ConcurrencyRule, key: string): Release | null | Promise<Release | null> {
  const id = `${rule.name}:${key}`;
  const pools = slotPools();
  const pool = pools.get(id) ?? createPool(id);
  pools.set(id, pool);
  pool.max = rule.max;
  pool.touched = true;
  if (hasFreeSlot(pool)) return occupy(pool);
  return performance.now() < pool.fullUntil ? null : waitForSlot(pool);
}

function createPool(id: string): SlotPool {
  const counts = { max: 0, used: 0, held: 0, waiting: 0, fullUntil: 0, full: false };
  return { id, ...counts, resizing: null, reclaiming: null, crowded: false, touched: true };
}

function slotPools(): Map<string, SlotPool> {
  return processSingleton('limit-places', () => {
    const pools = new Map<string, SlotPool>();
    setInterval(() => sweep(pools), idleTtlMs).unref();
    subscribe('places', '*', (id, from) => {
      const pool = from === 'elsewhere' && pools.get(id);
      if (pool) releaseIdle(pool);
    });
    return pools;
  });
}

function hasFreeSlot({ used, held, max: most }: SlotPool): boolean {
  return used < held && used < most;
}

function occupy(pool: SlotPool): Release {
  pool.used += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    pool.used -= 1;
    pool.fullUntil = 0;
    if (pool.crowded) releaseIdle(pool);
  };
}

async function waitForSlot(pool: SlotPool): Promise<Release | null> {
  pool.waiting += 1;
  try {
    for (let hasReclaimed = false; ; ) {
      // A question that is under way did not count this call.
      if (pool.resizing) await pool.resizing;
      if (!hasFreeSlot(pool)) await resize(pool);
      if (hasFreeSlot(pool)) return occupy(pool);
      if (!pool.full && pool.used < pool.max) continue;
      if (hasReclaimed) break;
      await reclaimSlots(pool);
      hasReclaimed = true;
    }
    pool.fullUntil = performance.now() + denialTtlMs;
    return null;
  } finally {
    pool.waiting -= 1;
  }
}

/** The other nodes hear that somebody waits and give back what they do not use; what gone nodes held is freed. */
function reclaimSlots(pool: SlotPool): Promise<void> {
  pool.reclaiming ??= (async () => {
    try {
      await publish('places', pool.id);
      await reclaimSlotsOfDeadNodes(pool.id);
      await delay(reclaimWaitMs);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    } finally {
      pool.reclaiming = null;
    }
  })();
  return pool.reclaiming;
}

/** Has this node hold as many places as are in use or waited for. */
function resize(pool: SlotPool): Promise<void> {
  pool.resizing ??= adjust(pool).finally(() => {
    pool.resizing = null;
    if (pool.crowded) releaseIdle(pool);
  });
  return pool.resizing;
}

async function adjust(pool: SlotPool): Promise<void> {
  const wanted = pool.used + pool.waiting - pool.held;
  pool.full = false;
  if (wanted === 0) return;
  // Counted as given back before the others can take them.
  if (wanted < 0) pool.held += wanted;
  try {
    const { granted, taken } = await slotAdjuster()({ key: pool.id, max: pool.max, change: wanted });
    if (wanted > 0) pool.held += granted;
    pool.full = granted < wanted;
    pool.crowded = taken * 2 > pool.max;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // This node goes on alone.
    pool.full = pool.held + wanted > pool.max;
    if (wanted > 0) pool.held = Math.min(pool.max, pool.held + wanted);
  }
}

/** One statement for all that ask while the one before is under way. */
function slotAdjuster(): (request: SlotRequest) => Promise<SlotGrant> {
  return processSingleton('limit-place-changer', () => createGroupCommit(adjustSlots, maxBatch));
}

function releaseIdle(pool: SlotPool): void {
  if (pool.resizing || pool.held <= pool.used + pool.waiting) return;
  resize(pool).catch((error) => log.error('limits.places_not_given_back', { id: pool.id, ...errorFields(error) }));
}

/** Gives back what nobody has asked for since the last time, and forgets keys that hold nothing. */
function sweep(pools: Map<string, SlotPool>): void {
  for (const [id, pool] of pools) {
    if (!pool.touched) releaseIdle(pool);
    const { held, used, waiting, resizing: asking, touched } = pool;
    if (!touched && held === 0 && used === 0 && waiting === 0 && !asking) pools.delete(id);
    pool.touched = false;
  }
}
