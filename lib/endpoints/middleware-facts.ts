import type { IncomingMessage } from 'node:http';
import { findAgent, maySeeAgent } from '../catalog';
import { viewerOf } from '../http/credentials';
import { isAuthorizationPage } from '../http/pages/page-requests';
import { checkRedirect } from '../tokens';

/** Passes data about the requested page to the middleware in headers that clients cannot set. */
export async function setPageHeaders(request: IncomingMessage, path: string): Promise<void> {
  await setGoneHeader(request, path);
  await setRedirectHeader(request, path);
}

/**
 * Passes the reason why an agent's page is unavailable to the middleware in a header, because only a rewrite by the
 * middleware can respond with 410.
 */
async function setGoneHeader(request: IncomingMessage, path: string): Promise<void> {
  delete request.headers['x-parley-gone'];
  const slug = /^\/agents\/([\w-]{1,60})\/?$/.exec(path)?.[1];
  const agent = slug ? await findAgent(slug) : null;
  if (!agent?.everPublic) return;
  if (agent.status === 'withdrawn') request.headers['x-parley-gone'] = 'withdrawn';
  else if (agent.status === 'suspended' && !maySeeAgent(await viewerOf(request.headers.cookie), agent)) {
    request.headers['x-parley-gone'] = 'removed';
  }
}

/**
 * Passes the permitted redirect target of the form on the consent page to the middleware in a header: the origin or
 * scheme of a valid request, or `refused`.
 */
async function setRedirectHeader(request: IncomingMessage, path: string): Promise<void> {
  delete request.headers['x-parley-redirect'];
  if (!isAuthorizationPage(path)) return;
  const [, ...query] = (request.url ?? '').split('?');
  const ctx = { actor: await viewerOf(request.headers.cookie), now: new Date() };
  const check = await checkRedirect({ ctx, input: { query: query.join('?') } });
  if (check.kind !== 'unknown')
    request.headers['x-parley-redirect'] = check.kind === 'valid' ? check.source : 'refused';
}
