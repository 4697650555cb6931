import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import { passkeyChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { requireFreshAuth } from '../require-fresh-auth';
import type { PasskeyView } from '../schema';
import { consumeChallenge, insertPasskey, type Passkey } from '../store/passkeys';
import { toPasskeyView } from '../to-wire';
import { passkeyRejected } from './errors';
import { ALGORITHMS, MAX_PASSKEYS, relyingParty } from './relying-party';

/**
 * Keeps a new passkey, when the authenticator made it for our page, for what was asked, and knew its person (WebAuthn §7.1).
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`, `passkey_refused`; `conflict` when it is there already or there
 *   are 20
 */
export async function verifyRegistration({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { name: string; credential: RegistrationResponseJSON };
}): Promise<PasskeyView> {
  const { userId } = await requireFreshAuth({ ctx });
  const registered = await verify(ctx, userId, input.credential);
  const { id, publicKey, counter, transports = [] } = registered;
  const passkey: Passkey = {
    id,
    userId,
    name: input.name,
    publicKey,
    counter,
    transports: transports.slice(0, 10),
    createdAt: ctx.now,
    lastUsedAt: null,
  };
  const audit = passkeyChanged(ctx, { userId, id, change: 'added' });
  const outcome = await insertPasskey(passkey, { limit: MAX_PASSKEYS, audit });
  if (outcome === 'added') return toPasskeyView(passkey);
  if (outcome === 'taken') throw new ParleyError('conflict', 'This passkey is registered already.');
  throw new ParleyError('conflict', `You have ${MAX_PASSKEYS} passkeys, the most there can be. Remove one first.`);
}

async function verify(ctx: Ctx, userId: string, response: RegistrationResponseJSON) {
  const expectedChallenge = await consumeChallenge({ userId, purpose: 'enroll', now: ctx.now });
  if (!expectedChallenge) throw passkeyRejected();
  const { id, origin } = relyingParty();
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
  const result = await verifyRegistrationResponse({
    ...expected,
    response,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    log.info('passkey.refused', { requestId: ctx.requestId, ...errorFields(error) });
    throw passkeyRejected();
  });
  if (!result.verified) throw passkeyRejected();
  return result.registrationInfo.credential;
}
