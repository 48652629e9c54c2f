import { gzipSync } from 'node:zlib';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import type { RecordingHeader } from '../../../shared/recording/format.ts';
import { signalFromJson } from '../../../shared/recording/parse-signal-line.ts';
import { beliefsOf } from '../../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../../shared/recording/signal-line.ts';
import { StepJoiner } from '../../../shared/recording/steps-from-recording.ts';
import type { WatchSignal } from '../../../shared/signals/signal.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { Piece } from './recording-ring.ts';

type Range = { readonly from: RedisTime | undefined; readonly to: RedisTime };

/** Text that is compressed together, in characters. */
const MEMBER_CHARS = 256 * 1024;

/**
 * Cuts the range `from`..`to` out of recorded lines: what was believed at `from`, then every line up to `to`. Blocks
 * that lie within the range are taken as they are, compressed.
 *
 *   lines   beliefs · line · line │ block │ block │ line · line
 *                     from ┴──────────────────────────┴ to
 *   cut     header · beliefs at from · line │ block │ block │ line · end
 */
export function* cutRecording(
  pieces: Iterable<Piece>,
  { from, to }: Range,
  header: Omit<RecordingHeader, 'startedAt'>,
  startedAt: RedisTime,
): Sliced<Uint8Array<ArrayBuffer>> {
  const before = new Before(header);
  const cut = new Cut();
  let isIn = false;
  function* begin(): Sliced<void> {
    isIn = true;
    const { hearsMessages: _, clockBehindMs: __, hasIfEqual: ___, lacks: ____, ...source } = header.source;
    const watch = from === undefined ? watchedAs(header.source) : before.watch;
    cut.addHeader(JSON.stringify({ ...header, source: { ...source, ...watch }, startedAt }));
    if (from === undefined) return;
    for (const line of before.beliefsAt(from)) {
      cut.add(line);
      yield;
    }
  }
  /** Returns false at the first line after the range. */
  function* addLines(text: string): Generator<void, boolean, void> {
    for (const line of linesOf(text)) {
      const at = timeOfLine(line);
      if (at !== undefined && !isIn && from !== undefined && at >= from) yield* begin();
      if (at !== undefined && isIn && at > to) return false;
      if (isIn) cut.add(line);
      else before.add(line);
      yield;
    }
    return true;
  }
  if (from === undefined) yield* begin();
  for (const piece of pieces) {
    if (isIn && piece.packed && piece.newestAt <= to) cut.addPacked(piece.packed, piece.lines);
    else if (!(yield* addLines(piece.text()))) break;
    yield;
  }
  if (!isIn) yield* begin();
  return cut.end(to);
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? undefined : end);
    if (line !== '') yield line;
    if (end === -1) return;
    from = end + 1;
  }
}

/** The file being written, as consecutive gzip members. */
class Cut {
  readonly #members: Uint8Array[] = [];
  #text = '';
  #signals = 0;

  addHeader(line: string): void {
    this.#text += `${line}\n`;
  }

  add(line: string): void {
    this.#signals++;
    this.#text += `${line}\n`;
    if (this.#text.length > MEMBER_CHARS) this.#pack();
  }

  addPacked(member: Uint8Array, signals: number): void {
    this.#pack();
    this.#members.push(member);
    this.#signals += signals;
  }

  /** The whole file in its own buffer, so that it can be moved to another thread. */
  end(to: RedisTime): Uint8Array<ArrayBuffer> {
    this.#text += `${JSON.stringify({ end: to, signals: this.#signals })}\n`;
    this.#pack();
    const file = new Uint8Array(this.#members.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const member of this.#members) {
      file.set(member, at);
      at += member.length;
    }
    return file;
  }

  #pack(): void {
    if (this.#text !== '') this.#members.push(gzipSync(this.#text, { level: 1 }));
    this.#text = '';
  }
}

/** The time of a line that begins a step; `undefined` for a line that belongs to the command before it. */
function timeOfLine(line: string): number | undefined {
  const match = /^\{"at":(\d+),"(\w+)"(?::\d+,"(\w+)")?/.exec(line);
  if (!match || match[2] === 'with' || match[3] === 'lua') return undefined;
  return Number(match[1]);
}

/** Reads the lines before a cut, to know what was believed at its beginning. */
class Before {
  watch: Omit<WatchSignal, 'at' | 'kind'>;
  readonly #interpreter: Interpreter;
  readonly #joiner = new StepJoiner();
  /** Lines that cannot be read stay in the cut: opening it counts and names them. */
  readonly #unread: string[] = [];

  constructor({ source }: Omit<RecordingHeader, 'startedAt'>) {
    this.#interpreter = new Interpreter({ source: source.id, hasCommands: source.level === 'monitor' });
    this.watch = watchedAs(source);
  }

  add(line: string): void {
    const signal = signalFromJson(JSON.parse(line));
    if (!signal.ok) return void this.#unread.push(line);
    if (signal.value.kind === 'watch') this.watch = watchedAs(signal.value);
    for (const step of this.#joiner.add(signal.value)) this.#interpreter.interpret(step);
  }

  *beliefsAt(at: number): Generator<string> {
    for (const step of this.#joiner.finish()) this.#interpreter.interpret(step);
    for (const belief of beliefsOf(this.#interpreter, redisTime(at), this.watch)) yield lineFromSignal(belief);
    yield* this.#unread;
  }
}

/** How a source is watched, without what else a header or signal has. */
export function watchedAs({
  level,
  isPushFirst,
  hearsMessages,
  clockBehindMs,
  hasIfEqual,
  lacks,
}: Omit<WatchSignal, 'at' | 'kind'>): Omit<WatchSignal, 'at' | 'kind'> {
  const quiet = hearsMessages === false ? { hearsMessages } : undefined;
  const behind = clockBehindMs === undefined ? undefined : { clockBehindMs };
  const compares = hasIfEqual ? { hasIfEqual } : undefined;
  return { level, isPushFirst, ...quiet, ...behind, ...compares, ...(lacks === undefined ? undefined : { lacks }) };
}
