import { CLOCK_SKEW_SECONDS } from '../../protocol/limits';
import type { AgentTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';

/** True while the token is valid and its lifetime does not exceed the maximum. `now` in seconds. */
export function isWithinLifetime(claims: Pick<AgentTokenClaims, 'iat' | 'nbf' | 'exp'>, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}
