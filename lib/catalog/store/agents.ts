import type { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db, isUniqueViolation } from '../../platform/db';
import { query } from '../../platform/sql';
import { inTransaction, type Tx } from '../../platform/tx';
import { callableInterfaces } from '../../protocol/a2a/core/card';
import type { CardVersion } from '../card-version';
import { skeletonOf } from '../confusable-skeleton';
import { statusChanged } from '../errors';
import { isListed } from '../policy';
import type { AgentRecord } from '../record';
import type { AgentStatus, Badge, CardChange, Visibility } from '../schema';
import { searchRowOf } from '../search-row';
import { clearPendingCard, markPending, resetRefreshState } from './card-refresh-state';
import { hidePreviousVersions } from './card-versions';
import { scheduleIconFetch } from './icons';
import { memberCondition } from './member-condition';
import { notifyAgentChanged, publishAgentChanged } from './notify-agent-changed';
import { syncVerifiedBadge } from './ownerships';
import { writeSearchRow } from './search-rows';
import { upsertSkeleton } from './skeletons';

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

/** The 500 listings that a person manages that were changed last, the latest first; withdrawn ones too. */
export async function selectAgentsOf(userId: string): Promise<AgentRecord[]> {
  const text = `SELECT ${columns} ${joined} WHERE ${memberCondition('$1')} ORDER BY a.updated_at DESC, a.id LIMIT 500`;
  return (await query<AgentRow>('agents-of', text, [userId])).map(toRecord);
}

const batchSize = 100;

/** Every listing that a person owns, withdrawn ones too, in the order of their ids; they may be changed while they are read. */
export async function* readAgentsOf(ownerId: string): AsyncGenerator<AgentRecord> {
  const text = `SELECT ${columns} ${joined} WHERE a.owner_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3`;
  for (let after = ''; ; ) {
    const rows: AgentRow[] = await query('agents-of-after', text, [ownerId, after, batchSize]);
    for (const row of rows) yield toRecord(row);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

/** How many agents of a person everybody can find. */
export function countListed(ownerId: string): Promise<number> {
  return db().agent.count({ where: { ownerId, visibility: 'public', status: { in: ['active', 'deprecated'] } } });
}

/** Slugs that begin with a slug: the slug itself and its numbered followers are among them. */
export async function selectSlugsLike(slug: string): Promise<Set<string>> {
  const rows = await db().agent.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  return new Set(rows.map((row) => row.slug));
}

/** The card of an agent as it was fetched. */
export async function selectCardBytes(agentId: string): Promise<Uint8Array | null> {
  const rows = await query<{ bytes: Buffer }>('agent-card-bytes', `SELECT v.bytes ${joined} WHERE a.id = $1`, [
    agentId,
  ]);
  return rows[0]?.bytes ?? null;
}

export type NewAgent = Omit<
  AgentRecord,
  'endpoints' | 'card' | 'signature' | 'callLimits' | 'prices' | 'notice' | 'holdsCards' | 'iconDigest' | 'team'
>;

/** Lists an agent with its first card. Answers false when its slug or its address was taken a moment ago. */
export async function insertAgent(
  agent: NewAgent,
  { version, audit }: { version: CardVersion; audit: AuditEntry },
): Promise<boolean> {
  try {
    await inTransaction(async (tx) => {
      await tx.agent.create({ data: { ...agent, currentVersionId: version.id } });
      await tx.agentVersion.create({ data: { ...versionData(version), agentId: agent.id, listedAt: agent.createdAt } });
      await resetRefreshState(tx, agent.id, version);
      await scheduleIconFetch(tx, agent.id, version.card);
      await writeDerivedRows(tx, { ...agent, card: version.card, signature: version.signature });
      await appendAudit(tx, audit);
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  publishAgentChanged(agent);
  return true;
}

export type AgentChanges = Partial<
  Omit<NewAgent, 'id' | 'slug' | 'ownerId' | 'url' | 'createdAt'> &
    Pick<AgentRecord, 'callLimits' | 'prices' | 'notice' | 'holdsCards' | 'iconDigest'>
>;

/**
 * What goes with a change: `version` is its card (a fetched one, or one that waits); `also` is written in the same
 * transaction and gets the status that the agent had; `audit` tells of what a person did.
 */
interface ChangeOptions {
  version?: CardVersion | { waitingId: string };
  afterUpdate?: (tx: Tx, previous: AgentStatus) => Promise<void>;
  /** Throws unless whoever changes it may still do so, now that nobody else changes it or its team. */
  assertAllowed?: (agent: AgentRecord) => void;
  audit?: AuditEntry;
  /** Sets the status whatever it has become since the agent was read. */
  force?: boolean;
}

/**
 * Changes an agent, and keeps search and every node's cache in step. A new status takes the place of the one that was read:
 * what was decided meanwhile stands.
 * @throws {ParleyError} `conflict` when the status is another one by now
 */
export async function changeAgent(
  agent: AgentRecord,
  changes: AgentChanges,
  { version, afterUpdate: also, assertAllowed: mayStill, audit, force: overrules = false }: ChangeOptions = {},
): Promise<AgentRecord> {
  const changed = await inTransaction(async (tx) => {
    const previous = changes.status === undefined ? agent.status : await lockStatus(tx, agent);
    if (previous !== agent.status && !overrules) throw statusChanged();
    const currentVersionId = version && (await applyVersion(tx, agent.id, version));
    const { notice, ...plain } = changes;
    if (changes.visibility) {
      await hidePreviousVersions(tx, agent.id, { visibility: changes.visibility, newVersionId: currentVersionId });
    }
    const noticeData = notice === undefined ? {} : { notice: { toJSON: () => notice } };
    const data = { ...plain, ...noticeData, ...(currentVersionId && { currentVersionId }) };
    await tx.agent.update({ where: { id: agent.id }, data });
    if (changes.badges) await syncVerifiedBadge(tx, agent.id);
    const record = (await syncDerivedRows(tx, agent.id)) ?? agent;
    mayStill?.(record);
    if (version) await scheduleIconFetch(tx, agent.id, record.card);
    await also?.(tx, previous);
    if (audit) await appendAudit(tx, audit);
    return record;
  });
  publishAgentChanged(agent);
  return changed;
}

/** The status of an agent, which nobody else changes before the transaction ends. */
async function lockStatus(tx: Db, { id, status }: AgentRecord): Promise<AgentStatus> {
  const rows = await tx.$queryRaw<
    { status: AgentStatus }[]
  >`SELECT status FROM agent WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows[0]?.status ?? status;
}

/** Keeps a newer version of the card for the owner's word. */
export async function savePendingCard(
  agent: AgentRecord,
  pending: { version: CardVersion; reasons: CardChange[] },
): Promise<void> {
  await inTransaction(async (tx) => {
    await addVersion(tx, agent.id, pending.version);
    await markPending(tx, agent.id, pending);
  });
}

async function applyVersion(tx: Db, agentId: string, version: CardVersion | { waitingId: string }): Promise<string> {
  if ('waitingId' in version) {
    await clearPendingCard(tx, agentId);
    return markListed(tx, version.waitingId);
  }
  await addVersion(tx, agentId, version);
  await resetRefreshState(tx, agentId, version);
  return markListed(tx, version.id);
}

async function markListed(tx: Db, versionId: string): Promise<string> {
  await tx.agentVersion.update({ where: { id: versionId }, data: { listedAt: new Date() } });
  return versionId;
}

/** At most one of them is newer than the one that is listed, so that one is never too old to be kept. */
const maxVersions = 20;

async function addVersion(tx: Db, agentId: string, version: CardVersion): Promise<void> {
  await tx.agentVersion.create({ data: { ...versionData(version), agentId } });
  const old = await tx.agentVersion.findMany({
    where: { agentId },
    orderBy: [{ fetchedAt: 'desc' }, { id: 'desc' }],
    skip: maxVersions,
    select: { id: true },
  });
  if (old.length > 0) await tx.agentVersion.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

function versionData({
  bytes,
  card,
  signature,
  validators: _validators,
  ...rest
}: CardVersion): Omit<Prisma.AgentVersionUncheckedCreateInput, 'agentId'> {
  return {
    ...rest,
    bytes: new Uint8Array(bytes),
    card: { toJSON: () => card },
    signature: { toJSON: () => signature },
  };
}

/** Keeps search and every node in step with an agent whose row was changed; answers what it is now. */
export async function syncDerivedRows(tx: Db, agentId: string): Promise<AgentRecord | null> {
  const rows = await tx.$queryRawUnsafe<AgentRow[]>(`SELECT ${columns} ${joined} WHERE a.id = $1`, agentId);
  const record = rows[0] ? toRecord(rows[0]) : null;
  if (record) await writeDerivedRows(tx, record);
  return record;
}

async function writeDerivedRows(tx: Db, agent: NewAgent & Pick<AgentRecord, 'card' | 'signature'>): Promise<void> {
  await writeSearchRow(tx, agent.id, isListed(agent) ? searchRowOf(agent) : null);
  await upsertSkeleton(tx, agent.id, { name: skeletonOf(agent.name), slug: skeletonOf(agent.slug) });
  await notifyAgentChanged(tx, agent);
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
