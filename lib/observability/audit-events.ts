import type { Ctx } from '../platform/context';
import type { AuditEvent } from './schema';

/**
 * An entry of the audit log, the parameter of `audit_append`. The log is immutable, so it contains ids but no
 * user-written text. `client`, the client's address and user agent, is stored outside of the hash chain and deleted
 * together with the account.
 */
export interface AuditEntry {
  at: Date;
  event: AuditEvent;
  /** The account concerned: `usr_…`, or `parley` if there is none. */
  subject: string;
  /** The credential that was used; absent if there was none yet. */
  actor?: string;
  object?: string;
  detail?: string;
  requestId?: string;
  client?: { address: string; userAgent: string };
}

type ClientInfo = NonNullable<AuditEntry['client']>;

/** A user signed in; `method` is `password`, `sign-up` or the provider. */
export function sessionStarted(
  ctx: Ctx,
  session: { userId: string; id: string; method: string; client: ClientInfo },
): AuditEntry {
  const { userId, id, method, client } = session;
  return { ...entryOf(ctx, 'session.started', userId), object: id, detail: method, client };
}

/** Sessions of a user ended; the store adds their ids. */
export function sessionEnded(ctx: Ctx, { userId, why }: { userId: string; why: SessionEnd }): AuditEntry {
  return { ...entryOf(ctx, 'session.ended', userId), detail: why };
}

/**
 * The reasons: signed out in its own browser, ended from another session, replaced by a new sign-in, ended by a
 * password change, or ended because a change was undone.
 */
type SessionEnd = 'signed-out' | 'ended' | 'replaced' | 'new-password' | 'undone';

/** A user changed their password, or reset it by email. */
export function passwordChanged(ctx: Ctx, { userId, how }: { userId: string; how: 'changed' | 'reset' }): AuditEntry {
  return entryOf(ctx, `password.${how}`, userId);
}

export function tokenCreated(ctx: Ctx, token: { userId: string; id: string; scopes: string[] }): AuditEntry {
  return { ...entryOf(ctx, 'token.created', token.userId), object: token.id, detail: token.scopes.join(' ') };
}

export function tokenRevoked(ctx: Ctx, token: { userId: string; id: string }): AuditEntry {
  return { ...entryOf(ctx, 'token.revoked', token.userId), object: token.id };
}

/** A user allowed or denied a device authorization request. */
export function deviceDecided(ctx: Ctx, { userId, allowed }: { userId: string; allowed: boolean }): AuditEntry {
  return entryOf(ctx, allowed ? 'device.allowed' : 'device.denied', userId);
}

/** A user allowed an app these scopes, or denied them to one that is not connected. */
export function connectionDecided(
  ctx: Ctx,
  decided: { userId: string; connectionId: string | null; scopes: string[] },
): AuditEntry {
  const { userId, connectionId, scopes } = decided;
  const event = connectionId === null ? 'connection.denied' : 'connection.allowed';
  return { ...entryOf(ctx, event, userId), object: connectionId ?? undefined, detail: scopes.join(' ') };
}

/** Apps were disconnected; the store adds the users and the ids of the connections. */
export function connectionRevoked(ctx: Ctx): AuditEntry {
  return entryOf(ctx, 'connection.revoked', '');
}

/**
 * A code or refresh token of an app was used twice and may therefore have been stolen. The tokens issued from it are
 * revoked.
 */
export function connectionReused(
  ctx: Ctx,
  reused: { userId: string; connectionId: string; what: 'code' | 'refresh-token' },
): AuditEntry {
  return { ...entryOf(ctx, 'connection.reused', reused.userId), object: reused.connectionId, detail: reused.what };
}

/** A user granted an agent these scopes, replacing earlier ones. */
export function grantSet(ctx: Ctx, grant: { userId: string; agentId: string; scopes: string[] }): AuditEntry {
  return { ...entryOf(ctx, 'grant.set', grant.userId), object: grant.agentId, detail: grant.scopes.join(' ') };
}

export function grantRemoved(ctx: Ctx, grant: { userId: string; agentId: string }): AuditEntry {
  return { ...entryOf(ctx, 'grant.removed', grant.userId), object: grant.agentId };
}

/** An app was created, or its redirect URIs changed. */
export function appChanged(ctx: Ctx, app: { ownerId: string; id: string; change: 'created' | 'changed' }): AuditEntry {
  return { ...entryOf(ctx, `app.${app.change}`, app.ownerId), object: app.id };
}

/** A moderator blocked or unblocked an OAuth client; `id` is that of the block. */
export function clientBlocked(
  ctx: Ctx,
  block: { userId: string; id: string; change: 'blocked' | 'unblocked' },
): AuditEntry {
  return { ...entryOf(ctx, `client.${block.change}`, block.userId), object: block.id };
}

/** An app secret was created, given an expiry (`detail`), or removed. */
export function secretChanged(
  ctx: Ctx,
  secret: { ownerId: string; id: string; change: 'created' | 'ended' | 'removed'; endsAt?: Date },
): AuditEntry {
  const { ownerId, id, change, endsAt } = secret;
  return { ...entryOf(ctx, `secret.${change}`, ownerId), object: id, detail: endsAt?.toISOString() };
}

type AgentChange = 'listed' | 'changed' | 'withdrawn' | 'suspended' | 'restored';

/** An owner or a moderator changed an agent. */
export function agentChanged(
  ctx: Ctx,
  agent: { ownerId: string; id: string; change: AgentChange; members?: string[] },
): AuditEntry {
  const { ownerId, id, change, members } = agent;
  return { ...entryOf(ctx, `agent.${change}`, ownerId), object: id, detail: members?.join(' ') };
}

/** A report or an appeal was made; `userId` is null if no one was signed in. */
export function moderationRequested(
  ctx: Ctx,
  asked: { userId: string | null; caseId: string; what: 'reported' | 'appealed'; detail?: string },
): AuditEntry {
  const { userId, caseId, what, detail } = asked;
  return { ...entryOf(ctx, `moderation.${what}`, userId ?? 'parley'), object: caseId, detail };
}

/** A moderator decided a case; `detail` is its new state and the reason. */
export function moderationDecided(ctx: Ctx, decided: { userId: string; caseId: string; detail: string }): AuditEntry {
  return { ...entryOf(ctx, 'moderation.decided', decided.userId), object: decided.caseId, detail: decided.detail };
}

/** An agent's team changed; `who` is the id of the member or of the invitation. */
export function teamChanged(
  ctx: Ctx,
  agent: { ownerId: string; id: string; change: TeamChange; who: string; role?: string },
): AuditEntry {
  const { ownerId, id, change, who, role } = agent;
  return { ...entryOf(ctx, `team.${change}`, ownerId), object: id, detail: role ? `${who} ${role}` : who };
}

type TeamChange = 'invited' | 'uninvited' | 'joined' | 'changed' | 'left';

/** An agent was transferred. One entry each for the old and the new owner. */
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

/** A signing key was added or removed, by the rotation job or an operator. */
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

/** A user who lost all passkeys requested their removal, or the request was canceled or took effect. */
export function recoveryChanged(
  ctx: Pick<Ctx, 'actor' | 'now' | 'requestId'>,
  { userId, change }: { userId: string; change: 'requested' | 'canceled' | 'completed' },
): AuditEntry {
  return entryOf(ctx, `recovery.${change}`, userId);
}

/** The link of an email undid a change of a sign-in method or payment guard; `kind` is the change. */
export function changeUndone(ctx: Ctx, { userId, kind }: { userId: string; kind: string }): AuditEntry {
  return { ...entryOf(ctx, 'guard.undone', userId), detail: kind };
}

/** An owner changed an agent's merchant settings; `detail` is the signer and its keys. */
export function merchantChanged(ctx: Ctx, agent: { ownerId: string; id: string; detail: string }): AuditEntry {
  return { ...entryOf(ctx, 'merchant.changed', agent.ownerId), object: agent.id, detail: agent.detail };
}

/** A user approved or declined a payment; `detail` is the authentication method. */
export function paymentDecided(
  ctx: Ctx,
  order: { userId: string; id: string; decision: 'approved' | 'declined'; detail?: string },
): AuditEntry {
  return { ...entryOf(ctx, `payment.${order.decision}`, order.userId), object: order.id, detail: order.detail };
}

/** A user approved the price plan of an agent, or ended such an approval. */
export function priceDecided(
  ctx: Ctx,
  approval: { userId: string; id: string; decision: 'approved' | 'revoked'; detail?: string },
): AuditEntry {
  const { userId, id, decision, detail } = approval;
  return { ...entryOf(ctx, `price.${decision}`, userId), object: id, detail };
}

/** A buyer accepted the result of an order or charge. */
export function saleAccepted(ctx: Ctx, { userId, id }: { userId: string; id: string }): AuditEntry {
  return { ...entryOf(ctx, 'sale.accepted', userId), object: id };
}

/** A standing approval of the user paid an order. */
export function paidByStanding({
  userId,
  orderId,
  standingId,
  at,
}: {
  userId: string;
  orderId: string;
  standingId: string;
  at: Date;
}): AuditEntry {
  return { at, event: 'payment.approved', subject: userId, actor: standingId, object: orderId, detail: 'standing' };
}

/** A user set the amount above which payments need a passkey; `never` for none. */
export function paymentLimitSet(ctx: Ctx, limit: { userId: string; passkeyAbove: number | null }): AuditEntry {
  return { ...entryOf(ctx, 'payment.limit', limit.userId), detail: String(limit.passkeyAbove ?? 'never') };
}

/** A user set a spending limit; `detail` is scope, period, currency and minor units, or `none` or `default`. */
export function spendingLimitSet(
  ctx: Ctx,
  { userId, subject, detail }: { userId: string; subject: string; detail: string },
): AuditEntry {
  return { ...entryOf(ctx, 'spending.limit', userId), object: subject || undefined, detail };
}

/** A user changed a standing approval; all automatic payments are `stopped` or `allowed`. */
export function standingChanged(
  ctx: Ctx,
  { userId, id, change }: { userId: string; id: string | null; change: StandingChange },
): AuditEntry {
  return { ...entryOf(ctx, `standing.${change}`, userId), object: id ?? undefined };
}

type StandingChange = 'created' | 'paused' | 'resumed' | 'revoked' | 'stopped' | 'allowed';

/** A user set the time zone of their days and months. */
export function spendingZoneSet(ctx: Ctx, { userId, timeZone }: { userId: string; timeZone: string }): AuditEntry {
  return { ...entryOf(ctx, 'spending.time_zone', userId), detail: timeZone };
}

function entryOf(
  { actor, now, requestId }: Pick<Ctx, 'actor' | 'now' | 'requestId'>,
  event: AuditEvent,
  subject: string,
): AuditEntry {
  return { at: now, event, subject, actor: actorIdOf(actor), requestId };
}

function actorIdOf(actor: Ctx['actor']): string | undefined {
  if (actor.kind === 'user') return actor.credential.id;
  if (actor.kind === 'app') return actor.credentialId;
  // The id of any other client is text that the client chose.
  return actor.kind === 'public-client' ? actor.clientId : undefined;
}
