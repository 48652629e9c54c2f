import { fail, ok, type Result } from '../../shared/base/result.ts';
import type { RedisTime } from '../../shared/base/time.ts';
import type { BadLineReason } from '../../shared/recording/bad-line.ts';
import { FORMAT, type RecordedSignal, type RecordingHeader } from '../../shared/recording/format.ts';
import {
  type BadLine,
  LONGEST_LINE,
  MOST_BAD_LINES,
  type RecordingProblem,
} from '../../shared/recording/read-recording.ts';
import { decodeWords, parseMonitorLine } from '../../shared/signals/monitor-line.ts';
import type { LineSignal, LostLine } from '../../shared/signals/signal.ts';
import { isScriptHead, scriptCallFromHead } from '../../shared/signals/step.ts';
import { binaryOfLine } from '../../shared/unwrap/kept-bytes.ts';
import { MonitorLines, type MonitorPart } from '../../shared/unwrap/monitor-lines.ts';
import type { Skipped } from '../../shared/unwrap/skipped.ts';
import type { Encoding } from '../../shared/unwrap/text-bytes.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { withoutScriptText } from '../redis/lines/script-text.ts';
import { isSameLine, type TextLine } from './captures.ts';
import { LineOrder } from './line-order.ts';
import { ScriptLines } from './script-lines.ts';
import { CutWidth, hasGaps, hasShortNames } from './shortened.ts';
import { isWholeRun } from './whole-runs.ts';

/** True if the first line of a file shows that it is a recording, or meant to be one. Any other file may be a text. */
export function isRecordingHead(line: string): boolean {
  return /^\uFEFF?\s{0,100}\{/.test(line) && line.includes('"lockscope"');
}

/** A line of MONITOR must be among this many first characters of a text. */
const MOST_BEFORE = 16 * 1024 * 1024;

/** A quote within a word that is not escaped. */
const INNER_QUOTE = /\] "(?:.*[^\s\\])?"\S/;

/** A script with more lines is passed on without a check of whether its lines belong together. */
const LONGEST_RUN = 1000;

type TextSignal = RecordedSignal | LostLine;
type KnownLine = Exclude<TextLine, 'lost'>;

/**
 * Reads the text of `redis-cli monitor` line by line, as a recording at level `monitor` that begins with its first
 * line.
 *
 *   OK
 *   1795218454.496776 [0 127.0.0.1:49168] "EVAL" "if (redis.call(…" "1" "orders:42" …
 *   1795218454.496776 [0 lua] "exists" "orders:42"
 *
 * What a terminal, a container or a log puts around lines is skipped (`shared/unwrap`), and a text with the newest line
 * first is read backwards. Captures are put in the order of time. A line that cannot be read, or that is earlier than
 * the line before it, is counted and left out. Such a line may have been a part of a script, so it is reported as lost:
 * nothing is inferred across it.
 */
export class MonitorTextReader {
  header: RecordingHeader | undefined;
  readonly end = undefined;
  readonly isCutShort = false;
  signals = 0;
  badCount = 0;
  readonly badLines: BadLine[] = [];
  readonly #lines = new MonitorLines();
  readonly #scripts = new ScriptLines();
  readonly #order = new LineOrder();
  readonly #width = new CutWidth();
  #line = 0;
  #before = 0;
  #isLost = false;
  #isUnescaped = false;
  #last: KnownLine | undefined;
  /** The newest line that was not sent by a script; undefined: it may be missing. */
  #head: LineSignal | undefined;
  /** The newest call of a script, and its lines so far. */
  #run: KnownLine[] = [];
  /** The line numbers of script commands that precede the first line of a client. */
  readonly #early: number[] = [];
  #hasClient = false;
  /** Whether the newest signal is a lost line, which no line has followed. */
  #isGap = false;

  /** Whether a line of MONITOR was found. */
  get isBegun(): boolean {
    return this.#lines.isBegun;
  }

  /** What was around the lines; null: nothing. */
  get skipped(): Skipped | null {
    return this.#lines.skipped.result();
  }

  /** Notes that the bytes of the text were not UTF-8. */
  noteEncoding(encoding: Encoding): void {
    if (encoding !== 'utf-8') this.#lines.skipped.add(encoding);
  }

  add(text: string): Result<readonly TextSignal[], RecordingProblem> {
    this.#line++;
    if (!this.isBegun) this.#before += text.length;
    if (this.#before > MOST_BEFORE) return fail(problem('not-a-recording', {}));
    if (text.length <= LONGEST_LINE) return this.#take(this.#lines.add(text));
    const before = this.#take(this.#lines.skip());
    return before.ok && this.isBegun ? ok([...before.value, ...this.#bad('too-long', [this.#line])]) : before;
  }

  /** No line follows. `isCut`: the end of the text is missing. */
  finish(isCut = false): Result<readonly TextSignal[], RecordingProblem> {
    const rest = this.#take(this.#lines.end(isCut));
    if (!rest.ok) return rest;
    const signals = [...rest.value];
    for (const line of this.#order.finish()) signals.push(...this.#inOrder(line));
    this.#lines.skipped.lines += this.#order.doubles;
    if (this.#order.cut !== undefined) this.#count('not-monitor', [this.#order.cut]);
    if (this.#order.isNewestFirst) this.#lines.skipped.add('newest-first');
    if (this.#order.hasMoved) this.#lines.skipped.add('captures');
    signals.push(...this.#closeRun(), ...this.#scripts.finish());
    if (!this.#hasClient) this.#count('no-call', this.#early, this.signals);
    return ok(signals);
  }

  #take(parts: readonly MonitorPart[]): Result<readonly TextSignal[], RecordingProblem> {
    const signals: TextSignal[] = [];
    for (const part of parts) {
      if ('sources' in part) {
        const [one, other] = part.sources;
        return fail(problem('monitor-of-several', { one, other }));
      }
      signals.push(
        ...('lost' in part ? this.#bad('not-monitor', part.lost.first, part.lost.count) : this.#taken(part)),
      );
    }
    return ok(signals);
  }

  #taken({ line, number, width }: Extract<MonitorPart, { readonly line: string }>): readonly TextSignal[] {
    const parsed = this.#parsed(line);
    this.#width.note(width, parsed !== undefined);
    if (parsed === 'shortened') return this.#bad(parsed, [number]);
    if (!parsed) return this.#bad('not-monitor', [number]);
    if (this.#order.isFull) {
      this.#count('out-of-order', [number]);
      return [];
    }
    const next = { parsed: withoutScriptText(parsed), number, length: line.length, width };
    return this.#order.add(next).flatMap((each) => this.#inOrder(each));
  }

  /** Takes the next line in the order of time. */
  #inOrder(line: TextLine): readonly TextSignal[] {
    if (line === 'lost') return this.#lost();
    const { parsed, number } = line;
    if (this.#last && (parsed.at < this.#last.parsed.at || (this.#isLost && isSameLine(this.#last, line)))) {
      this.#count('out-of-order', [number]);
      return this.#lost();
    }
    if (this.#width.isCut(line.width)) {
      this.#count('shortened', [number]);
      return this.#lost();
    }
    this.header ??= headerOf(parsed);
    this.#last = line;
    this.#hasClient ||= parsed.client !== null;
    if (!this.#hasClient && this.#early.length < MOST_BAD_LINES) this.#early.push(number);
    if (parsed.client !== null) this.#head = parsed;
    else if (this.#head && !scriptCallFromHead(this.#head)) {
      this.#count('no-call', [number]);
      return this.#lost();
    }
    this.#isLost = false;
    this.signals++;
    const before = parsed.client !== null || this.#run.length > LONGEST_RUN ? this.#closeRun() : [];
    if (this.#run.length === 0 && !isScriptHead(parsed)) return [...before, ...this.#pass(parsed)];
    this.#run.push(line);
    return before;
  }

  /** No line of the newest script follows. */
  #closeRun(): readonly TextSignal[] {
    const run = this.#run;
    this.#run = [];
    const lines = run.map(({ parsed }) => parsed);
    const [head] = lines;
    if (!head || run.length > LONGEST_RUN || isWholeRun(lines)) return lines.flatMap((line) => this.#pass(line));
    this.signals -= run.length;
    this.#count(
      'no-run',
      run.map(({ number }) => number),
      run.length,
    );
    this.#scripts.noteUnfit();
    return this.#gap(head.at);
  }

  #pass(signal: LineSignal): readonly TextSignal[] {
    this.#isGap = false;
    return this.#scripts.add(signal);
  }

  #parsed(text: string): LineSignal | 'shortened' | undefined {
    // Redis escapes all bytes that are not ASCII; Valkey 8.1.0 writes some as they are
    const line = isAscii(text) ? text : binaryOfLine(text.replaceAll('…', '...'), latin1Of);
    // Valkey 8.1.0 does not escape quotes and backslashes. A line that can be read only without escapes shows that.
    const isEscaped = decodeWords(line, line.indexOf('] "') + 2) !== undefined;
    if (hasGaps(line, isEscaped || this.#isUnescaped)) return 'shortened';
    // The line was cut off after a quote.
    if (!isEscaped && !this.#isUnescaped && !INNER_QUOTE.test(line)) return undefined;
    const parsed = parseMonitorLine(line, this.#isUnescaped);
    if (!parsed.ok) return undefined;
    this.#isUnescaped ||= !isEscaped;
    return hasShortNames(parsed.value) ? 'shortened' : parsed.value;
  }

  /** Counts bad lines. Where they are, other lines may be missing. */
  #bad(reason: BadLineReason, lines: readonly number[], count = 1): readonly TextSignal[] {
    this.#count(reason, lines, count);
    return this.#order.add('lost').flatMap((each) => this.#inOrder(each));
  }

  #count(reason: BadLineReason, lines: readonly number[], count = 1): void {
    this.badCount += count;
    const room = MOST_BAD_LINES - this.badLines.length;
    this.badLines.push(...lines.slice(0, room).map((line) => ({ line, reason })));
  }

  /** Reports only the first of several bad lines in a row as lost. */
  #lost(): readonly TextSignal[] {
    this.#head = undefined;
    if (this.#isLost || !this.#last) return [];
    this.#isLost = true;
    // More lines of this script may be among the lost ones.
    const before = this.#run.flatMap(({ parsed }) => this.#pass(parsed));
    this.#run = [];
    return [...before, ...this.#gap(this.#last.parsed.at)];
  }

  #gap(at: RedisTime): readonly TextSignal[] {
    if (this.#isGap) return [];
    this.#isGap = true;
    return this.#scripts.add({ kind: 'lost-line', at });
  }
}

function headerOf({ at }: LineSignal): RecordingHeader {
  return {
    lockscope: 'recording',
    format: FORMAT,
    source: {
      ...{ id: 'redis', url: 'redis-cli monitor', redisVersion: '', role: 'master', level: 'monitor' },
      ...{ isPushFirst: true, isText: true },
    },
    startedAt: at,
  };
}

function latin1Of(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
