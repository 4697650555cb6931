import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type AgentRecord, findAgent } from '../../catalog';
import { env } from '../../platform/runtime/env';
import { deriveKey } from '../../platform/secrets/crypto';
import { CLOCK_SKEW_SECONDS } from '../../protocol/limits';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import type { AgentTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import { mayCall } from '../authorization';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';

const IV_BYTES = 16;
const CREDENTIAL_PATTERN = /^(ses|pat|usr|sec|app|dlg|prb)_[0-9a-z]{20}$/;

/**
 * Creates a token id: 128 random bits, followed by the encrypted id of the credential from which the token was issued.
 * Introspection therefore finds the credential without a row, and tokens cannot be linked to each other. The token's
 * signature protects the id.
 */
export function newTokenId(credentialId: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-ctr', deriveKey('jti'), iv);
  return Buffer.concat([iv, cipher.update(credentialId, 'utf8'), cipher.final()]).toString('base64url');
}

/** Returns the credential in one of our token ids, or null. */
export function credentialOf(jti: string): string | null {
  const bytes = Buffer.from(jti, 'base64url');
  if (bytes.length <= IV_BYTES) return null;
  const decipher = createDecipheriv('aes-256-ctr', deriveKey('jti'), bytes.subarray(0, IV_BYTES));
  const id = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString();
  return CREDENTIAL_PATTERN.test(id) ? id : null;
}

/**
 * Returns true while the token is valid and its lifetime does not exceed the maximum. `now` is in seconds since 1970.
 */
export function isWithinLifetime(claims: Pick<AgentTokenClaims, 'iat' | 'nbf' | 'exp'>, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}

/** Returns the only audience of an agent's tokens, which is also the agent's URL. */
export function audienceOf(slug: string): string {
  return `${env().APP_URL}/agents/${slug}`;
}

/** Endpoints of one agent under our origin. Each is a resource of RFC 9728, and one token is valid at all of them. */
const AGENT_ENDPOINTS = [
  /^\/agents\/([\w-]+)$/,
  /^\/agents\/([\w-]+)\/(?:society|tasks\/process|a2a\/(?:jsonrpc|rpc|agent\/authenticatedExtendedCard|rest(?:\/[^?#]*)?))$/,
  /^\/v1\/(?:agents|agent-systems)\/([\w-]+)\/a2a$/,
];

/** Endpoints at which each call specifies the agent. As a resource, they denote the default agent. */
const SHARED_ENDPOINTS = ['/', '/a2a', '/a2a/jsonrpc', '/a2a/rpc', '/tasks/process'];

/**
 * Returns the slug of the agent in a resource indicator (RFC 8707 §2), which is its audience or one of its endpoints.
 */
function slugOf(resource: string): string | undefined {
  const { APP_URL, DEFAULT_AGENT } = env();
  if (!resource.startsWith(`${APP_URL}/`)) return undefined;
  const path = resource.slice(APP_URL.length);
  if (SHARED_ENDPOINTS.includes(path)) return DEFAULT_AGENT;
  for (const pattern of AGENT_ENDPOINTS) {
    const slug = pattern.exec(path)?.[1];
    if (slug !== undefined) return slug;
  }
  return undefined;
}

/**
 * Finds the agent that a token request specifies by `resource` (RFC 8707 §2), by `audience` (RFC 8693 §2.1), or by both
 * if they agree. Only an exact match with its URL or one of its endpoints counts.
 * @throws {OAuthError} `invalid_target` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function findTarget(
  principal: string,
  { resource, audience }: { resource?: string; audience?: string },
): Promise<AgentRecord> {
  const [slug, ...others] = [resource, audience].flatMap((named) => (named === undefined ? [] : [slugOf(named)]));
  const areEqual = others.every((other) => other === slug);
  const agent = areEqual && slug !== undefined ? await findAgent(slug) : null;
  if (agent && mayCall(principal, agent)) return agent;
  const prefix = audienceOf('');
  throw new OAuthError('invalid_target', `Expected "resource" to be one agent that you may call: ${prefix}{slug}.`);
}
