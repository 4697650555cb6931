import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';

/** Why there is no passkey: keys of `payments.createAuthenticationOptions`. */
type PasskeyFault = 'alreadyThere' | 'notUsed' | 'unusable';

/** What came of asking for a passkey: what it made, or why not. */
export type PasskeyAnswer<Made> = { ok: true; made: Made } | { ok: false; reason: PasskeyFault };

/** Has a passkey sign what the server asks to be signed. The script for it comes when it is first needed. */
export async function signWithPasskey(
  options: Record<string, unknown>,
): Promise<PasskeyAnswer<AuthenticationResponseJSON>> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return answerOf(() => startAuthentication({ optionsJSON: options as Partial<Options> as Options }));
}

/** Has the device make a new passkey. */
export async function createPasskey(
  options: Record<string, unknown>,
): Promise<PasskeyAnswer<RegistrationResponseJSON>> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  return answerOf(() => startRegistration({ optionsJSON: options as Partial<Options> as Options }));
}

async function answerOf<Made>(ask: () => Promise<Made>): Promise<PasskeyAnswer<Made>> {
  try {
    return { ok: true, made: await ask() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** Names of the errors that WebAuthn defines. */
function reasonOf(error: unknown): PasskeyFault {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'alreadyThere';
  if (name === 'NotAllowedError') return 'notUsed';
  return 'unusable';
}
