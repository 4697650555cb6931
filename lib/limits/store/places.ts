import { nodeId, nodeIsGoneSql } from '../../platform/bus';
import { query } from '../../platform/sql';

/** Places that a node wants to have more of a kind; fewer when negative. */
export interface PlaceRequest {
  key: string;
  most: number;
  change: number;
}

export interface PlaceGrant {
  /** By how much the node holds more now; less when negative. */
  granted: number;
  /** What all nodes hold together. */
  taken: number;
}

const own = `coalesce((p.nodes->>$4)::int, 0)`;
const change = `CASE WHEN excluded.granted < 0 THEN greatest(excluded.granted, -${own})
  ELSE greatest(0, least(excluded.granted, excluded.most - p.taken)) END`;

/** One statement for all that ask; rows in one order, so that two nodes never wait for each other. */
const changeText = `
  INSERT INTO limit_place AS p (key, most, taken, granted, nodes)
  SELECT key, most, got, change, jsonb_build_object($4::text, got)
  FROM (
    SELECT key, most, change, greatest(0, least(change, most)) AS got
    FROM unnest($1::text[], $2::int[], $3::int[]) AS asked(key, most, change)
  ) AS bounded
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    most = excluded.most,
    granted = ${change},
    taken = p.taken + ${change},
    nodes = p.nodes || jsonb_build_object($4::text, ${own} + ${change})
  RETURNING key, least(granted, taken) AS granted, taken`;

/** Changes how many places this node holds, in the order of the requests, whose keys differ. */
export async function changePlaces(requests: PlaceRequest[]): Promise<PlaceGrant[]> {
  const rows = await query<PlaceGrant & { key: string }>('change-places', changeText, [
    requests.map(({ key }) => key),
    requests.map(({ most }) => most),
    requests.map(({ change }) => change),
    nodeId(),
  ]);
  const grants = new Map(rows.map((row) => [row.key, row]));
  return requests.map(({ key }) => grants.get(key) ?? { granted: 0, taken: 0 });
}

/** Frees the places of this kind that nodes hold which are gone. */
export async function freePlacesOfGone(key: string): Promise<void> {
  await query(
    'free-places-of-gone',
    `WITH others AS MATERIALIZED (
       SELECT node, places::int
       FROM (SELECT nodes FROM limit_place WHERE key = $1 FOR UPDATE) AS row, jsonb_each_text(row.nodes) AS held(node, places)
       WHERE node <> $2
     ), gone AS MATERIALIZED (SELECT node, places FROM others WHERE ${nodeIsGoneSql('node')})
     UPDATE limit_place SET nodes = nodes - (SELECT array_agg(node) FROM gone),
       taken = greatest(0, taken - (SELECT sum(places) FROM gone)::int)
     WHERE key = $1 AND EXISTS (SELECT 1 FROM gone)`,
    [key, nodeId()],
  );
}

/** Drops the rows of kinds of which nobody holds a place. */
export async function dropFreePlaces(): Promise<void> {
  await query('drop-free-places', 'DELETE FROM limit_place WHERE taken = 0');
}
