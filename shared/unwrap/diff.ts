/*
 * The newer of two texts, from the output of `diff`:
 *
 *   @@ -3,3 +3,3 @@                        31c31
 *    "worker-1" #31 prio=5 …               < 1795000000.000037 [0 lua] "get" "a"
 *   -   java.lang.Thread.State: RUNNABLE   ---
 *   +   java.lang.Thread.State: BLOCKED    > 1795000000.000074 [0 lua] "get" "a"
 */

const UNIFIED = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
const PLAIN = /^(\d{1,9})(?:,(\d{1,9}))?([acd])(\d{1,9})(?:,(\d{1,9}))?$/;

/** Replaces what is between two parts of a diff. In a dump, the lines after this gap belong to no thread. */
const GAP = ['', '[...]'];

/** Takes a text line by line, and leaves out the lines of the older one. */
export class DiffLines {
  /** The number of lines of the older text that were left out. */
  left = 0;
  /** Whether a part has begun. */
  isBegun = false;
  #old = 0;
  #new = 0;
  #isPlain = false;

  take(line: string): readonly string[] {
    if (this.#old + this.#new > 0) return this.#inPart(line);
    const unified = line.startsWith('@@ ') ? UNIFIED.exec(line) : null;
    if (unified) return this.#begin(Number(unified[1] ?? 1), Number(unified[2] ?? 1), false);
    const plain = /^\d/.test(line) && line.length < 50 ? PLAIN.exec(line) : null;
    if (!plain) return [line];
    const [, from, to = from, how, first, last = first] = plain;
    return this.#begin(how === 'a' ? 0 : lengthOf(from, to), how === 'd' ? 0 : lengthOf(first, last), true);
  }

  #begin(old: number, added: number, isPlain: boolean): readonly string[] {
    const gap = this.isBegun || isPlain ? GAP : [];
    [this.#old, this.#new, this.#isPlain, this.isBegun] = [old, added, isPlain, true];
    return gap;
  }

  #inPart(line: string): readonly string[] {
    const [isOld, isNew] = this.#isPlain ? [/^<(?: |$)/, /^>(?: |$)/] : [/^-/, /^\+/];
    if (isOld.test(line)) {
      this.#old--;
      this.left++;
      return [];
    }
    if (isNew.test(line)) {
      this.#new--;
      return [line.slice(this.#isPlain ? 2 : 1)];
    }
    if (line.startsWith('\\ ') || (this.#isPlain && line === '---')) return [];
    if (this.#isPlain || !/^(?: |$)/.test(line)) {
      [this.#old, this.#new] = [0, 0]; // the line does not belong to a diff
      return [line];
    }
    this.#old--;
    this.#new--;
    return [line.slice(1)];
  }
}

function lengthOf(from = '', to = ''): number {
  return Math.max(0, Number(to) - Number(from) + 1);
}
