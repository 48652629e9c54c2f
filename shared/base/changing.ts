/** A value that can be replaced. Other code reads it and subscribes to its changes. */
export class Changing<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  /** Calls `listener` after each change. Returns the function that unsubscribes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces the value. Does nothing if it is the same. */
  set(next: T): void {
    if (next === this.#value) return;
    this.#value = next;
    for (const listener of this.#listeners) listener();
  }
}
