import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { inTransaction, lockRow } from '../../platform/db/tx';
import type { AgentRecord } from '../record';
import type { MemberRole } from '../schema';
import { publishAgentChanged, syncDerivedRows } from './change-agent';
import { syncVerifiedBadge } from './publisher-rows';

/** A membership. */
export interface MemberRecord {
  id: string;
  userId: string;
  role: MemberRole;
  since: Date;
}

/** An unanswered invitation. */
export interface InvitationRecord {
  id: string;
  agentId: string;
  email: string;
  role: MemberRole;
  createdAt: Date;
  expiresAt: Date;
}

type AgentRef = Pick<AgentRecord, 'id' | 'slug'>;

/** Returns the members of an agent's team, in the order of joining. */
export async function selectMembers(agentId: string): Promise<MemberRecord[]> {
  const rows = await db().agentMember.findMany({
    where: { agentId },
    omit: { agentId: true },
    orderBy: [{ since: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ role, ...member }) => ({ ...member, role: role as MemberRole }));
}

/** Returns an agent's pending invitations, newest first. */
export async function selectInvitations(agentId: string, now: Date): Promise<InvitationRecord[]> {
  const rows = await db().agentInvitation.findMany({
    where: { agentId, expiresAt: { gt: now } },
    omit: { tokenHash: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  return rows.map(({ role, ...invitation }) => ({ ...invitation, role: role as MemberRole }));
}

/** Returns the pending invitation with this token hash; null if there is none. */
export async function selectInvitation(tokenHash: string, now: Date): Promise<InvitationRecord | null> {
  const found = await db().agentInvitation.findUnique({
    where: { tokenHash, expiresAt: { gt: now } },
    omit: { tokenHash: true },
  });
  return found && { ...found, role: found.role as MemberRole };
}

/** Stores an invitation, replaces one for the same address, and deletes all expired invitations. */
export async function upsertInvitation(
  invitation: InvitationRecord & { tokenHash: string },
  audit: AuditEntry,
): Promise<void> {
  const { agentId, email, createdAt: now } = invitation;
  await inTransaction(async (tx) => {
    // Serializes concurrent invitations of the same address, of which the later one replaces the earlier.
    await lockRow(tx, 'agent', { id: agentId });
    await tx.agentInvitation.deleteMany({ where: { OR: [{ agentId, email }, { expiresAt: { lte: now } }] } });
    await tx.agentInvitation.create({ data: invitation });
    await appendAudit(tx, audit);
  });
}

/** Deletes an invitation. Returns false if the agent has none with this id. */
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

/** Replaces an invitation with a membership. Returns false if the invitation was answered concurrently. */
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

interface MemberChange {
  id: string;
  /** Returns true for a developer app of the member. Such an app is unlinked from the agent. */
  isTheirApp: (appId: string) => Promise<boolean>;
  audit: AuditEntry;
}

/** Changes a member's role. Returns false if there is no such member. */
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

/** Deletes a membership. Returns false if there is no such member. */
export function deleteMember(agent: AgentRef, { id, isTheirApp, audit }: MemberChange): Promise<boolean> {
  return changeTeam(agent, audit, async (tx) => {
    const { count } = await tx.agentMember.deleteMany({ where: { id, agentId: agent.id } });
    await unlinkApp(tx, agent, isTheirApp);
    return count > 0;
  });
}

/** Unlinks the app. Reads it under a row lock, so that a concurrently linked app is unlinked too. */
async function unlinkApp(tx: Db, { id }: AgentRef, isTheirApp: MemberChange['isTheirApp']): Promise<void> {
  await lockRow(tx, 'agent', { id });
  const locked = await tx.agent.findUnique({ where: { id }, select: { appId: true } });
  const appId = locked?.appId ?? null;
  if (appId !== null && (await isTheirApp(appId))) await tx.agent.update({ where: { id }, data: { appId: null } });
}

async function changeTeam(agent: AgentRef, audit: AuditEntry, change: (tx: Db) => Promise<boolean>): Promise<boolean> {
  return inTransaction(async (tx) => {
    if (!(await change(tx))) return false;
    await publishAgentChanged(tx, agent);
    await appendAudit(tx, audit);
    return true;
  });
}

/**
 * Makes a member the owner and the owner a developer, unlinks the developer app, and deletes the ownership proof.
 * Returns false if the owner or member changed concurrently.
 */
export async function transferOwnership(
  agent: Pick<AgentRecord, 'id' | 'slug' | 'ownerId'>,
  { member, newMember, audit }: { member: MemberRecord; newMember: MemberRecord; audit: AuditEntry[] },
): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { count: removed } = await tx.agentMember.deleteMany({ where: { id: member.id, agentId: agent.id } });
    const data = { ownerId: member.userId, appId: null };
    const { count } = await tx.agent.updateMany({ where: { id: agent.id, ownerId: agent.ownerId }, data });
    if (removed === 0 || count === 0) throw new TransferConflict();
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
}

/** Rolls back the transaction. */
class TransferConflict extends Error {}

/** Returns the memberships of a user. */
export async function selectMemberships(userId: string): Promise<{ slug: string; role: MemberRole; since: Date }[]> {
  const rows = await db().agentMember.findMany({
    where: { userId },
    select: { role: true, since: true, agent: { select: { slug: true } } },
    orderBy: { since: 'asc' },
  });
  return rows.map(({ agent, role, since }) => ({ slug: agent.slug, role: role as MemberRole, since }));
}
