import { setTimeout as delay } from 'node:timers/promises';
import { batchWrites } from '../platform/batches';
import { canSeePeers, publish, subscribe } from '../platform/bus';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { IDLE_SLOT_TTL_MS, MAX_BATCH_SIZE, SLOT_DENIAL_TTL_MS, SLOT_RECLAIM_WAIT_MS } from './limits';
import { adjustSlots, reclaimSlotsOfDeadNodes } from './store';

export interface ConcurrencyRule {
  /** Name of the limit, such as `streams`; part of the key. */
  name: string;
  /** Maximum slots per key, across all nodes. */
  max: number;
}

/** Releases the slot. Idempotent. */
export type Release = () => void;

/** The slots of one key that this node holds. */
interface SlotPool {
  id: string;
  max: number;
  /** Slots in use. */
  used: number;
  /** Slots registered for this node in the database. Unused ones are retained for some time. */
  held: number;
  waiting: number;
  /** True if the last request was not granted in full. */
  full: boolean;
  resizing: Promise<void> | null;
  reclaiming: Promise<void> | null;
  /**
   * True if more than half of all slots were taken at the last request, in which case this node retains no unused ones.
   */
  crowded: boolean;
  /** The time before which no slots are requested. */
  fullUntil: number;
  touched: boolean;
}

/**
 * Acquires one of the slots of `key`, which are shared by all nodes; null if all are taken. Returns a promise only if
 * this node holds no free slot and must request one.
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

const slotPools = once((): Map<string, SlotPool> => {
  const pools = new Map<string, SlotPool>();
  setInterval(() => sweep(pools), IDLE_SLOT_TTL_MS).unref();
  subscribe('slots', '*', (id, from) => {
    const pool = from === 'elsewhere' && pools.get(id);
    if (pool) releaseIdle(pool);
  });
  return pools;
});

function hasFreeSlot({ used, held, max }: SlotPool): boolean {
  return used < held && used < max;
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
      // A request in flight does not include this call.
      if (pool.resizing) await pool.resizing;
      if (!hasFreeSlot(pool)) await resize(pool);
      if (hasFreeSlot(pool)) return occupy(pool);
      if (!pool.full && pool.used < pool.max) continue;
      if (hasReclaimed) break;
      await reclaimSlots(pool);
      hasReclaimed = true;
    }
    pool.fullUntil = performance.now() + SLOT_DENIAL_TTL_MS;
    return null;
  } finally {
    pool.waiting -= 1;
  }
}

/** Requests that other nodes release unused slots, and releases the slots of dead nodes. */
function reclaimSlots(pool: SlotPool): Promise<void> {
  pool.reclaiming ??= (async () => {
    try {
      await publish('slots', pool.id);
      if (canSeePeers()) await reclaimSlotsOfDeadNodes(pool.id);
      await delay(SLOT_RECLAIM_WAIT_MS);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    } finally {
      pool.reclaiming = null;
    }
  })();
  return pool.reclaiming;
}

/** Adjusts the number of held slots to those that are in use or waited for. */
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
  // Subtracted before the release is visible to other nodes.
  if (wanted < 0) pool.held += wanted;
  try {
    const { granted, taken } = await requestSlots({ key: pool.id, max: pool.max, change: wanted });
    if (wanted > 0) pool.held += granted;
    pool.full = granted < wanted;
    pool.crowded = taken * 2 > pool.max;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // While the database is unavailable, this node counts only its own slots.
    pool.full = pool.held + wanted > pool.max;
    if (wanted > 0) pool.held = Math.min(pool.max, pool.held + wanted);
  }
}

/** Combines concurrent requests into one statement. */
const requestSlots = batchWrites(adjustSlots, MAX_BATCH_SIZE);

function releaseIdle(pool: SlotPool): void {
  if (pool.resizing || pool.held <= pool.used + pool.waiting) return;
  resize(pool).catch((error) => log.error('limits.slot_release_failed', { id: pool.id, ...errorFields(error) }));
}

/** Releases slots that were not requested since the last sweep, and deletes empty pools. */
function sweep(pools: Map<string, SlotPool>): void {
  for (const [id, pool] of pools) {
    if (!pool.touched) releaseIdle(pool);
    const { held, used, waiting, resizing, touched } = pool;
    if (!touched && held === 0 && used === 0 && waiting === 0 && !resizing) pools.delete(id);
    pool.touched = false;
  }
}
