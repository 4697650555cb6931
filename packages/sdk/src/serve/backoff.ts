const FIRST_CEILING_MS = 500;
const MAX_CEILING_MS = 30_000;

/** Delays between connection attempts: random below a ceiling that doubles with each attempt ("full jitter"). */
export class Backoff {
  private ceiling = FIRST_CEILING_MS;

  constructor(private readonly random: () => number) {}

  /** Returns the next delay in milliseconds; below `limitMs`. */
  next(limitMs = MAX_CEILING_MS): number {
    const delay = this.random() * Math.min(this.ceiling, limitMs);
    this.ceiling = Math.min(this.ceiling * 2, MAX_CEILING_MS);
    return delay;
  }

  /** Resets the ceiling after a successful hello: a connection that opens and is then refused is not a success. */
  reset(): void {
    this.ceiling = FIRST_CEILING_MS;
  }
}
