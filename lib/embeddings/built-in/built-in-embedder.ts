import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { type Embedder, EmbeddingsError } from '../embedder';
import {
  CACHED_QUERIES,
  COLD_QUERY_TIMEOUT_MS,
  DOCUMENTS_PER_REQUEST,
  DOCUMENTS_TIMEOUT_MS,
  MAX_PART_LENGTH,
  MAX_QUERY_LENGTH,
  MAX_QUEUED_REQUESTS,
  QUERY_TIMEOUT_MS,
  WORKER_IDLE_MS,
  WORKER_RESTART_MS,
} from '../limits';

/** Google's Universal Sentence Encoder Lite: English, 512 dimensions, part of the installation. */
const BUILT_IN_MODEL = 'use-lite-512/r1';

interface BuiltIn {
  thread: WorkerThread;
  /** Vectors by text; `none` for a text that the model cannot process. */
  queries: LRUCache<string, Float32Array | 'none'>;
}

const builtIn = once(
  (): BuiltIn => ({
    thread: new WorkerThread(),
    queries: new LRUCache<string, Float32Array | 'none'>({ max: CACHED_QUERIES }),
  }),
);

/** The model that requires no network and no key. */
export const builtInEmbedder: Embedder = {
  name: BUILT_IN_MODEL,
  dims: 512,
  language: 'en',

  async embedQuery(text) {
    const cut = text.slice(0, MAX_QUERY_LENGTH).trim();
    if (cut === '') return null;
    const known = builtIn().queries.get(cut);
    if (known) return known === 'none' ? null : known;
    const [vector = null] = await builtIn().thread.embed([cut], 'query');
    builtIn().queries.set(cut, vector ?? 'none');
    return vector;
  },

  async embedDocuments(texts) {
    const vectors: (Float32Array | null)[] = [];
    for (let from = 0; from < texts.length; from += DOCUMENTS_PER_REQUEST) {
      const batch = texts
        .slice(from, from + DOCUMENTS_PER_REQUEST)
        .map((text) => text.slice(0, MAX_PART_LENGTH).trim());
      if (batch.includes('')) throw new EmbeddingsError('invalid_response', 'An empty text has no vector.');
      vectors.push(...(await builtIn().thread.embed(batch, 'documents')));
    }
    return vectors;
  },
};

/** Loads the model in the background. */
export function warmUpBuiltIn(): void {
  builtIn().thread.warmUp();
}

/** Ends the model's thread. */
export function stopBuiltIn(): void {
  builtIn().thread.stop();
}

type Vectors = (Float32Array | null)[];

interface PendingRequest {
  texts: string[];
  resolve(vectors: Vectors): void;
  reject(error: EmbeddingsError): void;
}

/** `server.ts` is bundled into the same folder (scripts/bundle.mjs). */
const program = path.join('dist', 'embedding-worker.mjs');

/**
 * Runs the built-in model in a thread, which starts with the first request, ends after {@link WORKER_IDLE_MS} without a
 * request, and restarts after a crash. It receives one request at a time, queries before documents.
 */
export class WorkerThread {
  private worker: Worker | null = null;
  private isReady = false;
  private running: (PendingRequest & { id: number }) | null = null;
  private readonly queries: PendingRequest[] = [];
  private readonly documents: PendingRequest[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private lastId = 0;
  /** Milliseconds since 1970. */
  private mayStartAt = 0;

  /** Starts the thread, so that the model is loaded if a query follows. */
  warmUp(): void {
    if (!this.worker && performance.now() >= this.mayStartAt) this.start();
    this.endWhenIdle();
  }

  /**
   * Computes vectors.
   * @throws {EmbeddingsError} `overloaded`, `timeout`, `unavailable`
   */
  embed(texts: string[], kind: 'query' | 'documents'): Promise<Vectors> {
    const queue = kind === 'query' ? this.queries : this.documents;
    if (queue.length >= MAX_QUEUED_REQUESTS)
      return Promise.reject(new EmbeddingsError('overloaded', `${queue.length} requests wait for the model.`));
    if (!this.worker && performance.now() < this.mayStartAt)
      return Promise.reject(new EmbeddingsError('unavailable', 'The model could not be loaded.'));
    return new Promise((resolve, reject) => {
      const timeoutMs =
        kind === 'documents' ? DOCUMENTS_TIMEOUT_MS : this.isReady ? QUERY_TIMEOUT_MS : COLD_QUERY_TIMEOUT_MS;
      const timer = setTimeout(() => {
        const waiting = queue.indexOf(request);
        if (waiting >= 0) queue.splice(waiting, 1);
        reject(new EmbeddingsError('timeout', `The model did not respond within ${timeoutMs} ms.`));
      }, timeoutMs);
      const request: PendingRequest = {
        texts,
        resolve: (vectors) => {
          clearTimeout(timer);
          resolve(vectors);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      queue.push(request);
      this.warmUp();
      this.sendNext();
    });
  }

  /** Ends the thread and fails its requests. */
  stop(): void {
    clearTimeout(this.idleTimer);
    void this.worker?.terminate();
  }

  private start(): void {
    // The options of the server's own process do not apply to the worker.
    const worker = new Worker(path.resolve(program), { execArgv: [] });
    worker.unref();
    worker.on('message', (message: EmbeddingResponse) => this.receive(message));
    worker.on('error', (error) => log.warn('embeddings.worker_failed', { error: error.message }));
    worker.once('exit', (code) => {
      if (!this.isReady) log.warn('embeddings.worker_failed', { code });
      if (this.worker === worker) this.reset();
    });
    this.worker = worker;
  }

  private receive(message: EmbeddingResponse): void {
    if ('ready' in message) this.isReady = true;
    else if (message.id === this.running?.id) {
      const { running } = this;
      this.running = null;
      if ('vectors' in message) running.resolve(message.vectors);
      else running.reject(new EmbeddingsError('unavailable', `The model failed: ${message.failure}`));
    }
    this.sendNext();
  }

  private sendNext(): void {
    if (!this.isReady || this.running) return;
    const next = this.queries.shift() ?? this.documents.shift();
    if (!next) {
      this.endWhenIdle();
      return;
    }
    this.lastId += 1;
    this.running = { ...next, id: this.lastId };
    this.worker?.postMessage({ id: this.lastId, texts: next.texts });
  }

  private endWhenIdle(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.stop(), WORKER_IDLE_MS).unref();
  }

  /** Handles the end of the thread: fails waiting requests, and lets the next request start a new one. */
  private reset(): void {
    const ended = [...(this.running ? [this.running] : []), ...this.queries.splice(0), ...this.documents.splice(0)];
    if (!this.isReady) this.mayStartAt = performance.now() + WORKER_RESTART_MS;
    this.worker = null;
    this.isReady = false;
    this.running = null;
    for (const request of ended) request.reject(new EmbeddingsError('unavailable', 'The thread of the model ended.'));
  }
}

/** Texts for the worker thread, none of which is empty. */
export interface EmbeddingRequest {
  id: number;
  texts: string[];
}

/** `ready` when the model is loaded, then one response per request. */
export type EmbeddingResponse =
  | { ready: true }
  | { id: number; vectors: (Float32Array | null)[] }
  | { id: number; failure: string };
