import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { nodeId, nodeIsDeadSql } from '../platform/bus';
import { float8, int4, row, text } from '../platform/db/rows';
import { execute, pool } from '../platform/db/sql';
import { sha256 } from '../platform/secrets/crypto';

// Token buckets

/** A node's request for tokens of a bucket. */
export interface AllocationRequest {
  key: string;
  burst: number;
  perSecond: number;
  wanted: number;
}

/** The tokens granted, and those left in the bucket. */
export interface GrantedTokens {
  granted: number;
  left: number;
}

const grantedRow = row({ key: text(), granted: float8(), left: float8() });

const refilledSql = `least(excluded.burst,
  b.tokens + excluded.per_second * greatest(0, extract(epoch FROM clock_timestamp() - b.at)::float8))`;

/** One statement for all requests. Rows are locked in key order, so that nodes do not deadlock. */
const allocateSql = `
  INSERT INTO limit_bucket AS b (key, burst, per_second, tokens, granted, at)
  SELECT key, burst, per_second, burst - least(wanted, burst), least(wanted, burst), clock_timestamp()
  FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[]) AS asked(key, burst, per_second, wanted)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    burst = excluded.burst,
    per_second = excluded.per_second,
    granted = least(excluded.granted, floor(${refilledSql})),
    tokens = ${refilledSql} - least(excluded.granted, floor(${refilledSql})),
    at = clock_timestamp()
  RETURNING key, granted, tokens AS left`;

/** Acquires tokens from each bucket; results are in request order. Keys must be distinct. A new bucket is full. */
export async function allocateTokens(requests: AllocationRequest[]): Promise<GrantedTokens[]> {
  const rows = await grantedRow.query('allocate-tokens', allocateSql, [
    requests.map(({ key }) => key),
    requests.map(({ burst }) => burst),
    requests.map(({ perSecond }) => perSecond),
    requests.map(({ wanted }) => wanted),
  ]);
  const byKey = new Map(rows.map((grant) => [grant.key, grant]));
  return requests.map(({ key }) => byKey.get(key) ?? { granted: 0, left: 0 });
}

/** Deletes full buckets, which equal new ones. */
async function deleteFullBuckets(): Promise<void> {
  await execute(
    'delete-full-buckets',
    'DELETE FROM limit_bucket WHERE tokens + per_second * extract(epoch FROM clock_timestamp() - at) >= burst',
  );
}

// Concurrency slots

/** A change of the number of slots that this node holds for a key; negative to release slots. */
export interface SlotRequest {
  key: string;
  max: number;
  change: number;
}

export interface SlotGrant {
  /** The change that was made. */
  granted: number;
  /** Slots held by all nodes. */
  taken: number;
}

const slotGrantRow = row({ key: text(), granted: int4(), taken: int4() });

const ownSlotsSql = `coalesce((p.nodes->>$4)::int, 0)`;
const changeSql = `CASE WHEN excluded.granted < 0 THEN greatest(excluded.granted, -${ownSlotsSql})
  ELSE greatest(0, least(excluded.granted, excluded.max - p.taken)) END`;

/** One statement for all requests. Rows are locked in key order, so that nodes do not deadlock. */
const adjustSql = `
  INSERT INTO limit_slot_pool AS p (key, max, taken, granted, nodes)
  SELECT key, max, got, change, jsonb_build_object($4::text, got)
  FROM (
    SELECT key, max, change, greatest(0, least(change, max)) AS got
    FROM unnest($1::text[], $2::int[], $3::int[]) AS asked(key, max, change)
  ) AS bounded
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    max = excluded.max,
    granted = ${changeSql},
    taken = p.taken + ${changeSql},
    nodes = p.nodes || jsonb_build_object($4::text, ${ownSlotsSql} + ${changeSql})
  RETURNING key, least(granted, taken) AS granted, taken`;

/** Changes the number of slots that this node holds; results are in request order. Keys must be distinct. */
export async function adjustSlots(requests: SlotRequest[]): Promise<SlotGrant[]> {
  const rows = await slotGrantRow.query('change-slots', adjustSql, [
    requests.map(({ key }) => key),
    requests.map(({ max }) => max),
    requests.map(({ change }) => change),
    nodeId(),
  ]);
  const grants = new Map(rows.map((grant) => [grant.key, grant]));
  return requests.map(({ key }) => grants.get(key) ?? { granted: 0, taken: 0 });
}

/** Releases the slots of a key that dead nodes hold. */
export async function reclaimSlotsOfDeadNodes(key: string): Promise<void> {
  await execute(
    'free-slots-of-gone',
    `WITH others AS MATERIALIZED (
       SELECT node, slots::int
       FROM (SELECT nodes FROM limit_slot_pool WHERE key = $1 FOR UPDATE) AS row, jsonb_each_text(row.nodes) AS held(node, slots)
       WHERE node <> $2
     ), gone AS MATERIALIZED (SELECT node, slots FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE limit_slot_pool SET nodes = nodes - (SELECT array_agg(node) FROM gone),
       taken = greatest(0, taken - (SELECT sum(slots) FROM gone)::int)
     WHERE key = $1 AND EXISTS (SELECT 1 FROM gone)`,
    [key, nodeId()],
  );
}

/** Deletes the rows of keys without taken slots. */
async function deleteFreeSlots(): Promise<void> {
  await execute('drop-free-slots', 'DELETE FROM limit_slot_pool WHERE taken = 0');
}

// Fixed windows

interface FixedWindow {
  name: string;
  max: number;
  windowSeconds: number;
}

const limiters = new Map<string, RateLimiterPostgres>();

function limiterOf(window: FixedWindow): RateLimiterPostgres {
  const limiter = limiters.get(window.name) ?? createLimiter(window);
  limiters.set(window.name, limiter);
  return limiter;
}

function createLimiter({ name, max, windowSeconds }: FixedWindow): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool(),
    storeType: 'pool',
    tableName: 'limit_attempt',
    tableCreated: true,
    keyPrefix: name,
    points: max,
    duration: windowSeconds,
    // After the limit is exceeded, further attempts are rejected without a query.
    inMemoryBlockOnConsumed: max + 1,
  });
}

/** Counts an attempt. Returns null if it is allowed, otherwise the seconds until the window ends. */
export async function incrementAttempts(window: FixedWindow, key: string): Promise<number | null> {
  try {
    await limiterOf(window).consume(sha256(key));
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.msBeforeNext / 1_000;
    throw error;
  }
}

/** Reverses the count of one attempt. */
export async function decrementAttempts(window: FixedWindow, key: string): Promise<void> {
  await limiterOf(window).reward(sha256(key));
}

/** Deletes full buckets and keys without taken slots. */
export async function pruneLimits(): Promise<void> {
  await deleteFullBuckets();
  await deleteFreeSlots();
}
