import { createHash } from 'node:crypto';
import type { Env } from '../../platform/runtime/env';

/** An OpenAI-compatible endpoint for embeddings. */
export interface ProviderSettings {
  /** The full URL, including `/embeddings`. */
  url: string;
  key: string | undefined;
  model: string;
  /** The requested length; undefined for the model's default. */
  dimensions: number | undefined;
  queryPrefix: string;
  documentPrefix: string;
  /** Documents per request. */
  batch: number;
}

/** Returns the provider that the environment configures, or null. */
export function providerSettings(env: Env): ProviderSettings | null {
  const { EMBEDDINGS_URL: base, EMBEDDINGS_MODEL: model } = env;
  if (base === undefined || model === undefined) return null;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return {
    url: url.href,
    key: env.EMBEDDINGS_KEY,
    model,
    dimensions: env.EMBEDDINGS_DIMENSIONS,
    queryPrefix: env.EMBEDDINGS_QUERY_PREFIX,
    documentPrefix: env.EMBEDDINGS_DOCUMENT_PREFIX,
    batch: env.EMBEDDINGS_BATCH,
  };
}

/**
 * The revision of the texts of parts (`partsOf` in fill-vectors.ts). A new revision causes the vectors of all agents to
 * be computed again.
 */
const recipe = 'r1';

/**
 * Returns the name under which vectors are stored. It differs whenever vectors cannot be compared: by model, length and
 * prefixes.
 */
export function modelName({ model, dimensions, queryPrefix, documentPrefix }: ProviderSettings): string {
  const name = dimensions === undefined ? `${model}/${recipe}` : `${model}-${dimensions}/${recipe}`;
  if (queryPrefix === '' && documentPrefix === '') return name;
  const hash = createHash('sha256')
    .update(JSON.stringify([queryPrefix, documentPrefix]))
    .digest('hex');
  return `${name}-${hash.slice(0, 8)}`;
}
