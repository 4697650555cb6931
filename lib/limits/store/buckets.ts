import { query } from '../../platform/sql';

/** A slice of a bucket that a node asks for. */
export interface AllocationRequest {
  key: string;
  burst: number;
  perSecond: number;
  wanted: number;
}

/** What a node got: as much as was there, and what is left of the bucket. */
export interface GrantedTokens {
  granted: number;
  left: number;
}

const refilledSql = `least(excluded.burst,
  b.tokens + excluded.per_second * greatest(0, extract(epoch FROM clock_timestamp() - b.at)::float8))`;

/** One statement for all that ask; rows in one order, so that two nodes never wait for each other. */
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

/** Takes a slice out of each bucket, in the order of the requests, whose keys differ. A bucket that is new is full. */
export async function allocateTokens(requests: AllocationRequest[]): Promise<GrantedTokens[]> {
  const rows = await query<GrantedTokens & { key: string }>('lend-slices', allocateSql, [
    requests.map(({ key }) => key),
    requests.map(({ burst }) => burst),
    requests.map(({ perSecond }) => perSecond),
    requests.map(({ wanted }) => wanted),
  ]);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return requests.map(({ key }) => byKey.get(key) ?? { granted: 0, left: 0 });
}

/** Drops the buckets that are full again: a new one is full as well. */
export async function deleteFullBuckets(): Promise<void> {
  await query(
    'drop-full-buckets',
    'DELETE FROM limit_bucket WHERE tokens + per_second * extract(epoch FROM clock_timestamp() - at) >= burst',
  );
}
