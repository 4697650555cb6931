import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { saveChallenge, selectPasskeys } from '../store/passkeys';
import { relyingParty } from './relying-party';

/** What a person is asked to confirm with a passkey. */
export interface PasskeyRequest {
  userId: string;
  /** The id of what is confirmed; asked again, the answer to the question before counts no more. */
  purpose: string;
  /** What the authenticator signs: a digest of what is confirmed. */
  challenge: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

/**
 * What the browser asks an authenticator of the person to sign (PublicKeyCredentialRequestOptionsJSON); null when they have
 * no passkey.
 */
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
