/** Computes the vectors of one model. All vectors are normalized and have the same length. */
export interface Embedder {
  /**
   * The model and the revision of the text format, such as `use-lite-512/r1`. Vectors of models with different names
   * are not comparable.
   */
  readonly name: string;
  /** Length of its vectors; null while it is unknown. */
  readonly dims: number | null;
  /** `en` means that texts in other languages must be translated first. */
  readonly language: 'en' | 'any';
  /**
   * Computes the vector of a search text; null if the model supports none of its characters.
   * @throws {EmbeddingsError}
   */
  embedQuery(text: string): Promise<Float32Array | null>;
  /**
   * Computes the vectors of texts, in their order; null for a text of which the model supports no character.
   * @throws {EmbeddingsError}
   */
  embedDocuments(texts: string[]): Promise<(Float32Array | null)[]>;
}

export type EmbeddingsFailure = 'unavailable' | 'overloaded' | 'timeout' | 'invalid_response';

/** The error if no vector could be computed. Its message contains neither the text nor a key. */
export class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError';

  constructor(
    readonly reason: EmbeddingsFailure,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns an English text unchanged, otherwise a translation into English, or null for a text that cannot be
 * translated.
 */
export type Translate = (text: string) => string | null;
