import { fail, ok, type Result } from '../../shared/base/result.ts';
import type { BadLineReason } from '../../shared/recording/bad-line.ts';
import { FORMAT, type RecordingHeader } from '../../shared/recording/format.ts';
import {
  type BadLine,
  LONGEST_LINE,
  MOST_BAD_LINES,
  type RecordingProblem,
} from '../../shared/recording/read-recording.ts';
import { decodeWords, parseMonitorLine } from '../../shared/signals/monitor-line.ts';
import type { LineSignal, LostLine } from '../../shared/signals/signal.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { withoutScriptText } from '../redis/stream/script-text.ts';

/** How a line of MONITOR begins: the time, then the database and the client. */
const LINE = /^\d{1,12}\.\d{6} \[\d{1,9} /;

/** True if a file that begins with this line may be the text of `redis-cli monitor`, whose first line is `OK`. */
export function isMonitorText(line: string): boolean {
  const text = trimmed(line);
  return text === 'OK' || (LINE.test(text) && parseMonitorLine(text).ok);
}

/**
 * Reads the text of `redis-cli monitor` line by line, as a recording at level `monitor` that begins with its first line.
 *
 *   OK
 *   1795218454.496776 [0 127.0.0.1:49168] "EVAL" "if (redis.call(…" "1" "orders:42" …
 *   1795218454.496776 [0 lua] "exists" "orders:42"
 *
 * A line that cannot be read, or that is earlier than the one before it, is counted and left out. It may have been a part
 * of a script, so it is reported as lost: nothing is inferred across it.
 */
export class MonitorTextReader {
  header: RecordingHeader | undefined;
  readonly end = undefined;
  readonly isCutShort = false;
  signals = 0;
  badCount = 0;
  readonly badLines: BadLine[] = [];
  #line = 0;
  #isLost = false;
  #isUnescaped = false;
  #last: LineSignal | undefined;

  add(text: string): Result<LineSignal | LostLine | undefined, RecordingProblem> {
    this.#line++;
    if (text.length > LONGEST_LINE && this.header) return ok(this.#bad('too-long'));
    const line = trimmed(text);
    if (line === '' || line === 'OK') return ok(undefined);
    const parsed = LINE.test(line) ? this.#parsed(line) : undefined;
    if (!parsed) return this.header ? ok(this.#bad('not-monitor')) : fail(problem('not-a-recording'));
    if (this.#last && parsed.at < this.#last.at) return ok(this.#bad('out-of-order'));
    this.header ??= headerOf(parsed);
    this.#last = parsed;
    this.#isLost = false;
    this.signals++;
    return ok(withoutScriptText(parsed));
  }

  #parsed(text: string): LineSignal | undefined {
    // Redis escapes all bytes that are not ASCII; Valkey 8.1.0 writes some as they are
    const line = isAscii(text) ? text : Buffer.from(text).toString('latin1');
    // Valkey 8.1.0 does not escape quotes and backslashes. A line that can only be read in this way shows it.
    const parsed = parseMonitorLine(line, this.#isUnescaped);
    if (!parsed.ok) return undefined;
    this.#isUnescaped ||= decodeWords(line, line.indexOf('] "') + 2) === undefined;
    return parsed.value;
  }

  /** Counts a bad line. Of several in a row, only the first one is reported as lost. */
  #bad(reason: BadLineReason): LostLine | undefined {
    this.badCount++;
    if (this.badLines.length < MOST_BAD_LINES) this.badLines.push({ line: this.#line, reason });
    if (this.#isLost || !this.#last) return undefined;
    this.#isLost = true;
    return { kind: 'lost-line', at: this.#last.at };
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

/** Without a carriage return at its end, and without the mark that some editors put at the beginning of a file. */
function trimmed(line: string): string {
  return line.replace(/^\uFEFF/, '').replace(/\r$/, '');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
