import { hasCode, type ParleyError } from '../../platform/errors';
import { type ConnectionFailure, connectionFailureOf } from '../../platform/http-client/connection-failure';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { quote } from '../../protocol/a2a/cards/diagnostics';
import { cardUnreachable } from '../errors';
import {
  CARD_FETCH_TIMEOUT_MS,
  GUESS_TIMEOUT_MS,
  MAX_CARD_BYTES,
  MAX_LISTED_URLS,
  MAX_VALIDATOR_LENGTH,
  SNIFF_BYTES,
} from '../limits';
import type { Validators } from '../record';
import type { CardCandidate } from './card-location';

/** A response that may be a card. */
export interface FetchedCard extends Pick<CardCandidate, 'cardUrl' | 'listedUrl' | 'assumedEndpoint'> {
  /** The body as received, unverified. */
  bytes: Buffer;
  validators: Validators;
}

/**
 * Fetches a card from the first candidate that serves one, with any content type. If none does, returns the first other
 * document from a well-known path, so that its errors can be reported.
 * @throws {ParleyError} `card_unreachable` with the result at each URL; `url_refused`
 */
export async function fetchCard(candidates: CardCandidate[], signal: AbortSignal): Promise<FetchedCard> {
  const fetched = await fetchNewerCard(candidates, signal);
  if (fetched) return fetched;
  throw cardUnreachable(
    'The server returned status 304 to a request without a validator. Expected status 200 and the card.',
  );
}

/**
 * Like {@link fetchCard}, but returns null if the server returns 304 for the `known` card.
 * @throws the errors of {@link fetchCard}
 */
export async function fetchNewerCard(
  candidates: CardCandidate[],
  signal: AbortSignal,
  known?: Validators & { cardUrl: string },
): Promise<FetchedCard | null> {
  const search: Search = {
    signal,
    deadline: AbortSignal.any([signal, AbortSignal.timeout(CARD_FETCH_TIMEOUT_MS)]),
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
    search.outcomes.push(`${candidate.cardUrl} returned ${describeContent(bytes)}`);
  }
  if (fallback) return fallback;
  throw cardUnreachable(noCardMessage(search.outcomes));
}

interface Search {
  signal: AbortSignal;
  /** Aborts when the entire search times out. */
  deadline: AbortSignal;
  /** The result at each URL that served no card. */
  outcomes: string[];
}

/** Returns null if only this candidate failed, so that another one may still serve the card. */
async function tryCandidate(
  { cardUrl, isGuess }: CardCandidate,
  validators: Validators | null,
  { signal, deadline, outcomes }: Search,
): Promise<Awaited<ReturnType<typeof fetchExternalBody>> | null> {
  const timeoutMs = isGuess ? GUESS_TIMEOUT_MS : CARD_FETCH_TIMEOUT_MS;
  try {
    return await getCard(cardUrl, validators, { signal: deadline, totalMs: timeoutMs });
  } catch (error) {
    if (signal.aborted) throw error;
    const isRecoverable = hasCode(error, 'agent_timeout') || hasCode(error, 'agent_misbehaved');
    if (!isGuess || !isRecoverable || deadline.aborted) throw explainUnreachable(cardUrl, error, timeoutMs);
    outcomes.push(`${cardUrl} did not return a complete response`);
    return null;
  }
}

function getCard(
  url: string,
  known: Validators | null,
  limits: { signal: AbortSignal; totalMs: number },
): ReturnType<typeof fetchExternalBody> {
  const headers = {
    accept: 'application/json, */*;q=0.1',
    // Some servers serve one card in several versions. The signature covers version 1.0.
    'a2a-version': '1.0',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
  return fetchExternalBody({ url, method: 'GET', headers, maxBytes: MAX_CARD_BYTES, ...limits });
}

function validatorsOf(headers: Record<string, string>): Validators {
  const bounded = (value: string | undefined): string | null =>
    value && value.length <= MAX_VALIDATOR_LENGTH ? value : null;
  return { etag: bounded(headers.etag), lastModified: bounded(headers['last-modified']) };
}

function describeStatus(status: number, target: string | undefined): string {
  if (status < 300 || status > 399) return `returned HTTP ${status}`;
  return `redirects${target ? ` to ${quote(target)}` : ''} (HTTP ${status})`;
}

function describeContent(bytes: Buffer): string {
  const start = bytes
    .subarray(0, SNIFF_BYTES)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start.startsWith('<')) return 'an HTML or XML page';
  return /^[[{]/.test(start) ? 'JSON that is not an A2A card' : 'text that is not JSON';
}

function noCardMessage(outcomes: string[]): string {
  const listed = outcomes.slice(0, MAX_LISTED_URLS).join('; ');
  const more = outcomes.length > MAX_LISTED_URLS ? `; and ${outcomes.length - MAX_LISTED_URLS} more URLs had none` : '';
  const redirects = outcomes.some((outcome) => outcome.includes(' redirects'))
    ? ' Redirects are not followed: use the URL of the card itself.'
    : '';
  return `No card found: ${listed}${more}. Expected HTTP 200 and an A2A card in JSON.${redirects}`;
}

const cardMembers = ['url', 'supportedInterfaces', 'supported_interfaces', 'capabilities', 'skills', 'description'];

/**
 * Returns true for a JSON object that has `name` and another member of an A2A card, even if it is otherwise invalid.
 */
function looksLikeCard(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = value as Record<string, unknown>;
    return members.name !== undefined && cardMembers.some((name) => members[name] !== undefined);
  } catch {
    // Not JSON, or nested too deeply.
    return false;
  }
}

/**
 * Returns the error for a card URL that sent no response, with the cause: DNS, connection, TLS, HTTP or timeout. The
 * gateway, in contrast, reports one text for all of these.
 */
export function explainUnreachable(cardUrl: string, error: unknown, timeoutMs: number): ParleyError {
  if (hasCode(error, 'url_refused')) return error;
  if (hasCode(error, 'agent_misbehaved')) return cardUnreachable(`${cardUrl}: ${error.message}`, error);
  const failure = connectionFailureOf(error);
  if (failure) return cardUnreachable(messages[failure](new URL(cardUrl)), error);
  if (hasCode(error, 'agent_timeout') || isTimeout(error)) {
    const text = `${cardUrl} did not return a complete response within ${timeoutMs / 1000} s. Check that the agent is running and answers GET requests at this URL.`;
    return cardUnreachable(text, error);
  }
  return cardUnreachable(`The connection to ${new URL(cardUrl).host} failed. Check the URL.`, error);
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || error.name === 'AbortError' || isTimeout(error.cause);
}

const messages: Record<ConnectionFailure, (url: URL) => string> = {
  refused: ({ host, href }) =>
    `Connection refused: nothing is listening at ${host}. Start the agent, or correct the port in ${href}.`,
  'name-not-found': ({ hostname }) => `The name "${hostname}" does not exist in DNS. Check its spelling.`,
  'name-lookup-failed': ({ hostname }) =>
    `The name "${hostname}" could not be looked up in DNS. Try again in a moment.`,
  'no-route': ({ host }) => `There is no route to ${host}. Check that the URL is reachable from the Internet.`,
  'connect-timeout': ({ host }) =>
    `Connecting to ${host} timed out. Check that the server is running and that no firewall drops connections.`,
  certificate: ({ host }) =>
    `The TLS certificate of ${host} has expired, is not valid for this name, or is not signed by a known authority. Renew or replace the certificate.`,
  tls: ({ host, href }) =>
    `${host} does not use TLS as expected. Check the port, or use ${href.replace(/^https:/, 'http:')} if the server uses plain HTTP.`,
  'not-http': ({ host, protocol }) =>
    `The response from ${host} is not HTTP. Check the port${protocol === 'http:' ? ', or use https:// if the server uses TLS' : ''}.`,
  closed: ({ host }) =>
    `${host} closed the connection before the response was complete. Check the port and the agent's log.`,
};
