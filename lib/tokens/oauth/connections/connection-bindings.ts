import { findAgent } from '../../../catalog';
import type { Actor } from '../../../platform/context';
import { env } from '../../../platform/runtime/env';
import { sha256 } from '../../../platform/secrets/crypto';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { mayCall } from '../../authorization';
import { findActiveApp } from '../../credentials/authenticate-clients';
import type { ConnectionView } from '../../schema-connections';
import type { OAuthClient } from '../clients/oauth-client';

/**
 * Returns the client id of a caller that can hold tokens of connected apps: an app with its secret, or a public client.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireConnectionClient(actor: Actor): { clientId: string } {
  if (actor.kind === 'app' || actor.kind === 'oauth-client') return actor;
  throw new OAuthError('unauthorized_client', 'This client signs in with a device code, not with the code flow.');
}

/**
 * Returns the key of a client's connections, a hash, because the id of a registered client is too long for an index.
 */
export function hashClientId(clientId: string): string {
  return sha256(clientId);
}

/** Returns false for an app whose owner is suspended or was deleted. Other clients have no owner. */
export async function isActiveClient(clientId: string, now: Date): Promise<boolean> {
  if (!clientId.startsWith('app_')) return true;
  return (await findActiveApp(clientId.slice(0, clientId.lastIndexOf('.')), now)) !== null;
}

const AGENT_RESOURCE = /^\/agents\/([\w-]+)\/mcp$/;

/**
 * The URLs of the OpenAI-compatible API, which are one resource. The URLs of A2A agents under `/v1` are separate
 * resources.
 */
const API_URL = /^\/v1\/(?:models|chat|responses|files)(?:\/|$)/;

/**
 * Returns the resource of a request. A client that was rejected at a URL of the OpenAI-compatible API specifies that
 * URL, as in its metadata (RFC 9728 §3.3).
 */
export function readResource(named: string | undefined): string {
  const { APP_URL } = env();
  if (named === undefined) return `${APP_URL}/mcp`;
  const isApiUrl = named.startsWith(`${APP_URL}/`) && API_URL.test(named.slice(APP_URL.length));
  return isApiUrl ? `${APP_URL}/v1` : named;
}

/** Returns the name of a resource for display; null if connected apps cannot receive tokens for it. */
export async function nameOfResource(resource: string): Promise<string | null> {
  const { APP_URL } = env();
  if (!resource.startsWith(`${APP_URL}/`)) return null;
  const path = resource.slice(APP_URL.length);
  if (path === '/mcp') return 'Parley (MCP)';
  if (path === '/v1') return 'Parley (OpenAI-compatible API)';
  const agent = await findAgent(slugOf(path));
  return agent && `${agent.name} (MCP)`;
}

/** Returns false for an agent that the user may not call. */
export async function mayConnectTo(userId: string, resource: string): Promise<boolean> {
  const slug = slugOf(resource.slice(env().APP_URL.length));
  if (slug === '') return true;
  const agent = await findAgent(slug);
  return agent !== null && mayCall(userId, agent);
}

function slugOf(path: string): string {
  return AGENT_RESOURCE.exec(path)?.[1] ?? '';
}

/**
 * Returns true if tokens for `resource` are valid at the URL that was called: only at that URL, or, for the API under
 * `/v1`, at all of its URLs.
 */
export function coversUrl(resource: string, called: string): boolean {
  const { origin, pathname } = new URL(called);
  const url = `${origin}${pathname}`;
  if (url === resource || url === `${resource}/`) return true;
  return resource === `${env().APP_URL}/v1` && url.startsWith(`${resource}/`);
}

/** Returns true for a redirect URI whose requests only the owner of its host receives. */
export function isWebUri(uri: string): boolean {
  return uri.startsWith('https:');
}

/**
 * Returns true for a redirect URI to a program on the user's computer, where other programs can listen on the same
 * port.
 */
export function isLoopbackUri(uri: string): boolean {
  return uri.startsWith('http:');
}

/** Describes the redirect target for the user. International host names are in Punycode, which reveals look-alikes. */
export function returnsTo(uri: string): string {
  if (isLoopbackUri(uri)) return 'an app on this computer';
  return isWebUri(uri) ? new URL(uri).host : new URL(uri).protocol;
}

/**
 * Returns the redirect URI as a source of a Content Security Policy (CSP3 §2.3.1): its origin, or its scheme with a
 * colon, also for IPv6 addresses, which a source cannot contain.
 */
export function redirectOriginOf(uri: string): string {
  const { origin, protocol, hostname } = new URL(uri);
  return (isWebUri(uri) || isLoopbackUri(uri)) && !hostname.startsWith('[') ? origin : protocol;
}

/** Returns the method by which a client's identity was verified. */
export function verificationOf(kind: OAuthClient['kind']): ConnectionView['verified'] {
  return kind === 'registered' ? 'none' : kind;
}
