/** The size of an entry, and the maximum total size. */
export interface SizeLimit<Value> {
  sizeCalculation: (value: Value) => number;
  maxSize: number;
}

/**
 * A map of at most `max` entries and, with a size limit, at most `maxSize` in total. Evicts the entries set earliest.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  private readonly sizes = new Map<Key, number>();
  private totalSize = 0;

  constructor(
    private readonly max: number,
    private readonly sizeLimit?: SizeLimit<Value>,
  ) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.recordSize(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.max && !this.isOverSize()) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    this.totalSize -= this.sizes.get(key) ?? 0;
    this.sizes.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.sizes.clear();
    this.totalSize = 0;
    super.clear();
  }

  private recordSize(key: Key, value: Value): void {
    if (!this.sizeLimit) return;
    const size = this.sizeLimit.sizeCalculation(value);
    this.sizes.set(key, size);
    this.totalSize += size;
  }

  private isOverSize(): boolean {
    return this.sizeLimit !== undefined && this.totalSize > this.sizeLimit.maxSize;
  }
}
