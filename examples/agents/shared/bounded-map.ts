/**
 * A map that forgets: when its entries together weigh more than the limit, those not used for longest go first.
 * An agent that anyone may call must not keep everything it has ever heard.
 */
export class BoundedMap<Value> {
  private readonly entries = new Map<string, { value: Value; weight: number }>();
  private weight = 0;

  /** @param limit most weight kept; with the weight of 1 that an entry has by default, most entries kept */
  constructor(private readonly limit: number) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Keeps the value. One that alone weighs more than the limit is not kept, and takes its older version with it. */
  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    if (weight > this.limit) return;
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.weight -= entry.weight;
  }

  *values(): Generator<Value> {
    for (const { value } of this.entries.values()) yield value;
  }
}
