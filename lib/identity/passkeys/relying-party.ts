import { env } from '../../platform/runtime/env';

/** Our relying party (WebAuthn Level 3 §4): this host only, so that a passkey is valid at no other site. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}
