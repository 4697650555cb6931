import { asParleyError } from '../platform/errors';
import { egressText } from '../platform/safe-fetch';
import { quote } from '../protocol/a2a/cards/fault';
import type { CardLocation } from './card-location';
import { cardUnreachable } from './errors';
import { MAX_CARD_BYTES } from './schema';

const totalMs = 10_000;

export interface FetchedCard {
  cardUrl: string;
  /** As they came; nothing about them is known to be true. */
  bytes: Buffer;
}

/**
 * Fetches a card from the first candidate that has one, within 10 s and 1 MB. The content type does not matter.
 * @throws {ParleyError} `card_unreachable`, in one and the same words for closed, filtered, silent and broken;
 *   `url_refused`
 */
export async function fetchCard(location: CardLocation, signal: AbortSignal): Promise<FetchedCard> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
  const statuses: number[] = [];
  for (const cardUrl of location.candidates) {
    const answer = await getCard(cardUrl, within).catch((error: unknown) => {
      throw signal.aborted ? error : explain(error);
    });
    if (answer.status === 200) return { cardUrl, bytes: answer.bytes };
    if (answer.status >= 300 && answer.status < 400) throw redirected(cardUrl, answer.headers.location);
    statuses.push(answer.status);
    if (answer.status >= 500) break;
  }
  const tried = location.candidates.slice(0, statuses.length).join(' and ');
  throw cardUnreachable(
    `No card came from ${tried}: found status ${statuses.join(' and ')}, expected 200 and a card in JSON.`,
  );
}

function getCard(url: string, signal: AbortSignal): ReturnType<typeof egressText> {
  const headers = { accept: 'application/json, */*;q=0.1' };
  return egressText({ url, method: 'GET', headers, signal, maxBytes: MAX_CARD_BYTES, totalMs });
}

function redirected(cardUrl: string, target: string | undefined): Error {
  const to = target ? ` to ${quote(target)}` : '';
  return cardUnreachable(
    `${cardUrl} redirects${to}. Redirects are not followed: register the address of the card itself.`,
  );
}

function explain(error: unknown): unknown {
  const known = asParleyError(error);
  if (known?.code === 'url_refused') return known;
  if (known?.code === 'agent_misbehaved') return cardUnreachable(known.message, known);
  return cardUnreachable(
    `No complete answer came within ${totalMs / 1000} s. Check that the address is reachable from the Internet over https.`,
    error,
  );
}
