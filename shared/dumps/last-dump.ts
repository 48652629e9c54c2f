import { DumpBuilder } from './dump-builder.ts';

/**
 * Finds the last of several dumps in a text. No line shows where a dump begins: it begins at a thread that the dump
 * before it already has. If it repeats at most half of that dump, without a difference, it is a quoted part of it.
 */
export class LastDump {
  /** The dump that is being read. */
  builder = new DumpBuilder();
  #before: DumpBuilder | undefined;
  #dumps = 0;

  /** Begins the next thread. If this dump already has the thread, with a state or a stack, the next dump begins. */
  begin(javaId: number, name: string): void {
    if (this.builder.has(javaId)) {
      this.#settle();
      this.builder = new DumpBuilder();
    }
    this.builder.begin(javaId, name);
  }

  /** The last dump, and how many there were. */
  end(): { readonly builder: DumpBuilder; readonly dumps: number } {
    this.#settle();
    return { builder: this.#before ?? this.builder, dumps: this.#dumps };
  }

  #settle(): void {
    const before = this.#before;
    if (before && before.size >= 2 * this.builder.size && before.contains(this.builder)) return;
    this.#before = this.builder;
    this.#dumps++;
  }
}
