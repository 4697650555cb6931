import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { errorFields, log } from '../../platform/log';
import { consumeChallenge, type Passkey, recordPasskeyUse, selectPasskeys } from '../store/passkeys';
import { passkeyRejected } from './errors';
import { relyingParty } from './relying-party';

/** What a passkey signed, kept as evidence (WebAuthn §7.2). All base64url. */
export interface PasskeyEvidence {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

/**
 * Holds the answer of an authenticator against what this person was asked for this purpose: our page, this very challenge,
 * the person verified, one of their own passkeys, its counter forward, once.
 * @throws {ParleyError} `passkey_refused`, whatever it was
 */
export async function verifyAssertion(answer: {
  userId: string;
  purpose: string;
  response: AuthenticationResponseJSON;
  now: Date;
}): Promise<PasskeyEvidence> {
  const { userId, purpose, response, now } = answer;
  const expectedChallenge = await consumeChallenge({ userId, purpose, now });
  const passkey = (await selectPasskeys(userId)).find(({ id }) => id === response.id);
  if (!expectedChallenge || !passkey) throw passkeyRejected();
  const counter = await checkAssertion({ passkey, challenge: expectedChallenge, response, party: relyingParty() });
  if (counter === null || !(await recordPasskeyUse(passkey, counter, now))) throw passkeyRejected();
  const { clientDataJSON, authenticatorData, signature } = response.response;
  return { credentialId: passkey.id, clientDataJSON, authenticatorData, signature };
}

interface Assertion {
  passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>;
  challenge: string;
  response: AuthenticationResponseJSON;
  party: { id: string; origin: string };
}

/** The passkey's counter, or null when the answer does not hold. */
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
    log.info('passkey.refused', errorFields(error));
    return null;
  }
}
