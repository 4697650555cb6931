import { findAgent } from '../../../catalog';
import { env } from '../../../platform/runtime/env';
import { mayCall } from '../../authorization';

const AGENT_RESOURCE = /^\/agents\/([\w-]+)\/mcp$/;

/**
 * The URLs of the OpenAI-compatible API, which are one resource; those of A2A agents below `/v1` are separate
 * resources.
 */
const API_URL = /^\/v1\/(?:models|chat|responses|files)(?:\/|$)/;

/**
 * The resource of a request. A client that was refused at a URL of the OpenAI-compatible API specifies that URL, as in
 * its metadata (RFC 9728 §3.3).
 */
export function readResource(named: string | undefined): string {
  const { APP_URL } = env();
  if (named === undefined) return `${APP_URL}/mcp`;
  const isApiUrl = named.startsWith(`${APP_URL}/`) && API_URL.test(named.slice(APP_URL.length));
  return isApiUrl ? `${APP_URL}/v1` : named;
}

/** The name of a resource, for the user; null when connected apps cannot receive tokens for it. */
export async function nameOfResource(resource: string): Promise<string | null> {
  const { APP_URL } = env();
  if (!resource.startsWith(`${APP_URL}/`)) return null;
  const path = resource.slice(APP_URL.length);
  if (path === '/mcp') return 'Parley (MCP)';
  if (path === '/v1') return 'Parley (OpenAI-compatible API)';
  const agent = await findAgent(slugOf(path));
  return agent && `${agent.name} (MCP)`;
}

/** False for an agent that the user may not call. */
export async function mayConnectTo(userId: string, resource: string): Promise<boolean> {
  const slug = slugOf(resource.slice(env().APP_URL.length));
  if (slug === '') return true;
  const agent = await findAgent(slug);
  return agent !== null && mayCall(userId, agent);
}

function slugOf(path: string): string {
  return AGENT_RESOURCE.exec(path)?.[1] ?? '';
}

/** True when tokens for `resource` are valid at the URL that was called: at that URL, and below `/v1` for that API. */
export function coversUrl(resource: string, called: string): boolean {
  const { origin, pathname } = new URL(called);
  const url = `${origin}${pathname}`;
  if (url === resource || url === `${resource}/`) return true;
  return resource === `${env().APP_URL}/v1` && url.startsWith(`${resource}/`);
}
