/** Texts for the worker thread; none is empty. */
export interface EmbeddingRequest {
  id: number;
  texts: string[];
}

/** `ready` once the model is loaded; then one response per request. */
export type EmbeddingResponse =
  | { ready: true }
  | { id: number; vectors: (Float32Array | null)[] }
  | { id: number; failure: string };
