/** A map that keeps so many entries at most: those set last. */
export class NewestMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly max: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.max && !oldest.done) this.delete(oldest.value);
    return this;
  }
}
