import { asParleyError } from '../platform/errors';
import { checkExternalUrl } from '../platform/safe-fetch';
import { type CardReading, readCard } from '../protocol/a2a/cards/read-card';
import type { JsonObject } from '../protocol/json';
import type { FetchedCard } from './fetch-card';
import { answersJsonRpc } from './probe-endpoint';
import type { SignatureVerdict } from './schema';
import { verifySignatures } from './verify-signatures';

export type CheckedCard = FetchedCard & { reading: CardReading; signature: SignatureVerdict };

/**
 * Reads a fetched card and checks its signatures. A card that names no address passes when the agent answers JSON-RPC
 * where Web42 would call it.
 * @throws only when `signal` aborts; faults of the card are in the reading
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
  return { ...fetched, reading, signature: await verifySignatures({ card: jsonOf(bytes), cardUrl }, { signal, now }) };
}

/** What was just read as a card: strict JSON, an object. */
function jsonOf(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as JsonObject;
}

/** Why an address must not be called, or null. */
export function refusalOf(url: string): string | null {
  try {
    checkExternalUrl(url);
    return null;
  } catch (error) {
    return asParleyError(error)?.message ?? 'This address cannot be used.';
  }
}

/** The origins calls may go to other than the one the card came from and those `agreed` on, when there are any. */
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
