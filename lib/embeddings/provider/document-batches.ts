import { setTimeout as delay } from 'node:timers/promises';
import {
  MAX_AWAITED_PAUSE_MS,
  MAX_POSTPONED_ATTEMPTS,
  MIN_SHORTENED_LENGTH,
  PROVIDER_DOCUMENTS_TIMEOUT_MS,
} from '../limits';
import { Postponed, type ProviderTraits, RefusedTexts, requestVectors } from './request-vectors';
import type { ProviderSettings } from './settings';

/** Embeds documents within the limits of the provider, which are not documented. */
export class DocumentBatches {
  private batch: number;
  private refusedAlone = 0;
  /** No request before this, milliseconds since 1970. */
  private pausedUntil = 0;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly traits: ProviderTraits,
  ) {
    this.batch = settings.batch;
  }

  /**
   * The vectors of the documents, in their order.
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
   * Halves a refused batch. If both halves are accepted, the size is never used again; otherwise single texts were the
   * cause.
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

  /** Servers refuse a text above the model's length; a vector of its beginning is better than none. */
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
