import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import { inTransaction, lockRow, publishAtCommit, type Tx } from '../../platform/db/tx';
import { isListed } from '../authorization';
import { statusChanged } from '../errors';
import { skeletonOf } from '../names/lookalikes';
import type { AgentRecord, CardVersion } from '../record';
import type { AgentStatus } from '../schema';
import { selectAgentInTx } from './agent-rows';
import { hidePreviousVersions } from './card-rows';
import { clearPendingCard, insertListedVersion, insertVersion, markListed, resetRefreshState } from './change-cards';
import { scheduleIconFetch } from './icon-rows';
import { syncVerifiedBadge } from './publisher-rows';
import { writeSearchRow } from './search-rows';
import { upsertSkeleton } from './skeletons';

type AgentRef = Pick<AgentRecord, 'id' | 'slug'>;

/** The columns of a new agent. */
export type NewAgent = Omit<
  AgentRecord,
  | 'endpoints'
  | 'card'
  | 'signature'
  | 'callLimits'
  | 'prices'
  | 'pricePlans'
  | 'notice'
  | 'holdsCards'
  | 'iconDigest'
  | 'team'
>;

interface InsertOptions {
  version: CardVersion;
  audit: AuditEntry;
  /** Runs in the same transaction. */
  afterInsert?: (tx: Tx) => Promise<void>;
}

/** Lists an agent with its first card. Returns false if a concurrent registration took the slug or the URL. */
export async function insertAgent(agent: NewAgent, { version, audit, afterInsert }: InsertOptions): Promise<boolean> {
  try {
    await inTransaction(async (tx) => {
      await tx.agent.create({ data: { ...agent, currentVersionId: version.id } });
      await insertListedVersion(tx, agent, version);
      await resetRefreshState(tx, agent.id, version);
      await scheduleIconFetch(tx, agent.id, version.card);
      await writeDerivedRows(tx, {
        ...agent,
        card: version.card,
        signature: version.signature,
        prices: [],
        pricePlans: [],
      });
      await afterInsert?.(tx);
      await appendAudit(tx, audit);
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  return true;
}

/** Returns the number of an owner's public listings. */
export function countListed(ownerId: string): Promise<number> {
  return db().agent.count({ where: { ownerId, visibility: 'public', status: { in: ['active', 'deprecated'] } } });
}

/** Selects the slugs with this prefix, including the slug itself and its numbered variants. */
export async function selectSlugsLike(slug: string): Promise<Set<string>> {
  const rows = await db().agent.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  return new Set(rows.map((row) => row.slug));
}

/** The columns of an agent that can change. */
export type AgentChanges = Partial<
  Omit<NewAgent, 'id' | 'slug' | 'ownerId' | 'url' | 'createdAt'> &
    Pick<AgentRecord, 'callLimits' | 'prices' | 'pricePlans' | 'notice' | 'holdsCards' | 'iconDigest'>
>;

interface ChangeOptions {
  /** The card to list: a fetched one, or the pending one. */
  version?: CardVersion | { pendingVersionId: string };
  /** Runs in the same transaction, with the status that the agent had. */
  afterUpdate?: (tx: Tx, previous: AgentStatus) => Promise<void>;
  /** Throws if the user may no longer change the agent. Called after the row is locked. */
  assertAllowed?: (agent: AgentRecord) => void;
  audit?: AuditEntry;
  /** True to overwrite a status that changed since the agent was read. */
  force?: boolean;
}

/**
 * Changes an agent, its search row and its skeleton in one transaction, and invalidates the caches of all nodes.
 * @throws {ParleyError} `conflict` if the status changed since the agent was read, unless `force` is set
 */
export async function changeAgent(
  agent: AgentRecord,
  changes: AgentChanges,
  { version, afterUpdate, assertAllowed, audit, force = false }: ChangeOptions = {},
): Promise<AgentRecord> {
  return inTransaction(async (tx) => {
    const previous = changes.status === undefined ? agent.status : await lockStatus(tx, agent);
    if (previous !== agent.status && !force) throw statusChanged();
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
    assertAllowed?.(record);
    if (version) await scheduleIconFetch(tx, agent.id, record.card);
    await afterUpdate?.(tx, previous);
    if (audit) await appendAudit(tx, audit);
    return record;
  });
}

/** Locks the agent's row until the transaction ends, and returns its status. */
async function lockStatus(tx: Db, { id, status }: AgentRecord): Promise<AgentStatus> {
  await lockRow(tx, 'agent', { id });
  const locked = await tx.agent.findUnique({ where: { id }, select: { status: true } });
  return locked ? (locked.status as AgentStatus) : status;
}

async function applyVersion(
  tx: Db,
  agentId: string,
  version: CardVersion | { pendingVersionId: string },
): Promise<string> {
  if ('pendingVersionId' in version) {
    await clearPendingCard(tx, agentId);
    return markListed(tx, version.pendingVersionId);
  }
  await insertVersion(tx, agentId, version);
  await resetRefreshState(tx, agentId, version);
  return markListed(tx, version.id);
}

/**
 * Updates the search row and skeleton after a change of the agent's row, and notifies other nodes. Returns the agent;
 * null if it is unknown.
 */
export async function syncDerivedRows(tx: Db, agentId: string): Promise<AgentRecord | null> {
  const record = await selectAgentInTx(tx, agentId);
  if (record) await writeDerivedRows(tx, record);
  return record;
}

async function writeDerivedRows(
  tx: Db,
  agent: NewAgent & Pick<AgentRecord, 'card' | 'signature' | 'prices' | 'pricePlans'>,
): Promise<void> {
  await writeSearchRow(tx, agent.id, isListed(agent) ? agent : null);
  await upsertSkeleton(tx, agent.id, { name: skeletonOf(agent.name), slug: skeletonOf(agent.slug) });
  await publishAgentChanged(tx, agent);
}

/** Notifies every node of a change when the transaction commits. */
export async function publishAgentChanged(tx: Db, agent: AgentRef): Promise<void> {
  await publishAtCommit(tx, 'agent', agent.slug, agent.id);
}

/** The deleted account, and its agents that moderation suspended. */
interface ErasedOwner {
  id: string;
  email: string;
  takenDown: string[];
}

/**
 * Erases the data of a user's withdrawn agents except name, slug and last card, which other users' conversations
 * display. Releases the URL, unless moderation suspended the agent, so that a suspended agent cannot be relisted.
 */
export async function eraseOwner(tx: Db, { id: ownerId, email, takenDown }: ErasedOwner): Promise<void> {
  await tx.agentMember.deleteMany({ where: { userId: ownerId } });
  await tx.agentInvitation.deleteMany({ where: { email } });
  const agents = await tx.agent.findMany({ where: { ownerId }, select: { id: true, currentVersionId: true } });
  const agentIds = agents.map(({ id }) => id);
  const ofAgents = { agentId: { in: agentIds } };
  await tx.agentCredential.deleteMany({ where: ofAgents });
  await tx.agentMember.deleteMany({ where: ofAgents });
  await tx.agentInvitation.deleteMany({ where: ofAgents });
  await tx.cardRefreshState.deleteMany({ where: ofAgents });
  const currentVersionIds = agents.map(({ currentVersionId }) => currentVersionId);
  await tx.agentVersion.deleteMany({ where: { ...ofAgents, id: { notIn: currentVersionIds } } });
  await tx.agent.updateMany({ where: { ownerId }, data: { appId: null, tags: [], callLimits: {}, prices: [] } });
  for (const id of agentIds) {
    if (!takenDown.includes(id)) await tx.agent.update({ where: { id }, data: { url: `urn:parley:${id}` } });
  }
}
