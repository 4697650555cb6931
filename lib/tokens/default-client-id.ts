import type { PublicClientId, UserActor } from '../platform/context';

/** The client that a person's tokens are made for: their browser, or what holds an access token. */
export function defaultClientId(user: UserActor): PublicClientId {
  return user.credential.kind === 'session' ? 'parley-web' : 'parley-cli';
}
