import { ParleyError } from '../../../platform/errors';
import { fetchExternalBody } from '../../../platform/http-client/safe-fetch';
import { isObject, type JsonObject, parseJson, repeatedMemberIn } from '../../../platform/json';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { readClientMetadata } from '../../../protocol/oauth/client-metadata';
import { CLIENT_DOCUMENT_FAILURE_CACHE_MS, CLIENT_DOCUMENT_TIMEOUT_MS, MAX_CLIENT_DOCUMENT_BYTES } from '../../limits';
import { cacheLifetimeOf } from './cache-lifetime';
import { type OAuthClient, toOAuthClient } from './oauth-client';

/**
 * The client of a metadata document, or the reason why there is none; and the cache lifetime of the result,
 * milliseconds.
 */
export type DocumentResult = ({ client: OAuthClient } | { problem: string }) & { lifetimeMs: number };

/**
 * Fetches a client's metadata document through the SSRF guard, without redirects (draft-ietf-oauth-client-id-metadata-
 * document-00 §4). Not aborted with the caller, because other callers may wait for it.
 * @throws only unexpected errors
 */
export async function fetchDocument(clientId: string): Promise<DocumentResult> {
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

/** One text for every failed connection, as in the gateway: it does not describe the network of the server. */
function failureOf(error: unknown): string {
  if (error instanceof OAuthError) return error.message;
  if (!(error instanceof ParleyError)) throw error;
  if (error.code === 'url_refused') return error.message;
  if (error.code === 'parse_error') return 'It is not JSON.';
  const limits = `${MAX_CLIENT_DOCUMENT_BYTES} bytes within ${CLIENT_DOCUMENT_TIMEOUT_MS / 1_000} s`;
  return `There was no complete response of at most ${limits}.`;
}
