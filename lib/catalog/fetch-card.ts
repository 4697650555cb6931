import { hasCode } from '../platform/errors';
import { fetchExternalBody } from '../platform/safe-fetch';
import { quote } from '../protocol/a2a/cards/diagnostics';
import type { CardCandidate } from './card-location';
import { cardUnreachable } from './errors';
import { explainUnreachable } from './explain-unreachable';
import { looksLikeCard } from './looks-like-card';
import { MAX_CARD_BYTES } from './schema';

const searchTimeoutMs = 10_000;
/** For an address that may be an endpoint, which may keep a GET waiting. */
const guessTimeoutMs = 3_000;
/** Longest value of a validator that is kept and sent back. */
const maxValidatorLength = 500;
/** Most addresses that a refusal lists. */
const maxListedAddresses = 5;

/** What a server said of the bytes it sent, to ask for newer ones with (RFC 9110 §13.1). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedCard extends Pick<CardCandidate, 'cardUrl' | 'listedUrl' | 'assumedEndpoint'> {
  /** As they came; nothing about them is known to be true. */
  bytes: Buffer;
  validators: Validators;
}

/**
 * Fetches a card from the first candidate that has one, within 10 s and 1 MB. The content type does not matter. An answer
 * that is no card does not end the search; without a card it is returned when it came from a place of cards, so that its
 * faults can be told.
 * @throws {ParleyError} `card_unreachable`, saying what happened at which address; `url_refused`
 */
export async function fetchCard(candidates: CardCandidate[], signal: AbortSignal): Promise<FetchedCard> {
  const fetched = await fetchNewerCard(candidates, signal);
  if (fetched) return fetched;
  throw cardUnreachable('The address answered 304 although nothing was said of an earlier card.');
}

/**
 * Like {@link fetchCard}, but null when the server says that the card is still the `known` one.
 * @throws what {@link fetchCard} throws
 */
export async function fetchNewerCard(
  candidates: CardCandidate[],
  signal: AbortSignal,
  known?: Validators & { cardUrl: string },
): Promise<FetchedCard | null> {
  const search: Search = {
    signal,
    deadline: AbortSignal.any([signal, AbortSignal.timeout(searchTimeoutMs)]),
    outcomes: [],
  };
  let fallback: FetchedCard | null = null;
  for (const candidate of candidates) {
    const validators = known?.cardUrl === candidate.cardUrl ? known : null;
    const response = await tryCandidate(candidate, validators, search);
    if (!response) continue;
    const { status, headers, bytes } = response;
    if (status === 304 && validators) return null;
    if (status !== 200) {
      search.outcomes.push(`${candidate.cardUrl} ${describeStatus(status, headers.location)}`);
      if (status >= 500 && !candidate.isGuess) break;
      continue;
    }
    const { isGuess, ...source } = candidate;
    const fetched = { ...source, bytes, validators: validatorsOf(headers) };
    if (looksLikeCard(bytes)) return fetched;
    if (!isGuess) fallback ??= fetched;
    search.outcomes.push(`${candidate.cardUrl} answered with ${describeContent(bytes)}`);
  }
  if (fallback) return fallback;
  throw cardUnreachable(noCardMessage(search.outcomes));
}

interface Search {
  signal: AbortSignal;
  /** Ends when the whole search has taken too long. */
  deadline: AbortSignal;
  /** What happened at each address that had no card. */
  outcomes: string[];
}

/** Null when another candidate may still have the card: a guess failed on its own, not the host. */
async function tryCandidate(
  { cardUrl, isGuess }: CardCandidate,
  validators: Validators | null,
  { signal, deadline: within, outcomes }: Search,
): Promise<Awaited<ReturnType<typeof fetchExternalBody>> | null> {
  const waitMs = isGuess ? guessTimeoutMs : searchTimeoutMs;
  try {
    return await getCard(cardUrl, validators, { signal: within, totalMs: waitMs });
  } catch (error) {
    if (signal.aborted) throw error;
    const isOwn = hasCode(error, 'agent_timeout') || hasCode(error, 'agent_misbehaved');
    if (!isGuess || !isOwn || within.aborted) throw explainUnreachable(cardUrl, error, waitMs);
    outcomes.push(`${cardUrl} sent no complete answer that could be a card`);
    return null;
  }
}

function getCard(
  url: string,
  known: Validators | null,
  wait: { signal: AbortSignal; totalMs: number },
): ReturnType<typeof fetchExternalBody> {
  const headers = {
    accept: 'application/json, */*;q=0.1',
    // Servers that offer several shapes of one card: a signature covers that of 1.0.
    'a2a-version': '1.0',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
  return fetchExternalBody({ url, method: 'GET', headers, maxBytes: MAX_CARD_BYTES, ...wait });
}

function validatorsOf(headers: Record<string, string>): Validators {
  const bounded = (value: string | undefined): string | null =>
    value && value.length <= maxValidatorLength ? value : null;
  return { etag: bounded(headers.etag), lastModified: bounded(headers['last-modified']) };
}

function describeStatus(status: number, target: string | undefined): string {
  if (status < 300 || status > 399) return `answered HTTP ${status}`;
  return `redirects${target ? ` to ${quote(target)}` : ''} (HTTP ${status})`;
}

function describeContent(bytes: Buffer): string {
  const start = bytes
    .subarray(0, 200)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start.startsWith('<')) return 'an HTML or XML page';
  return /^[[{]/.test(start) ? 'JSON that is not an A2A card' : 'text that is not JSON';
}

function noCardMessage(outcomes: string[]): string {
  const listed = outcomes.slice(0, maxListedAddresses).join('; ');
  const more =
    outcomes.length > maxListedAddresses ? `; and ${outcomes.length - maxListedAddresses} more addresses had none` : '';
  const redirects = outcomes.some((outcome) => outcome.includes(' redirects'))
    ? ' Redirects are not followed: register the address of the card itself.'
    : '';
  return `No card was found: ${listed}${more}. Expected HTTP 200 and an A2A card in JSON.${redirects}`;
}
