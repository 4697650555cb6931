import { env } from '../platform/runtime/env';
import { once } from '../platform/runtime/once';
import { builtInEmbedder, warmUpBuiltIn } from './built-in/built-in-embedder';
import type { Embedder } from './embedder';
import { ProviderEmbedder } from './provider/provider-embedder';
import { providerSettings } from './provider/settings';

/** The models that this node can run, the configured one first; none with `EMBEDDINGS=off`. */
export const embedders = once((): Embedder[] => {
  if (env().EMBEDDINGS === 'off') return [];
  const settings = providerSettings(env());
  return settings ? [new ProviderEmbedder(settings), builtInEmbedder] : [builtInEmbedder];
});

export function embedderNamed(name: string): Embedder | null {
  return embedders().find((embedder) => embedder.name === name) ?? null;
}

/** Loads the built-in model in the background if searches use it, because a search is likely to follow. */
export function warmUp(): void {
  if (embedders()[0] === builtInEmbedder) warmUpBuiltIn();
}
