import { DiffLines } from './diff.ts';
import { MailLines } from './mail.ts';
import { isRtf, withoutRtf } from './rtf.ts';
import type { SkippedParts } from './skipped.ts';

/** The lines of a text without the forms that span lines: the source of a mail, RTF, and what `diff` prints. */
export class BodyLines {
  readonly #skipped: SkippedParts;
  readonly #mail = new MailLines();
  readonly #diff = new DiffLines();
  #isFirst = true;
  #isRtf = false;
  /** RTF: the text that continues in the next line. */
  #rest = '';

  constructor(skipped: SkippedParts) {
    this.#skipped = skipped;
  }

  /** Takes the next line of the text. Returns the lines that are certain now. */
  take(line: string): readonly string[] {
    if (this.#isFirst) this.#isRtf = isRtf(line);
    this.#isFirst = false;
    if (this.#isRtf) return this.#ofRtf(line);
    const lines = this.#mail.take(line);
    return lines.length === 1 ? this.#diff.take(lines[0] ?? '') : lines.flatMap((each) => this.#diff.take(each));
  }

  /** Call it after the last line. Returns the rest. */
  end(): readonly string[] {
    const lines = [
      ...this.#mail.end().flatMap((each) => this.#diff.take(each)),
      ...(this.#rest === '' ? [] : [this.#rest]),
    ];
    if (this.#mail.isMail) this.#skipped.add('mail');
    if (this.#isRtf) this.#skipped.add('escapes');
    if (this.#diff.isBegun) this.#skipped.addPrefix('+');
    this.#skipped.lines += this.#diff.left;
    return lines;
  }

  #ofRtf(line: string): readonly string[] {
    const lines = (this.#rest + withoutRtf(line)).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
