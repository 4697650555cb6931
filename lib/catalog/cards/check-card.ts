import { ParleyError } from '../../platform/errors';
import { checkExternalUrl, fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { newUuid } from '../../platform/ids';
import { isObject, parseJson } from '../../platform/json';
import { type CardReading, readCard } from '../../protocol/a2a/cards/read-card';
import type { JsonObject } from '../../protocol/json';
import { ENDPOINT_PROBE_TIMEOUT_MS, MAX_ENDPOINT_PROBE_BYTES } from '../limits';
import type { SignatureVerdict } from '../schema-cards';
import type { FetchedCard } from './fetch-card';
import { verifySignatures } from './verify-signatures';

/** A fetched card with its validation result and signature verdict. */
export type CheckedCard = FetchedCard & { reading: CardReading; signature: SignatureVerdict };

/**
 * Validates a fetched card and its signatures. A card without a URL is valid when the agent responds to JSON-RPC at the
 * endpoint that Web42 assumes.
 * @throws only when `signal` aborts; errors of the card are in `reading`
 */
export async function checkCard(
  fetched: FetchedCard,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<CheckedCard> {
  const { bytes, cardUrl, assumedEndpoint } = fetched;
  const reading = readCard(bytes, { cardUrl, assumedEndpoint, refusalOf });
  if (!reading.ok) return { ...fetched, reading, signature: { state: 'unsigned' } };
  if (reading.diagnosticIfSilent && !(await answersJsonRpc(reading.endpoints[0].url, signal))) {
    const silent: CardReading = { ok: false, faults: [reading.diagnosticIfSilent], warnings: reading.warnings };
    return { ...fetched, reading: silent, signature: { state: 'unsigned' } };
  }
  return { ...fetched, reading, signature: await verifySignatures({ card: toJson(bytes), cardUrl }, { signal, now }) };
}

/** True when the URL responds to a JSON-RPC request for an unknown task, or requires a credential. */
async function answersJsonRpc(url: string, signal: AbortSignal): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: newUuid() } });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await fetchExternalBody({
      url,
      method: 'POST',
      headers,
      body,
      signal,
      maxBytes: MAX_ENDPOINT_PROBE_BYTES,
      totalMs: ENDPOINT_PROBE_TIMEOUT_MS,
    });
    if (response.status === 401 || response.status === 403) return true;
    const value = parseJson(response.bytes.toString('utf8'));
    return isObject(value) && value.jsonrpc === '2.0';
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

/** The card as JSON. `readCard` has accepted it as an object. */
function toJson(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as JsonObject;
}

/** The reason why a URL must not be called, or null. */
export function refusalOf(url: string): string | null {
  try {
    checkExternalUrl(url);
    return null;
  } catch (error) {
    return error instanceof ParleyError ? error.message : 'This URL cannot be used.';
  }
}

/** The origins of the card's endpoints other than its own and `allowedOrigins`; null when there are none. */
export function otherOriginOf(
  { cardUrl, reading }: CheckedCard,
  allowedOrigins: string[] = [],
): { found: string; expected: string } | null {
  if (!reading.ok) return null;
  const expected = new URL(cardUrl).origin;
  const origins = new Set(reading.endpoints.map(({ url }) => new URL(url).origin));
  for (const known of [expected, ...allowedOrigins]) origins.delete(known);
  return origins.size === 0 ? null : { found: [...origins].join(', '), expected };
}
