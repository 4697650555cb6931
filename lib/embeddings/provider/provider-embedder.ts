import { LRUCache } from 'lru-cache';
import { closedState, recordResult, retryAfterMs, tryHalfOpen } from '../../platform/http-client/breaker-state';
import { log } from '../../platform/runtime/log';
import { type Embedder, EmbeddingsError } from '../embedder';
import { CACHED_QUERIES, MAX_PART_LENGTH, MAX_QUERY_LENGTH, PROVIDER_QUERY_TIMEOUT_MS } from '../limits';
import { DocumentBatches } from './document-batches';
import { type ProviderTraits, RefusedTexts, requestVectors } from './request-vectors';
import { modelName, type ProviderSettings } from './settings';

/** Queries have one attempt, a circuit breaker and a cache; documents have retries. */
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

  /** Concurrent calls for one text share a request. A failure is not cached. */
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
    // A refused text does not count as a failure: a caller must not be able to open the breaker for others.
    const isAnswer = error instanceof RefusedTexts && error.status !== 500;
    this.breaker = recordResult(this.breaker, isAnswer ? 'answered' : 'failed', now);
    if (this.breaker.openUntil <= openUntil) return;
    const reason = error instanceof EmbeddingsError ? error.message : 'unknown';
    log.warn('embeddings.provider_paused', { reason, pauseMs: this.breaker.openUntil - now });
  }
}
