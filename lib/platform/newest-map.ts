/** What entries weigh, and how much all of them together may. */
export interface Weighing<Value> {
  weigh: (value: Value) => number;
  max: number;
}

/** A map that keeps so many entries at most, and so much weight when they are weighed: those set last. */
export class NewestMap<Key, Value> extends Map<Key, Value> {
  private readonly weights = new Map<Key, number>();
  private weight = 0;

  constructor(
    private readonly max: number,
    private readonly weighing?: Weighing<Value>,
  ) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.put(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.max && !this.isTooHeavy()) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    this.weight -= this.weights.get(key) ?? 0;
    this.weights.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.weights.clear();
    this.weight = 0;
    super.clear();
  }

  private put(key: Key, value: Value): void {
    if (!this.weighing) return;
    const weight = this.weighing.weigh(value);
    this.weights.set(key, weight);
    this.weight += weight;
  }

  private isTooHeavy(): boolean {
    return this.weighing !== undefined && this.weight > this.weighing.max;
  }
}
