import type { Ctx } from '../platform/context';
import type { AuditEvent } from './schema';

/**
 * One entry of the audit log as it is handed to `audit_append`. It holds ids and words of ours: what a person wrote has no
 * place in a log that nobody can erase. The exception is `place`, which is kept beside the chain and goes with the account.
 */
export interface AuditEntry {
  at: Date;
  event: AuditEvent;
  /** Whose account it concerns: `usr_…`, or `parley` for what is everybody's. */
  subject: string;
  /** The credential that did it; absent when there was none yet. */
  actor?: string;
  object?: string;
  detail?: string;
  requestId?: string;
  place?: { address: string; userAgent: string };
}

type ClientInfo = NonNullable<AuditEntry['place']>;

/** A person signed in; `way` is `password`, `sign-up` or the provider. */
export function sessionStarted(
  ctx: Ctx,
  session: { userId: string; id: string; method: string; place: ClientInfo },
): AuditEntry {
  const { userId, id, method: way, place } = session;
  return { ...entryOf(ctx, 'session.started', userId), object: id, detail: way, place };
}

/** Sessions of a person ended; the store names each. */
export function sessionEnded(ctx: Ctx, { userId, why }: { userId: string; why: SessionEnd }): AuditEntry {
  return { ...entryOf(ctx, 'session.ended', userId), detail: why };
}

/** Why a session ended: its own browser signed out, another one ended it, a new sign-in took its place, or the password changed. */
export type SessionEnd = 'signed-out' | 'ended' | 'replaced' | 'new-password';

/** A person changed their password, or set a new one by a link in a mail. */
export function passwordChanged(ctx: Ctx, { userId, how }: { userId: string; how: 'changed' | 'reset' }): AuditEntry {
  return entryOf(ctx, `password.${how}`, userId);
}

export function tokenCreated(ctx: Ctx, token: { userId: string; id: string; scopes: string[] }): AuditEntry {
  return { ...entryOf(ctx, 'token.created', token.userId), object: token.id, detail: token.scopes.join(' ') };
}

export function tokenRevoked(ctx: Ctx, token: { userId: string; id: string }): AuditEntry {
  return { ...entryOf(ctx, 'token.revoked', token.userId), object: token.id };
}

/** A person let a device in, or turned it away. */
export function deviceDecided(ctx: Ctx, { userId, allowed }: { userId: string; allowed: boolean }): AuditEntry {
  return entryOf(ctx, allowed ? 'device.allowed' : 'device.denied', userId);
}

/** What an agent may see and do from here on. */
export function grantSet(ctx: Ctx, grant: { userId: string; agentId: string; scopes: string[] }): AuditEntry {
  return { ...entryOf(ctx, 'grant.set', grant.userId), object: grant.agentId, detail: grant.scopes.join(' ') };
}

export function grantRemoved(ctx: Ctx, grant: { userId: string; agentId: string }): AuditEntry {
  return { ...entryOf(ctx, 'grant.removed', grant.userId), object: grant.agentId };
}

export function appCreated(ctx: Ctx, app: { ownerId: string; id: string }): AuditEntry {
  return { ...entryOf(ctx, 'app.created', app.ownerId), object: app.id };
}

/** What happened to a secret: made, given an end (`detail` says when), or removed. */
export function secretChanged(
  ctx: Ctx,
  secret: { ownerId: string; id: string; change: 'created' | 'ended' | 'removed'; endsAt?: Date },
): AuditEntry {
  const { ownerId, id, change, endsAt } = secret;
  return { ...entryOf(ctx, `secret.${change}`, ownerId), object: id, detail: endsAt?.toISOString() };
}

type AgentChange = 'listed' | 'changed' | 'withdrawn' | 'suspended' | 'restored';

/** What an owner, or a moderator, did with an agent. */
export function agentChanged(
  ctx: Ctx,
  agent: { ownerId: string; id: string; change: AgentChange; members?: string[] },
): AuditEntry {
  const { ownerId, id, change, members } = agent;
  return { ...entryOf(ctx, `agent.${change}`, ownerId), object: id, detail: members?.join(' ') };
}

/** Somebody reported something, or appealed against a decision; of nobody's account when they were not signed in. */
export function moderationRequested(
  ctx: Ctx,
  asked: { userId: string | null; caseId: string; what: 'reported' | 'appealed'; detail?: string },
): AuditEntry {
  const { userId, caseId, what, detail } = asked;
  return { ...entryOf(ctx, `moderation.${what}`, userId ?? 'parley'), object: caseId, detail };
}

/** A moderator decided; `detail` is the new state of the case, and why. */
export function moderationDecided(ctx: Ctx, decided: { userId: string; caseId: string; detail: string }): AuditEntry {
  return { ...entryOf(ctx, 'moderation.decided', decided.userId), object: decided.caseId, detail: decided.detail };
}

/** What happened to an agent's team; `who` is the id of the member or of the invitation it concerns. */
export function teamChanged(
  ctx: Ctx,
  agent: { ownerId: string; id: string; change: TeamChange; who: string; role?: string },
): AuditEntry {
  const { ownerId, id, change, who, role } = agent;
  return { ...entryOf(ctx, `team.${change}`, ownerId), object: id, detail: role ? `${who} ${role}` : who };
}

type TeamChange = 'invited' | 'uninvited' | 'joined' | 'changed' | 'left';

/** An agent has another owner; told to the old one and to the new one. */
export function agentTransferred(ctx: Ctx, agent: { id: string; from: string; to: string }): AuditEntry[] {
  const detail = `${agent.from} ${agent.to}`;
  return [agent.from, agent.to].map((person) => ({
    ...entryOf(ctx, 'agent.transferred', person),
    object: agent.id,
    detail,
  }));
}

export function accountExported(ctx: Ctx, { userId }: { userId: string }): AuditEntry {
  return entryOf(ctx, 'account.exported', userId);
}

export function accountDeleted(ctx: Ctx, { userId }: { userId: string }): AuditEntry {
  return entryOf(ctx, 'account.deleted', userId);
}

/** A signing key came or went; the schedule or an operator did it, no person. */
export function keyChanged(key: { kid: string; purpose: string; change: 'added' | 'removed'; now: Date }): AuditEntry {
  const { kid, purpose, change, now } = key;
  return { at: now, event: `key.${change}`, subject: 'parley', object: kid, detail: purpose };
}

export function passkeyChanged(
  ctx: Ctx,
  passkey: { userId: string; id: string; change: 'added' | 'removed' },
): AuditEntry {
  return { ...entryOf(ctx, `passkey.${passkey.change}`, passkey.userId), object: passkey.id.slice(0, 100) };
}

/** How an agent sells was changed by its owner: who signs, and by which keys (`detail`). */
export function merchantChanged(ctx: Ctx, agent: { ownerId: string; id: string; detail: string }): AuditEntry {
  return { ...entryOf(ctx, 'merchant.changed', agent.ownerId), object: agent.id, detail: agent.detail };
}

/** A person approved or declined to pay; `detail` is how they proved who they are. */
export function paymentDecided(
  ctx: Ctx,
  order: { userId: string; id: string; decision: 'approved' | 'declined'; detail?: string },
): AuditEntry {
  return { ...entryOf(ctx, `payment.${order.decision}`, order.userId), object: order.id, detail: order.detail };
}

/** From which amount on a person wants to be asked for a passkey; `never` for none. */
export function paymentLimitSet(ctx: Ctx, limit: { userId: string; passkeyAbove: number | null }): AuditEntry {
  return { ...entryOf(ctx, 'payment.limit', limit.userId), detail: String(limit.passkeyAbove ?? 'never') };
}

function entryOf({ actor, now, requestId }: Ctx, event: AuditEvent, subject: string): AuditEntry {
  return { at: now, event, subject, actor: actorIdOf(actor), requestId };
}

function actorIdOf(actor: Ctx['actor']): string | undefined {
  if (actor.kind === 'user') return actor.credential.id;
  if (actor.kind === 'app') return actor.credentialId;
  return actor.kind === 'public-client' ? actor.clientId : undefined;
}
