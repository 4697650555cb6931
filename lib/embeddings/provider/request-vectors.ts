import { postToService, ServiceError, type ServiceResponse } from '../../platform/http-client/post-to-service';
import { EmbeddingsError, type EmbeddingsFailure } from '../embedder';
import { DEFAULT_PAUSE_MS, MAX_DIMENSIONS, MAX_PAUSE_MS, MAX_PROVIDER_RESPONSE_BYTES } from '../limits';
import type { ProviderSettings } from './settings';

/** The provider's properties, determined from its first responses. */
export interface ProviderTraits {
  /** The length of its vectors. */
  dimensions: number | undefined;
  /** False after the provider has rejected the parameter `encoding_format`. */
  acceptsEncodingFormat: boolean;
}

/** The error if the provider rejected these texts, possibly because of their number or length. */
export class RefusedTexts extends EmbeddingsError {
  constructor(readonly status: number) {
    super('unavailable', `The embeddings provider returned status ${status}.`);
  }
}

/** The error if the provider asks for a pause. */
export class Postponed extends EmbeddingsError {
  constructor(
    status: number,
    readonly pauseMs: number,
  ) {
    super('overloaded', `The embeddings provider returned status ${status}.`);
  }
}

/**
 * Requests the normalized vectors of some texts, in their order. Sends one request, and a second one within the same
 * timeout if the provider rejects `encoding_format`.
 * @throws {EmbeddingsError}
 */
export async function requestVectors(
  settings: ProviderSettings,
  traits: ProviderTraits,
  { texts, timeoutMs }: { texts: string[]; timeoutMs: number },
): Promise<Float32Array[]> {
  const startedAt = performance.now();
  const first = await send(settings, { texts, timeoutMs, withFormat: traits.acceptsEncodingFormat });
  if (!(traits.acceptsEncodingFormat && refusesEncodingFormat(first))) return read(first, texts.length, traits);
  const leftMs = Math.max(1, Math.round(timeoutMs - (performance.now() - startedAt)));
  const second = await send(settings, { texts, timeoutMs: leftMs, withFormat: false });
  traits.acceptsEncodingFormat = second.status !== 200;
  return read(second, texts.length, traits);
}

async function send(
  { url, key, model, dimensions }: ProviderSettings,
  { texts, timeoutMs, withFormat }: { texts: string[]; timeoutMs: number; withFormat: boolean },
): Promise<ServiceResponse> {
  const body = {
    model,
    input: texts,
    // Clients of such endpoints request base64 by default, which some proxies forward and some servers parse
    // incorrectly.
    ...(withFormat ? { encoding_format: 'float' } : {}),
    ...(dimensions === undefined ? {} : { dimensions }),
  };
  try {
    return await postToService({ url, key, body, timeoutMs, maxBytes: MAX_PROVIDER_RESPONSE_BYTES });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new EmbeddingsError(reasons[error.reason], `The embeddings provider failed. ${error.message}`);
  }
}

const reasons: Record<ServiceError['reason'], EmbeddingsFailure> = {
  timeout: 'timeout',
  unreachable: 'unavailable',
  redirected: 'unavailable',
  too_large: 'invalid_response',
};

function refusesEncodingFormat({ status, text }: ServiceResponse): boolean {
  return (status === 400 || status === 422) && text.includes('encoding_format');
}

function read({ status, retryAfter, text }: ServiceResponse, count: number, traits: ProviderTraits): Float32Array[] {
  if (status === 429 || (status === 503 && retryAfter !== null)) throw new Postponed(status, pauseOf(retryAfter));
  if (status === 400 || status === 413 || status === 422 || status === 500) throw new RefusedTexts(status);
  if (status !== 200) {
    throw new EmbeddingsError('unavailable', `The embeddings provider returned status ${status}.`);
  }
  const vectors = parseVectors(text, count, traits.dimensions);
  traits.dimensions ??= vectors[0]?.length;
  return vectors;
}

/** Returns `Retry-After`, which is seconds or a date, in milliseconds. */
function pauseOf(retryAfter: string | null): number {
  if (retryAfter === null) return DEFAULT_PAUSE_MS;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_PAUSE_MS : Math.min(Math.max(ms, 0), MAX_PAUSE_MS);
}

const expected = 'Expected the format of an OpenAI-compatible endpoint.';

/**
 * Returns the vectors of a response in the order of the texts, normalized.
 * @param dimensions the length that every vector must have; undefined before the first response
 * @throws {EmbeddingsError} `invalid_response`, without any part of the response
 */
function parseVectors(body: string, count: number, dimensions: number | undefined): Float32Array[] {
  const data = dataOf(body);
  if (data.length !== count) throw invalid(`It has ${data.length} vectors for ${count} texts.`);
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [position, item] of data.entries()) {
    const index = indexOf(item, position);
    if (index >= count || vectors[index]) throw invalid('Its indexes are not those of the texts.');
    vectors[index] = vectorOf(item, dimensions ?? vectors.find(Boolean)?.length);
  }
  return vectors.filter((vector) => vector !== undefined);
}

function dataOf(body: string): unknown[] {
  const parsed = parseJson(body);
  const data = isRecord(parsed) ? parsed.data : undefined;
  if (!Array.isArray(data)) throw invalid(`It has no list "data". ${expected}`);
  return data;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid(`It is not JSON. ${expected}`);
  }
}

/** Returns the text to which a vector belongs. Without `index`, the order applies. */
function indexOf(item: unknown, position: number): number {
  const index = isRecord(item) ? (item.index ?? position) : position;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) throw invalid('An index is not a number.');
  return index;
}

function vectorOf(item: unknown, length: number | undefined): Float32Array {
  const numbers = isRecord(item) ? item.embedding : undefined;
  if (typeof numbers === 'string')
    throw invalid('Its vectors are text, such as base64, although floats were requested.');
  if (!Array.isArray(numbers) || numbers.length === 0) throw invalid(`A vector is missing. ${expected}`);
  if (numbers.length > MAX_DIMENSIONS)
    throw invalid(`A vector has ${numbers.length} numbers, above ${MAX_DIMENSIONS}.`);
  if (length !== undefined && numbers.length !== length) {
    throw invalid(`A vector has ${numbers.length} numbers instead of ${length}.`);
  }
  return normalize(numbers);
}

function normalize(numbers: unknown[]): Float32Array {
  const vector = new Float32Array(numbers.length);
  let squares = 0;
  for (const [at, value] of numbers.entries()) {
    if (typeof value !== 'number') throw invalid('A vector has an element that is not a number.');
    vector[at] = value;
    squares += value * value;
  }
  const norm = Math.sqrt(squares);
  // JSON permits numbers beyond the range of doubles, which become infinite.
  if (!Number.isFinite(norm) || norm < Number.EPSILON) throw invalid('A vector is zero or not finite.');
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / norm;
  return vector;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(why: string): EmbeddingsError {
  return new EmbeddingsError('invalid_response', `The embeddings provider returned an invalid response. ${why}`);
}
