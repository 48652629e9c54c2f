import { ok, type Result } from '../../../shared/base/result.ts';
import { parseMonitorLine, type RejectedLine } from '../../../shared/signals/monitor-line.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { EffectFilter } from './effect-filter.ts';
import { LineArchive } from './line-archive.ts';
import { LineFilter } from './line-filter.ts';
import { PlainLines } from './plain-lines.ts';
import { withoutScriptText } from './script-text.ts';

const kind = 'line' as const;

/** Reads MONITOR lines of one source: drops lines that cannot matter, and keeps the others to be read again. */
export class LineReader {
  /** Decides which effects of a replication stream can matter. */
  readonly effects = new EffectFilter();
  readonly #filter = new LineFilter();
  readonly #archive = new LineArchive();
  readonly #plain = new PlainLines();
  /** This server does not escape quotes and backslashes in its lines. */
  isUnescaped = false;

  /** From now on lines and effects that touch this key matter. */
  addKey(name: string): void {
    this.#filter.addKey(name);
    this.effects.addKey(name);
  }

  /** Changes how much memory the lines may take, in bytes. The newest lines that fit are kept. */
  setRoom(bytes: number): void {
    this.#archive.setRoom(Math.round(bytes));
  }

  /** Reads a line's bytes. Returns `other`, without making a string, if the line cannot matter. */
  read(buffer: Buffer, start: number, end: number): Result<LineSignal, RejectedLine> | 'other' {
    if (this.#filter.interestOf(buffer, start, end) === 'other') return 'other';
    const plain = this.isUnescaped ? undefined : this.#plain.parse(buffer, start, end);
    const parsed = plain ? ok(plain) : parseMonitorLine(buffer.toString('latin1', start, end), this.isUnescaped);
    if (!parsed.ok) return parsed;
    const { at, db, client, words } = parsed.value;
    const place = this.#archive.keep(buffer, start, end, this.isUnescaped);
    const line = place === undefined ? { kind, at, db, client, words } : { kind, at, db, client, words, place };
    return ok(withoutScriptText(line));
  }

  /**
   * The memory that a connection has to read into, so that `skip` skips lines; `undefined` if this Node cannot skip
   * any.
   */
  get room(): Buffer | undefined {
    return this.#filter.room;
  }

  /**
   * After a line that cannot matter, which begins at `previous`: skips lines of the same second that cannot matter
   * either, from `from` on. Returns the place of the first byte that is left, and leaves in `skipped` what was skipped.
   */
  skip(read: Buffer, previous: number, from: number): number {
    return this.#filter.skip(read, previous, from);
  }

  /** How many lines the last call of `skip` has skipped, and where the last one begins. */
  get skipped(): { readonly count: number; readonly last: number } {
    return this.#filter.skipped;
  }

  /** The `count` lines from a place on; `undefined` if they are no longer kept, or cannot be read again. */
  again(place: number, count: number): LineSignal[] | undefined {
    const lines: LineSignal[] = [];
    for (const { line, isUnescaped } of this.#archive.linesFrom(place, count) ?? []) {
      const parsed = parseMonitorLine(line, isUnescaped);
      if (!parsed.ok) return undefined;
      lines.push(withoutScriptText(parsed.value));
    }
    return lines.length > 0 ? lines : undefined;
  }
}
