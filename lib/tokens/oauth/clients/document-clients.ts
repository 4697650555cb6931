import { LRUCache } from 'lru-cache';
import { consume } from '../../../limits';
import type { Ctx } from '../../../platform/context';
import { CLIENT_DOCUMENT_CACHE_SIZE } from '../../limits';
import { CLIENT_DOCUMENT_HOST_LIMIT, CLIENT_DOCUMENT_USER_LIMIT } from '../../rate-limits';
import { documentUrlProblem } from './document-url';
import { type DocumentResult, fetchDocument } from './fetch-document';
import { invalidClient, type OAuthClient } from './oauth-client';

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
 * The client whose id is the URL of its metadata document. A document that is not cached is fetched for signed-in users
 * only, so that anonymous callers cannot cause requests of this server.
 * @throws {OAuthError} `invalid_client`
 * @throws {ParleyError} `rate_limited`, by user and by host
 */
export async function findDocumentClient(clientId: string, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<OAuthClient> {
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
