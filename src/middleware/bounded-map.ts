/** A Map that forgets its oldest entry instead of growing past `maxSize`. koa-ratelimit takes nothing but a real Map. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    if (!this.has(key) && this.size >= this.#maxSize) this.#forgetOldest();
    return super.set(key, value);
  }

  #forgetOldest(): void {
    const oldest = this.keys().next();
    if (!oldest.done) this.delete(oldest.value);
  }
}
