import { asParleyError } from '../platform/errors';
import { egressText } from '../platform/safe-fetch';
import { quote } from '../protocol/a2a/cards/fault';
import type { CardLocation } from './card-location';
import { cardUnreachable } from './errors';
import { MAX_CARD_BYTES } from './schema';

const totalMs = 10_000;
/** Longest value of a validator that is kept and sent back. */
const maxValidator = 500;

/** What a server said of the bytes it sent, to ask for newer ones with (RFC 9110 §13.1). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedCard {
  cardUrl: string;
  /** As they came; nothing about them is known to be true. */
  bytes: Buffer;
  validators: Validators;
}

/**
 * Fetches a card from the first candidate that has one, within 10 s and 1 MB. The content type does not matter.
 * @throws {ParleyError} `card_unreachable`, in one and the same words for closed, filtered, silent and broken;
 *   `url_refused`
 */
export async function fetchCard(location: CardLocation, signal: AbortSignal): Promise<FetchedCard> {
  const fetched = await fetchNewerCard(location, signal);
  if (fetched) return fetched;
  throw cardUnreachable('The address answered 304 although nothing was said of an earlier card.');
}

/**
 * Like {@link fetchCard}, but null when the server says that the card is still the `known` one.
 * @throws what {@link fetchCard} throws
 */
export async function fetchNewerCard(
  location: Pick<CardLocation, 'candidates'>,
  signal: AbortSignal,
  known?: Validators & { cardUrl: string },
): Promise<FetchedCard | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
  const statuses: number[] = [];
  for (const cardUrl of location.candidates) {
    const validators = known?.cardUrl === cardUrl ? known : null;
    const answer = await getCard(cardUrl, validators, within).catch((error: unknown) => {
      throw signal.aborted ? error : explain(error);
    });
    const { status, headers, bytes } = answer;
    if (status === 200) return { cardUrl, bytes, validators: validatorsOf(headers) };
    if (status === 304 && validators) return null;
    if (status >= 300 && status < 400) throw redirected(cardUrl, headers.location);
    statuses.push(status);
    if (status >= 500) break;
  }
  const tried = location.candidates.slice(0, statuses.length).join(' and ');
  throw cardUnreachable(
    `No card came from ${tried}: found status ${statuses.join(' and ')}, expected 200 and a card in JSON.`,
  );
}

function getCard(url: string, known: Validators | null, signal: AbortSignal): ReturnType<typeof egressText> {
  const headers = {
    accept: 'application/json, */*;q=0.1',
    // Servers that offer several shapes of one card: a signature covers that of 1.0.
    'a2a-version': '1.0',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
  return egressText({ url, method: 'GET', headers, signal, maxBytes: MAX_CARD_BYTES, totalMs });
}

function validatorsOf(headers: Record<string, string>): Validators {
  const kept = (value: string | undefined): string | null => (value && value.length <= maxValidator ? value : null);
  return { etag: kept(headers.etag), lastModified: kept(headers['last-modified']) };
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
