import { postToService, ServiceError, type ServiceResponse } from '../../platform/http-client/post-to-service';
import { EmbeddingsError, type EmbeddingsFailure } from '../embedder';
import { DEFAULT_PAUSE_MS, MAX_PAUSE_MS, MAX_PROVIDER_RESPONSE_BYTES } from '../limits';
import { parseVectors } from './parse-vectors';
import type { ProviderSettings } from './settings';

/** The provider's properties, determined from its first responses. */
export interface ProviderTraits {
  /** The length of its vectors. */
  dimensions: number | undefined;
  /** False once it refused the parameter `encoding_format`. */
  acceptsEncodingFormat: boolean;
}

/** The provider refused these texts, perhaps for their number or length. */
export class RefusedTexts extends EmbeddingsError {
  constructor(readonly status: number) {
    super('unavailable', `The embeddings provider returned status ${status}.`);
  }
}

/** The provider asks for a pause. */
export class Postponed extends EmbeddingsError {
  constructor(
    status: number,
    readonly pauseMs: number,
  ) {
    super('overloaded', `The embeddings provider returned status ${status}.`);
  }
}

/**
 * The normalized vectors of some texts, in their order. One request, and a second one within the same time when the
 * provider refuses `encoding_format`.
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
    // Clients of such endpoints ask for base64 by default, which some proxies forward and some servers parse
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

/** `Retry-After` in milliseconds: seconds or a date. */
function pauseOf(retryAfter: string | null): number {
  if (retryAfter === null) return DEFAULT_PAUSE_MS;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_PAUSE_MS : Math.min(Math.max(ms, 0), MAX_PAUSE_MS);
}
