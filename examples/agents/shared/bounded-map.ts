/**
 * An LRU map: when its entries together exceed the limit, the least recently used ones are dropped. A public agent must
 * not store everything it ever receives.
 */
export class BoundedMap<Value> {
  private readonly entries = new Map<string, { value: Value; weight: number }>();
  private weight = 0;

  /** @param limit max total weight; with the default weight of 1 per entry, max number of entries */
  constructor(private readonly limit: number) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Stores the value. A value that alone exceeds the limit is not stored, and its previous version is dropped. */
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
