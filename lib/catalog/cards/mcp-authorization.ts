import { ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { isObject, type JsonObject, parseUnambiguousJson } from '../../platform/json';
import { MAX_OAUTH_RESPONSE_BYTES, MAX_QUOTED_URL, OAUTH_TIMEOUT_MS } from '../limits';

/**
 * Returns the token endpoint at which a server's tokens are issued: from its protected resource metadata (RFC 9728 §3), which
 * must be that of this server, and the metadata of its authorization server (RFC 8414 §3). Null if they do not say.
 */
export async function findTokenUrl(
  serverUrl: string,
  { challenge, signal }: { challenge: string; signal: AbortSignal },
): Promise<string | null> {
  const [, metadataUrl = ''] = /resource_metadata="?([^",\s]+)/i.exec(challenge) ?? [];
  const { origin } = new URL(serverUrl);
  if (!URL.canParse(metadataUrl) || new URL(metadataUrl).origin !== origin) return null;
  const resource = await readJson(metadataUrl, signal);
  const isOwn = typeof resource?.resource === 'string' && serverUrl.startsWith(resource.resource.replace(/\/$/, ''));
  const [issuer] = isOwn && Array.isArray(resource.authorization_servers) ? resource.authorization_servers : [];
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return null;
  const metadata = await readJson(metadataUrlOf(issuer), signal);
  const tokenUrl = metadata?.issuer === issuer ? metadata.token_endpoint : null;
  return typeof tokenUrl === 'string' && URL.canParse(tokenUrl) && tokenUrl.length <= MAX_QUOTED_URL ? tokenUrl : null;
}

/** Inserts the well-known path between the host and the path of an issuer. */
function metadataUrlOf(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname.replace(/\/$/, '')}`;
}

async function readJson(url: string, signal: AbortSignal): Promise<JsonObject | null> {
  try {
    const headers = { accept: 'application/json' };
    const limits = { maxBytes: MAX_OAUTH_RESPONSE_BYTES, totalMs: OAUTH_TIMEOUT_MS };
    const { status, bytes } = await fetchExternalBody({ url, method: 'GET', headers, signal, ...limits });
    const value = status === 200 ? parseUnambiguousJson(bytes.toString('utf8')) : null;
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof ParleyError) return null;
    throw error;
  }
}
