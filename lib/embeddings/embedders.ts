import { env } from '../platform/env';
import { builtInEmbedder } from './built-in/built-in-embedder';
import type { Embedder } from './embedder';

/** The models that this node can run, the configured one first; none with `EMBEDDINGS=off`. */
export function embedders(): Embedder[] {
  return env().EMBEDDINGS === 'off' ? [] : [builtInEmbedder];
}

export function embedderNamed(name: string): Embedder | null {
  return embedders().find((embedder) => embedder.name === name) ?? null;
}
