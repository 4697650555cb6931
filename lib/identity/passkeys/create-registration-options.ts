import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Ctx } from '../../platform/context';
import { requireFreshAuth } from '../require-fresh-auth';
import { saveChallenge, selectPasskeys } from '../store/passkeys';
import { ALGORITHMS, CHALLENGE_MS, relyingParty } from './relying-party';

/**
 * What the browser asks an authenticator to make a passkey with (PublicKeyCredentialCreationOptionsJSON); good for five
 * minutes and one answer.
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`
 */
export async function createRegistrationOptions({ ctx }: { ctx: Ctx }): Promise<object> {
  const { userId, email } = await requireFreshAuth({ ctx });
  const known = await selectPasskeys(userId);
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(userId),
    userName: email,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const expiresAt = new Date(ctx.now.getTime() + CHALLENGE_MS);
  await saveChallenge({ challenge: options.challenge, userId, purpose: 'enroll', expiresAt }, ctx.now);
  return options;
}
