import { hasCode, ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { type JsonValue, parseJson } from '../../platform/json';
import { quote } from '../../protocol/a2a/cards/diagnostics';
import { explainUnreachable } from '../cards/fetch-card';
import { IMPORT_DOCUMENT_TIMEOUT_MS, MAX_IMPORT_BYTES, MAX_IMPORT_MEMBERS } from '../limits';

/**
 * Fetches a JSON document from an untrusted URL. Redirects are not followed.
 * @throws {ParleyError} `url_refused`; `catalog_unreadable` with the cause
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<JsonValue> {
  const { status, headers, bytes } = await getDocument(url, signal);
  if (status >= 300 && status < 400) {
    const target = headers.location ? ` to ${quote(headers.location)}` : '';
    throw catalogUnreadable(
      `${url} redirects${target} (HTTP ${status}). Redirects are not followed: import that URL instead.`,
    );
  }
  if (status !== 200)
    throw catalogUnreadable(`${url} returned HTTP ${status}; expected 200 and a list of agents in JSON.`);
  return readDocument(bytes.toString('utf8'), url);
}

async function getDocument(url: string, signal: AbortSignal): ReturnType<typeof fetchExternalBody> {
  const limits = { maxBytes: MAX_IMPORT_BYTES, totalMs: IMPORT_DOCUMENT_TIMEOUT_MS };
  const headers = { accept: 'application/json' };
  try {
    return await fetchExternalBody({ url, method: 'GET', headers, signal, ...limits });
  } catch (error) {
    const known = explainUnreachable(url, error, IMPORT_DOCUMENT_TIMEOUT_MS);
    throw known.code === 'url_refused' ? known : catalogUnreadable(known.message, error);
  }
}

/**
 * Parses the text of a document.
 * @throws {ParleyError} `catalog_unreadable` for text that is not JSON
 */
export function readDocument(text: string, url?: string): JsonValue {
  try {
    return parseJson(text.replace(/^\ufeff/, ''), MAX_IMPORT_MEMBERS);
  } catch (error) {
    if (!hasCode(error, 'parse_error')) throw error;
    const reason = error.message.replace(/^The body is not JSON: /, '');
    throw catalogUnreadable(`${url ?? 'The text'} is not JSON: ${reason} Expected a list of agents in JSON.`, error);
  }
}

/** The error for a document that is not a list of agents. */
export function catalogUnreadable(message: string, cause?: unknown): ParleyError {
  return new ParleyError('catalog_unreadable', message, { cause });
}
