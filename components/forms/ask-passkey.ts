import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';

/** Reasons why there is no passkey: keys of `payments.askPasskey`. */
export type PasskeyError = 'alreadyThere' | 'notUsed' | 'unusable';

/** The result of a passkey prompt, or the reason why it failed. */
export type PasskeyAnswer<Made> = { ok: true; made: Made } | { ok: false; reason: PasskeyError };

/** Signs the server's challenge with a passkey. The WebAuthn script is loaded on first use. */
export async function signWithPasskey(
  options: Record<string, unknown>,
): Promise<PasskeyAnswer<AuthenticationResponseJSON>> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return answerOf(() => startAuthentication({ optionsJSON: options as Partial<Options> as Options }));
}

/** Creates a passkey on the device. */
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

/** Error names defined by WebAuthn. */
function reasonOf(error: unknown): PasskeyError {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'alreadyThere';
  if (name === 'NotAllowedError') return 'notUsed';
  return 'unusable';
}
