import { createHash } from 'node:crypto';
import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { Result } from '../../../shared/base/result.ts';
import { parseMonitorLine, type RejectedLine } from '../../../shared/signals/monitor-line.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { LineArchive } from './line-archive.ts';
import { LineFilter } from './line-filter.ts';

/** Reads MONITOR lines of one source: drops those that cannot matter, and keeps the others for whoever asks later. */
export class LineReader {
  readonly #filter = new LineFilter();
  readonly #archive = new LineArchive();
  /** This server leaves quotes and backslashes in its lines as they are. */
  isUnescaped = false;

  /** From now on lines that touch this key matter. */
  addKey(name: string): void {
    this.#filter.addKey(name);
  }

  /** Changes how much memory the lines may take. Those kept so far are dropped if that is another size. */
  setRoom(bytes: number): void {
    this.#archive.setRoom(Math.round(bytes));
  }

  /** Reads a line's bytes; `other` for a line that cannot matter, of which no string is made. */
  read(buffer: Buffer, start: number, end: number): Result<LineSignal, RejectedLine> | 'other' {
    if (this.#filter.interestOf(buffer, start, end) === 'other') return 'other';
    const parsed = parseMonitorLine(buffer.toString('latin1', start, end), this.isUnescaped);
    if (!parsed.ok) return parsed;
    const line: { -readonly [Field in keyof LineSignal]: LineSignal[Field] } = withoutScriptText(parsed.value);
    const place = this.#archive.keep(buffer, start, end, this.isUnescaped);
    if (place !== undefined) line.place = place;
    return { ok: true, value: line };
  }

  /** The lines that were read from a place on; undefined if they are no longer kept, or cannot be read again. */
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

const textHashes = new Map<string, string>();

/** A script's text becomes its SHA1: no script leaves this process, and versions are named by it. */
function withoutScriptText(line: LineSignal): LineSignal {
  if (line.client === null) return line; // a script cannot run a script
  const command = (line.words[0] ?? '').toUpperCase();
  const at = command === 'EVAL' || command === 'EVAL_RO' ? 1 : command === 'SCRIPT' && line.words.length > 2 ? 2 : 0;
  const text = line.words[at];
  if (at === 0 || text === undefined) return line;
  let sha = textHashes.get(text);
  if (sha === undefined) {
    sha = createHash('sha1').update(binaryFromText(text), 'latin1').digest('hex');
    if (textHashes.size >= 1000) textHashes.clear();
    if (text.length < 100_000) textHashes.set(text, sha);
  }
  return { ...line, words: line.words.with(at, `<script ${sha}>`) };
}
