import { createHash } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { passkeyRejected } from '../errors';
import { type Passkey, recordPasskeyUse, selectPasskeys } from '../store/passkey-rows';
import { consumeChallenge, saveChallenge } from '../store/sign-in-proofs';

/** Returns the challenge with which a passkey signs a text: its SHA-256. */
export function challengeOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** A request to confirm an operation with a passkey. */
interface PasskeyRequest {
  userId: string;
  /** The id of the confirmed operation. A new challenge for it replaces the previous one. */
  purpose: string;
  /** The text that the authenticator signs: a digest of the confirmed operation. */
  challenge: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

/** Creates WebAuthn authentication options (PublicKeyCredentialRequestOptionsJSON); null if the user has no passkey. */
export async function createAuthenticationOptions(
  request: PasskeyRequest,
  now: Date,
): Promise<Record<string, unknown> | null> {
  const { userId, purpose, challenge, expiresAt } = request;
  const known = await selectPasskeys(userId);
  if (known.length === 0) return null;
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge,
    timeout: expiresAt.getTime() - now.getTime(),
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'required',
  });
  await saveChallenge({ challenge: options.challenge, userId, purpose, expiresAt }, now);
  return { ...options };
}

/** The signed assertion, stored as evidence (WebAuthn §7.2). All base64url. */
export interface PasskeyEvidence {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

/**
 * Verifies an assertion against the challenge of this user and purpose, which it consumes: origin, challenge, user
 * verification, one of the user's own passkeys, and an increased counter.
 * @throws {ParleyError} `passkey_refused`, for any reason
 */
export async function verifyAssertion(input: {
  userId: string;
  purpose: string;
  response: AuthenticationResponseJSON;
  now: Date;
}): Promise<PasskeyEvidence> {
  const { userId, purpose, response, now } = input;
  const expectedChallenge = await consumeChallenge({ userId, purpose, now });
  const passkey = (await selectPasskeys(userId)).find(({ id }) => id === response.id);
  if (!expectedChallenge || !passkey) throw passkeyRejected();
  const counter = await checkAssertion({ passkey, challenge: expectedChallenge, response, party: relyingParty() });
  if (counter === null || !(await recordPasskeyUse(passkey, counter, now))) throw passkeyRejected();
  const { clientDataJSON, authenticatorData, signature } = response.response;
  return { credentialId: passkey.id, clientDataJSON, authenticatorData, signature };
}

/** Returns true if one of the user's passkeys signed this challenge. For stored evidence. */
export async function verifyEvidence({
  userId,
  challenge,
  assertion,
}: {
  userId: string;
  challenge: Uint8Array<ArrayBuffer>;
  assertion: PasskeyEvidence;
}): Promise<boolean> {
  const { credentialId: id, ...signed } = assertion;
  const passkey = (await selectPasskeys(userId)).find((known) => known.id === id);
  if (!passkey) return false;
  const response = { id, rawId: id, type: 'public-key' as const, response: signed, clientExtensionResults: {} };
  const text = Buffer.from(challenge).toString('base64url');
  // The counter was checked when the evidence was stored.
  const unused = { ...passkey, counter: 0 };
  return (await checkAssertion({ passkey: unused, challenge: text, response, party: relyingParty() })) !== null;
}

interface Assertion {
  passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>;
  challenge: string;
  response: AuthenticationResponseJSON;
  party: { id: string; origin: string };
}

/** Returns the passkey's new counter, or null if the assertion is invalid. */
export async function checkAssertion({ passkey, challenge, response, party }: Assertion): Promise<number | null> {
  const { id, publicKey, counter } = passkey;
  const expected = {
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  };
  try {
    const credential = { id, publicKey, counter };
    const result = await verifyAuthenticationResponse({ ...expected, response, credential });
    return result.verified && result.authenticationInfo.userVerified ? result.authenticationInfo.newCounter : null;
  } catch (error) {
    log.info('passkey.rejected', errorFields(error));
    return null;
  }
}

/** Returns our relying party (WebAuthn Level 3 §4): only this host, so that a passkey is valid at no other site. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}
