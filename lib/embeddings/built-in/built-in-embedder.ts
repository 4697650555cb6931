import { LRUCache } from 'lru-cache';
import { once } from '../../platform/runtime/once';
import { type Embedder, EmbeddingsError } from '../embedder';
import { CACHED_QUERIES, DOCUMENTS_PER_REQUEST, MAX_PART_LENGTH, MAX_QUERY_LENGTH } from '../limits';
import { WorkerThread } from './worker-thread';

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
