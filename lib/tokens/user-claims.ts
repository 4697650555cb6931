import { findUser } from '../identity';
import type { AgentScope } from '../platform/context';

/** What an agent is told of the person, as far as they granted it: an address by `email`, a name by `profile` (INT-9). */
export async function userClaims(
  principal: string,
  scopes: readonly AgentScope[],
): Promise<{ email?: string; name?: string }> {
  const needsUser = scopes.includes('email') || scopes.includes('profile');
  const user = needsUser ? await findUser(principal) : null;
  return {
    ...(user && scopes.includes('email') && { email: user.email }),
    ...(user && scopes.includes('profile') && { name: user.name }),
  };
}
