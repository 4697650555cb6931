import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import { callableInterfaces } from '../../protocol/a2a/core/card';
import { MAX_OWN_AGENTS, OWN_AGENTS_BATCH } from '../limits';
import type { AgentRecord } from '../record';
import type { AgentStatus, Badge, Visibility } from '../schema';

interface AgentRow extends Omit<AgentRecord, 'endpoints' | 'badges' | 'visibility' | 'status'> {
  badges: string[];
  visibility: string;
  status: string;
}

const columns = `a.id, a.slug, a.owner_id AS "ownerId",
  (SELECT coalesce(jsonb_object_agg(m.user_id, m.role), '{}') FROM agent_member m WHERE m.agent_id = a.id) AS team,
  a.app_id AS "appId", a.url, a.name, a.description, a.version, a.tags, a.badges, a.visibility, a.status,
  a.ever_public AS "everPublic", a.call_limits AS "callLimits", a.prices, a.notice, a.holds_cards AS "holdsCards",
  a.icon_digest AS "iconDigest", a.created_at AS "createdAt",
  a.updated_at AS "updatedAt", v.card, v.signature`;
const joined = 'FROM agent a JOIN agent_version v ON v.id = a.current_version_id';

export async function selectAgentBySlug(slug: string): Promise<AgentRecord | null> {
  const rows = await query<AgentRow>('agent-by-slug', `SELECT ${columns} ${joined} WHERE a.slug = $1`, [slug]);
  return rows[0] ? toRecord(rows[0]) : null;
}

export async function selectAgentById(id: string): Promise<AgentRecord | null> {
  const rows = await query<AgentRow>('agent-by-id', `SELECT ${columns} ${joined} WHERE a.id = $1`, [id]);
  return rows[0] ? toRecord(rows[0]) : null;
}

export async function selectAgentByUrl(url: string): Promise<AgentRecord | null> {
  const rows = await query<AgentRow>('agent-by-url', `SELECT ${columns} ${joined} WHERE a.url = $1`, [url]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** The agent as the transaction sees it. */
export async function selectAgentInTx(tx: Db, agentId: string): Promise<AgentRecord | null> {
  const rows = await tx.$queryRawUnsafe<AgentRow[]>(`SELECT ${columns} ${joined} WHERE a.id = $1`, agentId);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** SQL condition: the user `$1` is the owner or a member of agent `a`. */
const isInTeam =
  '(a.owner_id = $1 OR EXISTS (SELECT 1 FROM agent_member m WHERE m.agent_id = a.id AND m.user_id = $1))';

/** The listings of a user's teams, withdrawn ones too, most recently changed first, up to {@link MAX_OWN_AGENTS}. */
export async function selectAgentsOf(userId: string): Promise<AgentRecord[]> {
  const text = `SELECT ${columns} ${joined} WHERE ${isInTeam} ORDER BY a.updated_at DESC, a.id LIMIT ${MAX_OWN_AGENTS}`;
  return (await query<AgentRow>('agents-of', text, [userId])).map(toRecord);
}

/** Streams all listings of an owner, withdrawn ones too, by id. They may be changed during iteration. */
export async function* readAgentsOf(ownerId: string): AsyncGenerator<AgentRecord> {
  const text = `SELECT ${columns} ${joined} WHERE a.owner_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3`;
  for (let after = ''; ; ) {
    const rows: AgentRow[] = await query('agents-of-after', text, [ownerId, after, OWN_AGENTS_BATCH]);
    for (const row of rows) yield toRecord(row);
    const last = rows.at(-1);
    if (!last || rows.length < OWN_AGENTS_BATCH) return;
    after = last.id;
  }
}

/** Number of an owner's public listings. */
export function countListed(ownerId: string): Promise<number> {
  return db().agent.count({ where: { ownerId, visibility: 'public', status: { in: ['active', 'deprecated'] } } });
}

/** The slugs with this prefix, among them the slug itself and its numbered variants. */
export async function selectSlugsLike(slug: string): Promise<Set<string>> {
  const rows = await db().agent.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  return new Set(rows.map((row) => row.slug));
}

function toRecord(row: AgentRow): AgentRecord {
  const [first, ...others] = callableInterfaces(row.card);
  if (!first) throw new Error(`agent ${row.id} was stored without an interface that can be called`);
  return {
    ...row,
    badges: row.badges as Badge[],
    visibility: row.visibility as Visibility,
    status: row.status as AgentStatus,
    endpoints: [first, ...others],
  };
}
