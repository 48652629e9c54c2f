import { createHash } from 'node:crypto';
import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { Result } from '../../../shared/base/result.ts';
import { parseMonitorLine, type RejectedLine } from '../../../shared/signals/monitor-line.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { LineArchive } from './line-archive.ts';
import { LineFilter } from './line-filter.ts';

/** Reads MONITOR lines of one source: drops lines that cannot matter, and keeps the others to be read again. */
export class LineReader {
  readonly #filter = new LineFilter();
  readonly #archive = new LineArchive();
  /** This server does not escape quotes and backslashes in its lines. */
  isUnescaped = false;

  /** From now on lines that touch this key matter. */
  addKey(name: string): void {
    this.#filter.addKey(name);
  }

  /** Changes how much memory the lines may take, in bytes. If that is a change, all lines kept so far are dropped. */
  setRoom(bytes: number): void {
    this.#archive.setRoom(Math.round(bytes));
  }

  /** Reads a line's bytes. Returns `other`, without making a string, if the line cannot matter. */
  read(buffer: Buffer, start: number, end: number): Result<LineSignal, RejectedLine> | 'other' {
    if (this.#filter.interestOf(buffer, start, end) === 'other') return 'other';
    const parsed = parseMonitorLine(buffer.toString('latin1', start, end), this.isUnescaped);
    if (!parsed.ok) return parsed;
    const line: { -readonly [Field in keyof LineSignal]: LineSignal[Field] } = withoutScriptText(parsed.value);
    const place = this.#archive.keep(buffer, start, end, this.isUnescaped);
    if (place !== undefined) line.place = place;
    return { ok: true, value: line };
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

const textHashes = new Map<string, string>();

/** Replaces a script's text by its SHA1, which also identifies its version. No script's text leaves this process. */
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
