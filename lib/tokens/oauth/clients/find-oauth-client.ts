import { LRUCache } from 'lru-cache';
import { cleanName } from '../../../identity';
import { consume } from '../../../limits';
import { createCache } from '../../../platform/cache';
import type { Ctx } from '../../../platform/context';
import { ParleyError } from '../../../platform/errors';
import { fetchExternalBody } from '../../../platform/http-client/safe-fetch';
import { isObject, type JsonObject, parseJson, repeatedMemberIn } from '../../../platform/json';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { readClientMetadata } from '../../../protocol/oauth/client-metadata';
import { findAppClient } from '../../credentials/authenticate-clients';
import {
  BLOCKED_CLIENT_CACHE_SIZE,
  CLIENT_DOCUMENT_CACHE_SIZE,
  CLIENT_DOCUMENT_FAILURE_CACHE_MS,
  CLIENT_DOCUMENT_TIMEOUT_MS,
  MAX_CLIENT_DOCUMENT_BYTES,
  MAX_CLIENT_DOCUMENT_CACHE_MS,
  MAX_CLIENT_ID_LENGTH,
  MIN_CLIENT_DOCUMENT_CACHE_MS,
} from '../../limits';
import { CLIENT_DOCUMENT_HOST_LIMIT, CLIENT_DOCUMENT_USER_LIMIT } from '../../rate-limits';
import { blockKeyOf, isBlocked } from '../../store/client-rows';
import { invalidClient, type OAuthClient, readRegisteredClientId, toOAuthClient } from './oauth-client';

/**
 * Finds the client with this id, which is the URL of a metadata document, or the id of a registered client or developer
 * app.
 * @throws {OAuthError} `invalid_client` for unknown, unreachable, invalid and blocked clients
 * @throws {ParleyError} `rate_limited`
 */
export async function findOAuthClient({
  clientId,
  ctx,
}: {
  clientId: string;
  ctx: Pick<Ctx, 'actor' | 'now'>;
}): Promise<OAuthClient> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) throw unknownClient();
  if (await isBlockedClient(clientId)) throw invalidClient('This client was blocked by a moderator.');
  if (/^https?:/i.test(clientId)) return findDocumentClient(clientId, ctx);
  const metadata = readRegisteredClientId(clientId);
  if (metadata) return toOAuthClient(metadata, { clientId, kind: 'registered', host: null });
  const app = await findAppClient(clientId, ctx.now);
  if (app) return toAppClient(clientId, app);
  throw unknownClient();
}

function toAppClient(clientId: string, { name, redirectUris }: { name: string; redirectUris: string[] }): OAuthClient {
  const grantTypes = ['authorization_code', 'refresh_token'];
  return { clientId, name: cleanName(name) || clientId, redirectUris, kind: 'app', host: null, grantTypes };
}

function unknownClient(): Error {
  return invalidClient('This client is not registered here. Check client_id.');
}

const blocked = createCache<boolean>({ topic: 'client', max: BLOCKED_CLIENT_CACHE_SIZE, load: isBlocked });

/** Returns true if a moderator blocked the client. Cached; notifications invalidate the entry. */
function isBlockedClient(clientId: string): Promise<boolean> {
  return blocked.get(blockKeyOf(clientId));
}

interface DocumentCache {
  /** Results, including failures, so that a host is not requested repeatedly. */
  results: LRUCache<string, DocumentResult & { endsAt: number }>;
  /** Concurrent requests for one document share its fetch. */
  fetches: Map<string, Promise<DocumentResult>>;
}

const documentCache: DocumentCache = {
  results: new LRUCache({ max: CLIENT_DOCUMENT_CACHE_SIZE }),
  fetches: new Map(),
};

/**
 * Finds the client whose id is the URL of its metadata document. A document that is not cached is fetched only for
 * signed-in users, so that anonymous callers cannot cause requests from this server.
 * @throws {OAuthError} `invalid_client`
 * @throws {ParleyError} `rate_limited`, by user and by host
 */
async function findDocumentClient(clientId: string, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<OAuthClient> {
  const problem = documentUrlProblem(clientId);
  if (problem) throw invalidClient(`This client ID cannot be used. ${problem}`);
  const known = documentCache.results.get(clientId);
  const result = known && ctx.now.getTime() < known.endsAt ? known : await fetchOnce(clientId, ctx);
  if ('client' in result) return result.client;
  throw invalidClient(`The metadata document ${clientId} cannot be used. ${result.problem}`);
}

async function fetchOnce(clientId: string, { actor, now }: Pick<Ctx, 'actor' | 'now'>): Promise<DocumentResult> {
  if (actor.kind !== 'user')
    throw invalidClient('Sign in, so that the metadata document of this client can be fetched.');
  await consume(CLIENT_DOCUMENT_USER_LIMIT, actor.userId, now);
  const { fetches } = documentCache;
  const fetching = fetches.get(clientId) ?? fetchAndCache(clientId, now).finally(() => fetches.delete(clientId));
  fetches.set(clientId, fetching);
  return fetching;
}

async function fetchAndCache(clientId: string, now: Date): Promise<DocumentResult> {
  await consume(CLIENT_DOCUMENT_HOST_LIMIT, new URL(clientId).host, now);
  const result = await fetchDocument(clientId);
  documentCache.results.set(clientId, { ...result, endsAt: now.getTime() + result.lifetimeMs });
  return result;
}

/**
 * Returns why this client id cannot be the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document-00
 * §3), or null. Only normalized URLs are accepted (no dot segments, lower-case host, international names in Punycode),
 * because client ids are compared as text. http is accepted only for loopback addresses that `AGENT_URL_ALLOW` permits.
 */
export function documentUrlProblem(clientId: string): string | null {
  if (!URL.canParse(clientId)) return 'It is not a URL.';
  const { href, protocol, hostname, pathname, username, password } = new URL(clientId);
  if (username || password) return 'It contains a user name or password.';
  if (clientId.includes('#')) return 'It has a fragment.';
  if (href !== clientId) return `It is not normalized: expected ${href}.`;
  if (pathname === '/') return 'It has no path.';
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback) ? null : 'It is not https.';
}

/**
 * The client of a metadata document, or the reason why there is none; and the cache lifetime of the result,
 * milliseconds.
 */
type DocumentResult = ({ client: OAuthClient } | { problem: string }) & { lifetimeMs: number };

/**
 * Fetches a client's metadata document through the SSRF guard, without redirects (draft-ietf-oauth-client-id-metadata-
 * document-00 §4). Not aborted when the caller disconnects, because other callers may wait for it.
 * @throws only unexpected errors
 */
async function fetchDocument(clientId: string): Promise<DocumentResult> {
  try {
    const { status, headers, bytes } = await fetchExternalBody({
      url: clientId,
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: new AbortController().signal,
      maxBytes: MAX_CLIENT_DOCUMENT_BYTES,
      totalMs: CLIENT_DOCUMENT_TIMEOUT_MS,
    });
    if (status !== 200) return refuse(`It returned HTTP ${status}; expected 200, without redirects.`);
    if (!isJsonType(headers['content-type'] ?? '')) return refuse('Its Content-Type is not application/json.');
    const text = bytes.toString('utf8');
    const document = parseJson(text);
    const repeated = repeatedMemberIn(text, document);
    if (repeated !== null) return refuse(`It has the member "${repeated.slice(0, 60)}" twice.`);
    const problem = isObject(document) ? documentProblem(document, clientId) : 'It is not a JSON object.';
    if (problem) return refuse(problem);
    const origin = { clientId, kind: 'document', host: new URL(clientId).host } as const;
    return { client: toOAuthClient(readClientMetadata(document), origin), lifetimeMs: cacheLifetimeOf(headers) };
  } catch (error) {
    return refuse(failureOf(error));
  }
}

function isJsonType(contentType: string): boolean {
  return /^application\/(?:json|[\w.-]+\+json) *(?:;|$)/i.test(contentType);
}

function documentProblem(document: JsonObject, clientId: string): string | null {
  if (document.client_id !== clientId) return 'Its client_id is not exactly its URL.';
  if (typeof document.client_name !== 'string' || !document.client_name.trim()) return 'It has no client_name.';
  if ('client_secret' in document || 'client_secret_expires_at' in document) return 'It contains a client secret.';
  const { token_endpoint_auth_method: method = 'none' } = document;
  return method === 'none' ? null : 'Its token_endpoint_auth_method is not "none".';
}

function refuse(problem: string): DocumentResult {
  return { problem, lifetimeMs: CLIENT_DOCUMENT_FAILURE_CACHE_MS };
}

/**
 * Returns one text for every failed connection, as the gateway does, because details would describe the server's
 * network.
 */
function failureOf(error: unknown): string {
  if (error instanceof OAuthError) return error.message;
  if (!(error instanceof ParleyError)) throw error;
  if (error.code === 'url_refused') return error.message;
  if (error.code === 'parse_error') return 'It is not JSON.';
  const limits = `${MAX_CLIENT_DOCUMENT_BYTES} bytes within ${CLIENT_DOCUMENT_TIMEOUT_MS / 1_000} s`;
  return `There was no complete response of at most ${limits}.`;
}

/**
 * Returns the cache lifetime of a metadata document, milliseconds, from its `Cache-Control`, `Age`, `Date` and
 * `Expires` (RFC 9111 §4.2): at least five minutes and at most a day.
 */
function cacheLifetimeOf(headers: Record<string, string>): number {
  const control = headers['cache-control'] ?? '';
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control)?.[1];
  const fresh = maxAge === undefined ? untilExpires(headers) : (Number(maxAge) - ageOf(headers)) * 1_000;
  const wanted = /(?:^|[\s,])no-(?:store|cache)/i.test(control) ? 0 : fresh;
  return Math.min(Math.max(wanted, MIN_CLIENT_DOCUMENT_CACHE_MS), MAX_CLIENT_DOCUMENT_CACHE_MS);
}

function ageOf({ age = '' }: Record<string, string>): number {
  return /^\d{1,9}$/.test(age) ? Number(age) : 0;
}

function untilExpires({ expires = '', date = '' }: Record<string, string>): number {
  const left = Date.parse(expires) - Date.parse(date);
  return Number.isNaN(left) ? 0 : left;
}
