import { asParleyError } from '../platform/errors';
import { checkEgressUrl } from '../platform/safe-fetch';
import { type CardReading, readCard } from '../protocol/a2a/cards/read-card';
import type { CardLocation } from './card-location';
import { type FetchedCard, fetchCard } from './fetch-card';
import { answersJsonRpc } from './probe-endpoint';

export type CheckedCard = FetchedCard & { reading: CardReading };

/**
 * Fetches and reads the card of an address. A card that names no address passes when the agent answers JSON-RPC where
 * Web42 would call it.
 * @throws {ParleyError} `card_unreachable`, `url_refused`; faults of the card are in the reading
 */
export async function checkCard(location: CardLocation, signal: AbortSignal): Promise<CheckedCard> {
  const fetched = await fetchCard(location, signal);
  const { assumedEndpoint } = location;
  const reading = readCard(fetched.bytes, { cardUrl: fetched.cardUrl, assumedEndpoint, refusalOf });
  if (!reading.ok || !reading.faultIfSilent || (await answersJsonRpc(reading.endpoint.url, signal))) {
    return { ...fetched, reading };
  }
  return { ...fetched, reading: { ok: false, faults: [reading.faultIfSilent], warnings: reading.warnings } };
}

function refusalOf(url: string): string | null {
  try {
    checkEgressUrl(url);
    return null;
  } catch (error) {
    return asParleyError(error)?.message ?? 'This address cannot be used.';
  }
}

/** The origin calls would go to, when it is another one than the card came from. */
export function otherOriginOf({ cardUrl, reading }: CheckedCard): { found: string; expected: string } | null {
  if (!reading.ok) return null;
  const origin = { found: new URL(reading.endpoint.url).origin, expected: new URL(cardUrl).origin };
  return origin.found === origin.expected ? null : origin;
}
