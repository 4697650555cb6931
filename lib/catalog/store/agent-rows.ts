import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bool, json, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { callableInterfaces } from '../../protocol/a2a/core/card';
import { MAX_OWN_AGENTS, OWN_AGENTS_BATCH } from '../limits';
import { type AgentRecord, isBuiltInUrl, isHubUrl } from '../record';
import type { AgentStatus, Badge, Visibility } from '../schema';

const agentRow = row({
  id: text(),
  slug: text(),
  ownerId: text(),
  team: json<AgentRecord['team']>(),
  appId: nullable(text()),
  url: text(),
  name: text(),
  description: text(),
  version: text(),
  tags: textArray(),
  badges: textArray<Badge>(),
  visibility: text<Visibility>(),
  status: text<AgentStatus>(),
  everPublic: bool(),
  callLimits: json<AgentRecord['callLimits']>(),
  prices: json<AgentRecord['prices']>(),
  pricePlans: json<AgentRecord['pricePlans']>(),
  notice: nullable(json<NonNullable<AgentRecord['notice']>>()),
  holdsCards: bool(),
  iconDigest: nullable(text()),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
  card: json<AgentRecord['card']>(),
  signature: json<AgentRecord['signature']>(),
});

type AgentRow = RowOf<typeof agentRow>;

const columns = `a.id, a.slug, a.owner_id AS "ownerId",
  (SELECT coalesce(jsonb_object_agg(m.user_id, m.role), '{}') FROM agent_member m WHERE m.agent_id = a.id) AS team,
  a.app_id AS "appId", a.url, a.name, a.description, a.version, a.tags, a.badges, a.visibility, a.status,
  a.ever_public AS "everPublic", a.call_limits AS "callLimits", a.prices, a.price_plans AS "pricePlans", a.notice, a.holds_cards AS "holdsCards",
  a.icon_digest AS "iconDigest", a.created_at AS "createdAt",
  a.updated_at AS "updatedAt", v.card, v.signature`;
const joined = 'FROM agent a JOIN agent_version v ON v.id = a.current_version_id';

export async function selectAgentBySlug(slug: string): Promise<AgentRecord | null> {
  const rows = await agentRow.query('agent-by-slug', `SELECT ${columns} ${joined} WHERE a.slug = $1`, [slug]);
  return rows[0] ? toRecord(rows[0]) : null;
}

export async function selectAgentById(id: string): Promise<AgentRecord | null> {
  const rows = await agentRow.query('agent-by-id', `SELECT ${columns} ${joined} WHERE a.id = $1`, [id]);
  return rows[0] ? toRecord(rows[0]) : null;
}

export async function selectAgentByUrl(url: string): Promise<AgentRecord | null> {
  const rows = await agentRow.query('agent-by-url', `SELECT ${columns} ${joined} WHERE a.url = $1`, [url]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** Selects the agents that are listed under these URLs, longest URL first. */
export async function selectAgentsByUrls(urls: string[]): Promise<AgentRecord[]> {
  if (urls.length === 0) return [];
  const text = `SELECT ${columns} ${joined} WHERE a.url = ANY($1) ORDER BY length(a.url) DESC`;
  return (await agentRow.query('agents-by-urls', text, [urls])).map(toRecord);
}

const idRow = row({ id: text() });

/** Selects the ids of the suspended agents. */
export async function selectSuspendedAgents(): Promise<string[]> {
  const rows = await idRow.query('suspended-agents', `SELECT id FROM agent WHERE status = 'suspended'`, []);
  return rows.map(({ id }) => id);
}

/** Selects an agent in the transaction; null if it is unknown. */
export async function selectAgentInTx(tx: Db, agentId: string): Promise<AgentRecord | null> {
  const rows = await agentRow.queryIn(
    tx,
    Prisma.sql`SELECT ${Prisma.raw(columns)} ${Prisma.raw(joined)} WHERE a.id = ${agentId}`,
  );
  return rows[0] ? toRecord(rows[0]) : null;
}

/** SQL condition that is true if the user `$1` is the owner or a member of agent `a`. */
const isInTeam =
  '(a.owner_id = $1 OR EXISTS (SELECT 1 FROM agent_member m WHERE m.agent_id = a.id AND m.user_id = $1))';

/**
 * Selects at most {@link MAX_OWN_AGENTS} listings of a user's teams, including withdrawn ones, most recently changed
 * first.
 */
export async function selectAgentsOf(userId: string): Promise<AgentRecord[]> {
  const text = `SELECT ${columns} ${joined} WHERE ${isInTeam} ORDER BY a.updated_at DESC, a.id LIMIT ${MAX_OWN_AGENTS}`;
  return (await agentRow.query('agents-of', text, [userId])).map(toRecord);
}

/** Streams all listings of an owner, including withdrawn ones, by id. They may be changed during the iteration. */
export async function* readAgentsOf(ownerId: string): AsyncGenerator<AgentRecord> {
  const text = `SELECT ${columns} ${joined} WHERE a.owner_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3`;
  for (let after = ''; ; ) {
    const rows: AgentRow[] = await agentRow.query('agents-of-after', text, [ownerId, after, OWN_AGENTS_BATCH]);
    for (const agent of rows) yield toRecord(agent);
    const last = rows.at(-1);
    if (!last || rows.length < OWN_AGENTS_BATCH) return;
    after = last.id;
  }
}

function toRecord(agent: AgentRow): AgentRecord {
  const [first, ...others] = ownEndpoints(agent.url) ?? callableInterfaces(agent.card);
  if (!first) throw new Error(`agent ${agent.id} was stored without an interface that can be called`);
  return { ...agent, endpoints: [first, ...others] };
}

/** Returns the only endpoint of an agent that connects to Parley or runs in it; null for an agent with a URL. */
function ownEndpoints(url: string): AgentRecord['endpoints'] | null {
  const common = { url, protocolVersion: '1.0' as const, tenant: null };
  if (isHubUrl(url)) return [{ ...common, binding: 'HUB' }];
  return isBuiltInUrl(url) ? [{ ...common, binding: 'BUILT-IN' }] : null;
}
