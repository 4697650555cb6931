import { createHash } from 'node:crypto';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/**
 * Registers clients of other hosts, connects one to the user's account, and blocks another.
 *
 * @param {import('@playwright/test').Page} page a page of the signed-in user
 * @param {string} origin
 * @param {(method: string, path: string, data?: object) => Promise<Record<string, string>>} send
 * @returns {Promise<{ consent: string, consentApp: string }>} paths of consent pages: of a program on this computer that
 *   cannot be verified, and of a developer app
 */
export async function connectHosts(page, origin, send) {
  const register = (name, uri) => send('POST', '/oauth/register', { client_name: name, redirect_uris: [uri] });
  const [local, hosted, scraper] = [
    await register('Cursor', 'http://127.0.0.1:8765/callback'),
    await register('Notes', 'https://notes.example/callback'),
    await register('Scraper', 'https://scraper.example/callback'),
  ];
  const app = await send('POST', '/api/apps', { name: 'Travel planner' });
  await send('PUT', `/api/apps/${app.id}/redirect-uris`, { redirectUris: ['https://travel.example/callback'] });
  const form = { ...requestOf(origin, hosted.client_id, 'https://notes.example/callback'), decision: 'allow' };
  await page.request.post('/oauth/authorize', { form, headers: { origin }, maxRedirects: 0 });
  await send('POST', '/api/moderation/blocked-clients', { clientId: scraper.client_id, reason: 'Collects addresses.' });
  return {
    consent: consentPath(requestOf(origin, local.client_id, 'http://127.0.0.1:8765/callback')),
    consentApp: consentPath(requestOf(origin, app.clientId, 'https://travel.example/callback')),
  };
}

function requestOf(origin, clientId, redirectUri) {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: `${origin}/mcp`,
    state: 'screenshots',
  };
}

function consentPath(request) {
  return `/oauth/authorize?${new URLSearchParams(request)}`;
}
