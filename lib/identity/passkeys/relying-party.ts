import { env } from '../../platform/env';

/** Who asks authenticators (WebAuthn Level 3 §4): our host alone, so that a passkey is good for no other page. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** How long an authenticator may take over what it was asked, milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;

/** ES256 and RS256, which every authenticator has one of (COSE algorithm numbers). */
export const ALGORITHMS = [-7, -257];

/** Passkeys that one person may have. */
export const MAX_PASSKEYS = 20;
