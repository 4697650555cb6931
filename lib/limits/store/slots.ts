import { nodeId, nodeIsDeadSql } from '../../platform/bus';
import { query } from '../../platform/sql';

/** Places that a node wants to have more of a kind; fewer when negative. */
export interface SlotRequest {
  key: string;
  max: number;
  change: number;
}

export interface SlotGrant {
  /** By how much the node holds more now; less when negative. */
  granted: number;
  /** What all nodes hold together. */
  taken: number;
}

const ownSlotsSql = `coalesce((p.nodes->>$4)::int, 0)`;
const changeSql = `CASE WHEN excluded.granted < 0 THEN greatest(excluded.granted, -${ownSlotsSql})
  ELSE greatest(0, least(excluded.granted, excluded.most - p.taken)) END`;

/** One statement for all that ask; rows in one order, so that two nodes never wait for each other. */
const adjustSql = `
  INSERT INTO limit_place AS p (key, most, taken, granted, nodes)
  SELECT key, most, got, change, jsonb_build_object($4::text, got)
  FROM (
    SELECT key, most, change, greatest(0, least(change, most)) AS got
    FROM unnest($1::text[], $2::int[], $3::int[]) AS asked(key, most, change)
  ) AS bounded
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    most = excluded.most,
    granted = ${changeSql},
    taken = p.taken + ${changeSql},
    nodes = p.nodes || jsonb_build_object($4::text, ${ownSlotsSql} + ${changeSql})
  RETURNING key, least(granted, taken) AS granted, taken`;

/** Changes how many places this node holds, in the order of the requests, whose keys differ. */
export async function adjustSlots(requests: SlotRequest[]): Promise<SlotGrant[]> {
  const rows = await query<SlotGrant & { key: string }>('change-places', adjustSql, [
    requests.map(({ key }) => key),
    requests.map(({ max: most }) => most),
    requests.map(({ change }) => change),
    nodeId(),
  ]);
  const grants = new Map(rows.map((row) => [row.key, row]));
  return requests.map(({ key }) => grants.get(key) ?? { granted: 0, taken: 0 });
}

/** Frees the places of this kind that nodes hold which are gone. */
export async function reclaimSlotsOfDeadNodes(key: string): Promise<void> {
  await query(
    'free-places-of-gone',
    `WITH others AS MATERIALIZED (
       SELECT node, places::int
       FROM (SELECT nodes FROM limit_place WHERE key = $1 FOR UPDATE) AS row, jsonb_each_text(row.nodes) AS held(node, places)
       WHERE node <> $2
     ), gone AS MATERIALIZED (SELECT node, places FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE limit_place SET nodes = nodes - (SELECT array_agg(node) FROM gone),
       taken = greatest(0, taken - (SELECT sum(places) FROM gone)::int)
     WHERE key = $1 AND EXISTS (SELECT 1 FROM gone)`,
    [key, nodeId()],
  );
}

/** Drops the rows of kinds of which nobody holds a place. */
export async function deleteFreeSlots(): Promise<void> {
  await query('drop-free-places', 'DELETE FROM limit_place WHERE taken = 0');
}
