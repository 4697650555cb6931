import { expect, test } from 'vitest';
import { asEmbeddingsError, EmbeddingsError } from '@/lib/embeddings/embedder';

test('an error of the model is recognized, also one that another bundle of this code has thrown', () => {
  class OtherBundle extends Error {
    override readonly name = 'EmbeddingsError';
    readonly reason = 'timeout';
  }
  const own = new EmbeddingsError('timeout', 'The model did not respond within 300 ms.');
  expect(asEmbeddingsError(own)).toBe(own);
  expect(asEmbeddingsError(new OtherBundle('late'))).toMatchObject({ reason: 'timeout' });
  expect(asEmbeddingsError(new TypeError('late'))).toBeNull();
  expect(asEmbeddingsError('late')).toBeNull();
});
