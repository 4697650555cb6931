/** As much of a `Request` as endpoints read that are answered without one. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  /** Aborts the signal, where that can be done from here. */
  abort?(): void;
  /** The body piece by piece, or null when there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The body as a whole. */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** A whole answer, not yet in a `Response` or on a connection. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}
