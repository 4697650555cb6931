import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import { inTransaction } from '../../platform/tx';
import type { AgentRecord } from '../record';
import type { MemberRole } from '../schema';
import { syncDerivedRows } from './agents';
import { notifyAgentChanged, publishAgentChanged } from './notify-agent-changed';
import { syncVerifiedBadge } from './ownerships';

export interface MemberRecord {
  id: string;
  userId: string;
  role: MemberRole;
  since: Date;
}

export interface InvitationRecord {
  id: string;
  agentId: string;
  email: string;
  role: MemberRole;
  createdAt: Date;
  expiresAt: Date;
}

type AgentRef = Pick<AgentRecord, 'id' | 'slug'>;

/** Those who help to run an agent, the first to join first. */
export async function selectMembers(agentId: string): Promise<MemberRecord[]> {
  const text = `SELECT id, user_id AS "userId", role, since FROM agent_member WHERE agent_id = $1 ORDER BY since, id`;
  return query<MemberRecord>('team-of-agent', text, [agentId]);
}

const invitationColumns = `id, agent_id AS "agentId", email, role, created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Invitations of an agent that can still be answered, the latest first. */
export async function selectInvitations(agentId: string, now: Date): Promise<InvitationRecord[]> {
  const text = `SELECT ${invitationColumns} FROM agent_invitation WHERE agent_id = $1 AND expires_at > $2
    ORDER BY created_at DESC, id`;
  return query<InvitationRecord>('invitations-of-agent', text, [agentId, now]);
}

/** The invitation whose link has a token with this hash, while it can be answered. */
export async function selectInvitation(tokenHash: string, now: Date): Promise<InvitationRecord | null> {
  const text = `SELECT ${invitationColumns} FROM agent_invitation WHERE token_hash = $1 AND expires_at > $2`;
  return (await query<InvitationRecord>('invitation', text, [tokenHash, now]))[0] ?? null;
}

/** Keeps an invitation in place of an earlier one of the same address, and drops, of everybody's, those that are over. */
export async function upsertInvitation(
  invitation: InvitationRecord & { tokenHash: string },
  audit: AuditEntry,
): Promise<void> {
  const { agentId, email, createdAt: now } = invitation;
  await inTransaction(async (tx) => {
    // Two of the same address at once wait for each other here: the later one takes the place of the other.
    await tx.$queryRaw`SELECT id FROM agent WHERE id = ${agentId} FOR NO KEY UPDATE`;
    await tx.agentInvitation.deleteMany({ where: { OR: [{ agentId, email }, { expiresAt: { lte: now } }] } });
    await tx.agentInvitation.create({ data: invitation });
    await appendAudit(tx, audit);
  });
}

/** Takes an invitation away; false when there is none of this agent. */
export async function deleteInvitation(
  invitation: { agentId: string; id: string },
  audit: AuditEntry,
): Promise<boolean> {
  const { id, agentId } = invitation;
  return inTransaction(async (tx) => {
    const { count } = await tx.agentInvitation.deleteMany({ where: { id, agentId } });
    if (count > 0) await appendAudit(tx, audit);
    return count > 0;
  });
}

/** Turns an invitation into a member; false when it was answered in the same moment. */
export async function insertMember(
  agent: AgentRef,
  { invitationId, member, audit }: { invitationId: string; member: MemberRecord; audit: AuditEntry },
): Promise<boolean> {
  return changeTeam(agent, audit, async (tx) => {
    const { count } = await tx.agentInvitation.deleteMany({ where: { id: invitationId, agentId: agent.id } });
    if (count === 0) return false;
    const { userId, role } = member;
    const where = { agentId_userId: { agentId: agent.id, userId } };
    await tx.agentMember.upsert({ where, create: { ...member, agentId: agent.id }, update: { role } });
    return true;
  });
}

/** `isTheirApp` tells of the agent's developer app whether it goes with the member: it no longer asks whose a token is. */
interface MemberChange {
  id: string;
  isTheirApp: (appId: string) => Promise<boolean>;
  audit: AuditEntry;
}

/** Gives a member another role; false when there is no such member. */
export function updateMember(
  agent: AgentRef,
  { id, role, isTheirApp, audit }: MemberChange & { role: MemberRole },
): Promise<boolean> {
  return changeTeam(agent, audit, async (tx) => {
    const { count } = await tx.agentMember.updateMany({ where: { id, agentId: agent.id }, data: { role } });
    if (role === 'viewer') await unlinkApp(tx, agent, isTheirApp);
    return count > 0;
  });
}

/** Takes a member out of the team; false when there is no such member. */
export function deleteMember(agent: AgentRef, { id, isTheirApp, audit }: MemberChange): Promise<boolean> {
  return changeTeam(agent, audit, async (tx) => {
    const { count } = await tx.agentMember.deleteMany({ where: { id, agentId: agent.id } });
    await unlinkApp(tx, agent, isTheirApp);
    return count > 0;
  });
}

/** Looks at the agent as it is once nobody else can change it: an app that was linked a moment ago goes too. */
async function unlinkApp(tx: Db, { id }: AgentRef, isTheirApp: MemberChange['isTheirApp']): Promise<void> {
  const rows = await tx.$queryRaw<{ appId: string | null }[]>`
    SELECT app_id AS "appId" FROM agent WHERE id = ${id} FOR NO KEY UPDATE`;
  const appId = rows[0]?.appId ?? null;
  if (appId !== null && (await isTheirApp(appId))) await tx.agent.update({ where: { id }, data: { appId: null } });
}

async function changeTeam(agent: AgentRef, audit: AuditEntry, change: (tx: Db) => Promise<boolean>): Promise<boolean> {
  const changed = await inTransaction(async (tx) => {
    if (!(await change(tx))) return false;
    await notifyAgentChanged(tx, agent);
    await appendAudit(tx, audit);
    return true;
  });
  if (changed) publishAgentChanged(agent);
  return changed;
}

/**
 * Makes a member the owner and the owner a developer. The developer app, which stays the old owner's, can no longer ask whose
 * a token is, and that the host is the owner's has to be proved anew. False when either is not what they were any more.
 */
export async function transferOwnership(
  agent: Pick<AgentRecord, 'id' | 'slug' | 'ownerId'>,
  { member, newMember, audit }: { member: MemberRecord; newMember: MemberRecord; audit: AuditEntry[] },
): Promise<boolean> {
  const moved = await inTransaction(async (tx) => {
    const { count: left } = await tx.agentMember.deleteMany({ where: { id: member.id, agentId: agent.id } });
    const data = { ownerId: member.userId, appId: null };
    const { count } = await tx.agent.updateMany({ where: { id: agent.id, ownerId: agent.ownerId }, data });
    if (left === 0 || count === 0) throw new TransferConflict();
    await tx.agentMember.create({ data: { ...newMember, agentId: agent.id } });
    await tx.agentOwnership.deleteMany({ where: { agentId: agent.id } });
    await syncVerifiedBadge(tx, agent.id);
    await syncDerivedRows(tx, agent.id);
    for (const entry of audit) await appendAudit(tx, entry);
    return true;
  }).catch((error: unknown) => {
    if (error instanceof TransferConflict) return false;
    throw error;
  });
  if (moved) publishAgentChanged(agent);
  return moved;
}

/** Undoes the transaction. */
class TransferConflict extends Error {}

/** The teams that a person helps in. */
export async function selectMemberships(userId: string): Promise<{ slug: string; role: MemberRole; since: Date }[]> {
  const rows = await db().agentMember.findMany({
    where: { userId },
    select: { role: true, since: true, agent: { select: { slug: true } } },
    orderBy: { since: 'asc' },
  });
  return rows.map(({ agent, role, since }) => ({ slug: agent.slug, role: role as MemberRole, since }));
}
