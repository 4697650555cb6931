import { type AgentRecord, roleOfPerson } from '../catalog';
import type { AccessScope, Actor, AppActor, PublicClientActor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { OAuthError } from '../protocol/oauth/oauth-error';

/**
 * The person who acts, when their credential reaches that far: a session always does, an access token needs the scope.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `insufficient_scope`
 */
export function requireUser(actor: Actor, requiredScope: 'session' | AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (actor.credential.kind === 'session') return actor;
  if (requiredScope === 'session') {
    throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
  }
  if (actor.credential.scopes.includes(requiredScope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope ${requiredScope}.`, {
    data: { scope: requiredScope },
  });
}

/**
 * The client that signs devices in: the command line alone.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireDeviceClient(actor: Actor): PublicClientActor {
  if (actor.kind === 'public-client' && actor.clientId === 'parley-cli') return actor;
  throw new OAuthError('unauthorized_client', 'Only the client parley-cli signs devices in.');
}

/**
 * The app that acts, known by its secret.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireApp(actor: Actor): AppActor {
  if (actor.kind === 'app') return actor;
  throw new OAuthError('unauthorized_client', 'This needs the client id and the client secret of an app.');
}

/** False for what was never given out as an id: it needs no look-up, and some of it the database refuses to compare. */
export function isOwnId(text: string): boolean {
  return /^[a-z]{3}_[0-9a-z]{20}$/.test(text);
}

/** Who may get and use tokens for an agent: anyone while it is up, but for a private one its team alone. */
export function mayCall(userId: string, agent: AgentRecord): boolean {
  if (agent.status !== 'active' && agent.status !== 'deprecated') return false;
  return agent.visibility !== 'private' || roleOfPerson(userId, agent) !== null;
}

/** What the schedule of signing keys is decided on. */
export interface KeyTimes {
  signsFrom: Date;
  retiresAt: Date | null;
}

/** A new key stands in the JWKS this long before it signs: twice what verifiers may keep the set. */
const publishLeadMs = 600_000;
const rotateAfterMs = 30 * 24 * 3_600_000;
/** The clocks of two nodes may differ by this much: the first key of one must be one that signs to the other. */
const clockSkewMs = 60_000;

/** True while verifiers must accept a key; it stands in the JWKS exactly then. */
export function isPublished(key: KeyTimes, now: Date): boolean {
  return key.retiresAt === null || key.retiresAt > now;
}

/** The key that signs at `now`: the newest whose time has come. */
export function pickSigner<Key extends KeyTimes>(keys: Key[], now: Date): Key | null {
  const ready = keys.filter((key) => key.signsFrom <= now && isPublished(key, now));
  return ready.reduce<Key | null>((best, key) => (best && best.signsFrom > key.signsFrom ? best : key), null);
}

/** True when no key signs now, or the newest one is 30 days old. */
export function needsNewKey(keys: KeyTimes[], now: Date): boolean {
  if (!pickSigner(keys, now)) return true;
  return keys.every((key) => key.signsFrom.getTime() + rotateAfterMs <= now.getTime());
}

/**
 * When a new key starts to sign, and when those before it leave: `retentionMs` after that, so that nothing that was signed
 * loses its key early.
 */
export function scheduleKey(
  keys: KeyTimes[],
  now: Date,
  retentionMs: number,
): { signsFrom: Date; othersRetireAt: Date } {
  const first = pickSigner(keys, now) === null;
  const signsFrom = new Date(now.getTime() + (first ? -clockSkewMs : publishLeadMs));
  return { signsFrom, othersRetireAt: new Date(signsFrom.getTime() + retentionMs) };
}

/**
 * What has to change among the keys that are left when one was removed; null when nothing has. Somebody always signs, and
 * the one who does has no end while nobody is to follow.
 */
export function planAfterRemoval<Key extends KeyTimes & { kid: string }>(
  remaining: Key[],
  now: Date,
): { kid: string; signsFrom: Date; retiresAt: Date | null } | null {
  const signer = pickSigner(remaining, now);
  const [next] = remaining
    .filter((key) => key.signsFrom > now)
    .sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
  if (!signer) return next ? { kid: next.kid, signsFrom: now, retiresAt: next.retiresAt } : null;
  if (next || signer.retiresAt === null) return null;
  return { kid: signer.kid, signsFrom: signer.signsFrom, retiresAt: null };
}
