import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createCache } from '../platform/cache';
import type { Call, GuestActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { networkOf } from '../platform/http-client/client-address';
import { newId } from '../platform/ids';
import { constantTimeEqual, hmac, newSecret, sha256 } from '../platform/secrets/crypto';
import {
  GUEST_CACHE_SIZE,
  GUEST_LIFETIME_MS,
  PROOF_COUNTER_MAX,
  PROOF_COUNTER_MIN,
  PROOF_KEY_ITERATIONS,
  PROOF_LIFETIME_MS,
} from './limits';
import { admitGuestWithoutProof, limitGuests } from './rate-limits';
import type { GuestProof } from './schema-views';
import type { StartedSession } from './sessions/sessions';
import { type Guest, insertGuest, selectGuest, selectGuestByHash } from './store/guest-rows';
import type { ClientInfo } from './store/session-rows';

const guestsByHash = createCache({ max: GUEST_CACHE_SIZE, topic: 'credential', load: selectGuestByHash });
const guestsById = createCache({ max: GUEST_CACHE_SIZE, topic: 'credential', load: selectGuest });

/**
 * Starts a guest session in a browser that has none. The cookie value is random and signed, so Parley never accepts one
 * that the browser chose. Requires no authorization. Returns null for users and guests, who already have a session.
 * @throws {ParleyError} `proof_required` with a challenge, if the network has many guests; `rate_limited` if it has too
 *   many; `invalid_request` for a proof that is wrong, expired or used
 */
export async function startGuest({
  ctx,
  input,
}: Call<{ client: Omit<ClientInfo, 'locale'>; proof?: GuestProof }>): Promise<StartedSession | null> {
  const { actor, now } = ctx;
  if (actor.kind === 'user' || actor.kind === 'guest') return null;
  const { client, proof } = input;
  const network = networkOf(client.address);
  const proofId = proof ? await identifyProof(proof) : null;
  if (proof && proofId === null) throw invalidProof();
  if (!proof && !(await admitGuestWithoutProof(network))) throw await proofRequired(now);
  await limitGuests(network);
  const secret = newSecret('');
  const id = newId('gst');
  const expiresAt = new Date(now.getTime() + GUEST_LIFETIME_MS);
  const guest = { id, network, browserHash: sha256(client.userAgent), expiresAt };
  if (!(await insertGuest({ ...guest, tokenHash: sha256(secret), proofId, createdAt: now }))) throw invalidProof();
  return { token: `${secret}.${signatureOf(secret)}`, expires: expiresAt };
}

/**
 * Creates a principal for a caller without an account who pays, and returns its id (`pyr_…`). It has no cookie, so only
 * the agent tokens that are issued to it can use it; it is erased like a guest.
 */
export async function createPayer({
  address,
  expiresAt,
  now,
}: Record<'expiresAt' | 'now', Date> & { address: string }): Promise<string> {
  const id = newId('pyr');
  const guest = { id, network: networkOf(address), browserHash: '', expiresAt };
  await insertGuest({ ...guest, tokenHash: sha256(newSecret('')), proofId: null, createdAt: now });
  return id;
}

function signatureOf(secret: string): string {
  return hmac('guest-cookie', secret);
}

function invalidProof(): ParleyError {
  return new ParleyError('invalid_request', 'proof: it is wrong, expired or already used. Request a new challenge.', {
    data: { faults: [{ pointer: '/proof', message: 'expected the solution of a new challenge' }] },
  });
}

/**
 * Returns the guest of a guest cookie; null if it is forged, unknown or expired, or comes from another browser. A
 * forged cookie causes no query.
 */
export async function findGuestActor(
  cookie: string,
  { userAgent, now }: { userAgent: string; now: Date },
): Promise<GuestActor | null> {
  const [, secret = '', signature = ''] = /^([\w-]{43})\.([\w-]{43})$/.exec(cookie) ?? [];
  if (secret === '' || !constantTimeEqual(signature, signatureOf(secret))) return null;
  const guest = await guestsByHash.get(sha256(secret));
  if (!isActive(guest, now) || guest.browserHash !== sha256(userAgent)) return null;
  return { kind: 'guest', userId: guest.id, credential: { kind: 'guest', id: guest.id } };
}

/** Returns the active guest with this id; null if there is none. Tokens issued for the guest's tasks depend on this. */
export async function findActiveGuest(id: string, now: Date): Promise<{ userId: string } | null> {
  const guest = await guestsById.get(id);
  return isActive(guest, now) ? { userId: guest.id } : null;
}

/** Returns the network from which a guest came; null if the guest does not exist. */
export async function findGuestNetwork(id: string): Promise<string | null> {
  return (await guestsById.get(id))?.network ?? null;
}

function isActive(guest: Guest | null, now: Date): guest is Guest {
  return guest !== null && guest.expiresAt > now;
}

/** Returns the error that asks a browser for a proof of work. `data.challenge` is an ALTCHA challenge (version 2). */
async function proofRequired(now: Date): Promise<ParleyError> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: PROOF_KEY_ITERATIONS,
    counter: randomInt(PROOF_COUNTER_MIN, PROOF_COUNTER_MAX),
    deriveKey,
    expiresAt: new Date(now.getTime() + PROOF_LIFETIME_MS),
    ...secrets(),
  });
  const text = 'Many visitors without an account came from your network. Send a proof of work as "proof", or sign in.';
  return new ParleyError('proof_required', text, { data: { challenge } });
}

/**
 * Returns the id of a valid proof of work, with which it can be accepted only once; null for a proof that is wrong,
 * expired or not for one of our challenges.
 */
async function identifyProof(proof: GuestProof): Promise<string | null> {
  try {
    const { verified } = await verifySolution({ ...proof, deriveKey, ...secrets() });
    return verified ? sha256(proof.challenge.signature) : null;
  } catch {
    return null;
  }
}

function secrets(): { hmacSignatureSecret: string; hmacKeySignatureSecret: string } {
  return {
    hmacSignatureSecret: hmac('guest-proof', 'challenge'),
    hmacKeySignatureSecret: hmac('guest-proof', 'key'),
  };
}
