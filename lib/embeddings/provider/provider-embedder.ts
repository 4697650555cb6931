import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { closedState, recordResult, retryAfterMs, tryHalfOpen } from '../../platform/http-client/breaker-state';
import { log } from '../../platform/runtime/log';
import { type Embedder, EmbeddingsError } from '../embedder';
import {
  CACHED_QUERIES,
  MAX_AWAITED_PAUSE_MS,
  MAX_PART_LENGTH,
  MAX_POSTPONED_ATTEMPTS,
  MAX_QUERY_LENGTH,
  MIN_SHORTENED_LENGTH,
  PROVIDER_DOCUMENTS_TIMEOUT_MS,
  PROVIDER_QUERY_TIMEOUT_MS,
} from '../limits';
import { Postponed, type ProviderTraits, RefusedTexts, requestVectors } from './request-vectors';
import { modelName, type ProviderSettings } from './settings';

/** An embedder of a provider. Queries have one attempt, a circuit breaker and a cache; documents have retries. */
export class ProviderEmbedder implements Embedder {
  readonly name: string;
  readonly dims: number | null;
  readonly language = 'any';
  private readonly traits: ProviderTraits;
  private readonly documents: DocumentBatches;
  private readonly queries = new LRUCache<string, Promise<Float32Array>>({ max: CACHED_QUERIES });
  private breaker = closedState;

  constructor(private readonly settings: ProviderSettings) {
    this.name = modelName(settings);
    this.dims = settings.dimensions ?? null;
    this.traits = { dimensions: settings.dimensions, acceptsEncodingFormat: true };
    this.documents = new DocumentBatches(settings, this.traits);
  }

  embedDocuments(texts: string[]): Promise<Float32Array[]> {
    return this.documents.embed(texts.map((text) => text.slice(0, MAX_PART_LENGTH)));
  }

  /** Embeds a query. Concurrent calls for the same text share a request. Failures are not cached. */
  async embedQuery(text: string): Promise<Float32Array | null> {
    const cut = text.slice(0, MAX_QUERY_LENGTH).trim();
    if (cut === '') return null;
    const cached = this.queries.get(cut);
    if (cached) return cached;
    const vector = this.requestQuery(cut);
    this.queries.set(cut, vector);
    try {
      return await vector;
    } catch (error) {
      if (this.queries.peek(cut) === vector) this.queries.delete(cut);
      throw error;
    }
  }

  private async requestQuery(text: string): Promise<Float32Array> {
    const waitMs = retryAfterMs(this.breaker, Date.now());
    if (waitMs > 0) {
      throw new EmbeddingsError('unavailable', `The embeddings provider failed; its next attempt is in ${waitMs} ms.`);
    }
    this.breaker = tryHalfOpen(this.breaker, Date.now());
    const texts = [this.settings.queryPrefix + text];
    try {
      const [vector] = await requestVectors(this.settings, this.traits, {
        texts,
        timeoutMs: PROVIDER_QUERY_TIMEOUT_MS,
      });
      this.breaker = recordResult(this.breaker, 'answered', Date.now());
      return vector as Float32Array;
    } catch (error) {
      this.recordFailure(error);
      throw error;
    }
  }

  private recordFailure(error: unknown): void {
    const now = Date.now();
    const { openUntil } = this.breaker;
    // A rejected text does not count as a failure, because a caller must not be able to open the breaker for others.
    const isAnswer = error instanceof RefusedTexts && error.status !== 500;
    this.breaker = recordResult(this.breaker, isAnswer ? 'answered' : 'failed', now);
    if (this.breaker.openUntil <= openUntil) return;
    const reason = error instanceof EmbeddingsError ? error.message : 'unknown';
    log.warn('embeddings.provider_paused', { reason, pauseMs: this.breaker.openUntil - now });
  }
}

/** Embeds documents within the limits of the provider, which are not documented. */
class DocumentBatches {
  private batch: number;
  private refusedAlone = 0;
  /** The time before which no request is sent, milliseconds as of `performance.now()`. */
  private pausedUntil = 0;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly traits: ProviderTraits,
  ) {
    this.batch = settings.batch;
  }

  /**
   * Computes the vectors of the documents, in their order.
   * @throws {EmbeddingsError} for the first batch that fails
   */
  async embed(texts: string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    while (vectors.length < texts.length) {
      const batch = texts.slice(vectors.length, vectors.length + this.batch);
      vectors.push(...(await this.embedBatch(batch.map((text) => this.settings.documentPrefix + text))));
    }
    return vectors;
  }

  /**
   * Embeds a batch and halves it if it is rejected. If both halves are accepted, the size is never used again;
   * otherwise, single texts were the cause.
   */
  private async embedBatch(texts: string[]): Promise<Float32Array[]> {
    try {
      return await this.request(texts);
    } catch (error) {
      if (!(error instanceof RefusedTexts)) throw error;
      if (texts.length === 1) return this.embedShortened(texts[0] ?? '', error);
    }
    const half = Math.ceil(texts.length / 2);
    const before = this.refusedAlone;
    const vectors = [...(await this.embedBatch(texts.slice(0, half))), ...(await this.embedBatch(texts.slice(half)))];
    if (this.refusedAlone === before) this.batch = Math.min(this.batch, half);
    return vectors;
  }

  /**
   * Embeds the start of a text. Servers reject texts above the model's length, and a vector of the start is better than
   * none.
   */
  private async embedShortened(text: string, refusal: RefusedTexts): Promise<Float32Array[]> {
    this.refusedAlone += 1;
    const shorter = text.slice(0, Math.floor(text.length / 2));
    if (refusal.status === 500 || shorter.length < MIN_SHORTENED_LENGTH) throw refusal;
    return this.embedBatch([shorter]);
  }

  private async request(texts: string[]): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      await this.waitForPause();
      try {
        return await requestVectors(this.settings, this.traits, { texts, timeoutMs: PROVIDER_DOCUMENTS_TIMEOUT_MS });
      } catch (error) {
        if (!(error instanceof Postponed)) throw error;
        this.pausedUntil = performance.now() + error.pauseMs;
        if (attempt === MAX_POSTPONED_ATTEMPTS) throw error;
      }
    }
  }

  private async waitForPause(): Promise<void> {
    const pauseMs = this.pausedUntil - performance.now();
    if (pauseMs > MAX_AWAITED_PAUSE_MS) throw new Postponed(429, pauseMs);
    if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
  }
}
