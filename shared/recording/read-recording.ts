import { isJsonWithin, type JsonBounds } from '../base/json-bounds.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type RedisTime, redisTime } from '../base/time.ts';
import type { LostLine } from '../signals/signal.ts';
import { type Problem, problem } from '../wire/problems/problem.ts';
import type { BadLineReason } from './bad-line.ts';
import {
  endSchema,
  FORMAT,
  headerSchema,
  type RecordedSignal,
  type RecordingEnd,
  type RecordingHeader,
} from './format.ts';
import { signalFromJson } from './parse-signal-line.ts';
import { upgraded } from './upgrade.ts';

/** Why a file cannot be opened. */
export type RecordingProblem = Extract<
  Problem,
  {
    code:
      | 'not-a-recording'
      | 'monitor-of-several'
      | 'recording-newer'
      | 'recording-damaged'
      | 'recording-too-large'
      | 'recording-too-long'
      | 'recording-unreadable';
  }
>;

/** A line that could not be read, counted from 1. */
export type BadLine = { readonly line: number; readonly reason: BadLineReason };

export const MOST_BAD_LINES = 100;
/**
 * In characters: a signal names its lock at most twice, and the API takes names of up to 2 MB. Longer lines are bad
 * ones.
 */
export const LONGEST_LINE = 8 * 1024 * 1024;
/** A signal nests six levels. 50 keys with 4,096 fields each are 205,000 values, and 60,000 clients are 360,000. */
export const LINE_BOUNDS: JsonBounds = { depth: 32, values: 400_000 };

/** Reasons that leave open whether the line was a signal. */
const DAMAGED: ReadonlySet<BadLineReason> = new Set([
  'too-long',
  'not-json',
  'not-object',
  'no-time',
  'other-recording',
]);

/**
 * Reads a recording line by line. Reports lines that cannot be read and goes on after them. A damaged line may have
 * been any signal, so it is reported as lost: nothing is inferred across it.
 *
 *   header · signal · signal … · end          complete
 *   header · signal · sig                     cut short: everything before is read
 */
export class RecordingReader {
  header: RecordingHeader | undefined;
  end: RecordingEnd | undefined;
  /** Signals read so far. */
  signals = 0;
  /** The number of lines that could not be read; `badLines` has the first 100. */
  badCount = 0;
  readonly badLines: BadLine[] = [];
  /** A recording has no lines before or after it that must be skipped. */
  readonly skipped = null;
  #format = FORMAT;
  #line = 0;
  /** The time of the newest signal. */
  #at: RedisTime | undefined;

  /** Returns the signal of the next line, if it has one. Fails if this is not a recording that can be opened. */
  add(text: string): Result<readonly (RecordedSignal | LostLine)[], RecordingProblem> {
    this.#line++;
    if (this.#line === 1) return this.#readHeader(text);
    if (text === '') return ok([]);
    if (this.end) return this.#badLine(HEADER_OF_ANOTHER.test(text) ? 'other-recording' : 'after-end');
    if (HEADER_OF_ANOTHER.test(text)) return this.#badLine('other-recording');
    if (text.length > LONGEST_LINE || !isJsonWithin(LINE_BOUNDS, text)) return this.#badLine('too-long');
    const json = parsed(text);
    if (json === undefined) return this.#badLine('not-json');
    const current = upgraded(json, this.#format);
    const end = typeof current === 'object' && current !== null && 'end' in current;
    if (end) return this.#readEnd(current);
    const signal = signalFromJson(current);
    if (!signal.ok) return this.#badLine(signal.error);
    this.signals++;
    this.#at = signal.value.at;
    return ok([signal.value]);
  }

  /** Whether the last line is missing: the program that wrote the file was stopped. */
  get isCutShort(): boolean {
    return this.end === undefined;
  }

  #readHeader(text: string): Result<readonly [], RecordingProblem> {
    const json = isJsonWithin(LINE_BOUNDS, text) ? parsed(text.replace(/^\uFEFF/, '')) : undefined;
    if (typeof json !== 'object' || json === null || !('lockscope' in json) || json.lockscope !== 'recording') {
      return fail(problem('not-a-recording', {}));
    }
    const format = 'format' in json ? json.format : undefined;
    if (typeof format === 'number' && Number.isInteger(format) && format > FORMAT) {
      return fail(problem('recording-newer', { format, reads: FORMAT }));
    }
    if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) {
      return fail(problem('recording-damaged', { field: 'format' }));
    }
    this.#format = format;
    const header = headerSchema.safeParse(upgraded(json, format));
    if (header.success) {
      this.header = header.data;
      return ok([]);
    }
    const issue = header.error.issues[0];
    return fail(problem('recording-damaged', { field: issue?.path.join('.') ?? '' }));
  }

  #readEnd(json: object): Result<readonly LostLine[], never> {
    const end = endSchema.safeParse(json);
    if (!end.success) return this.#badLine('not-end');
    this.end = end.data;
    return end.data.signals > this.signals + this.badCount ? this.#badLine('lines-missing') : ok([]);
  }

  #badLine(reason: BadLineReason): Result<readonly LostLine[], never> {
    this.badCount++;
    if (this.badLines.length < MOST_BAD_LINES) this.badLines.push({ line: this.#line, reason });
    const at = this.#at ?? (this.header && redisTime(this.header.startedAt));
    return ok(this.end || at === undefined || !DAMAGED.has(reason) ? [] : [{ kind: 'lost-line', at }]);
  }
}

/** The first line of another recording: people join files, and a program that was stopped may have begun a new one. */
const HEADER_OF_ANOTHER = /^\uFEFF?\s{0,9}\{\s{0,9}"lockscope"\s{0,9}:/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
