import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { RecordingHeader, WatchSignal } from '../../shared/recording/format.ts';
import { signalFromJson } from '../../shared/recording/parse-signal-line.ts';
import { beliefsOf } from '../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../shared/recording/signal-line.ts';
import { interpretRecorded, StepJoiner } from '../../shared/recording/steps-from-recording.ts';

export type Stretch = { readonly from: RedisTime | undefined; readonly to: RedisTime };

/**
 * Cuts the stretch `from`..`to` out of recorded lines: what was believed at `from`, then every line up to `to`.
 *
 *   lines   beliefs · line · line · line · line · line · line
 *                              from ┴────────────────┴ to
 *   cut     header · beliefs at from · line · line · line · end
 */
export async function cutRecording(
  pieces: Iterable<string>,
  { from, to }: Stretch,
  header: Omit<RecordingHeader, 'startedAt'>,
  startedAt: RedisTime,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const text = Readable.from(textOfCut(pieces, { from, to }, header, startedAt));
  for await (const chunk of text.pipe(createGzip())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* textOfCut(
  pieces: Iterable<string>,
  { from, to }: Stretch,
  header: Omit<RecordingHeader, 'startedAt'>,
  startedAt: RedisTime,
): AsyncGenerator<string> {
  const before = new Before(header);
  let signals = 0;
  let isIn = false;
  let isOver = false;
  const begin = (): string => {
    isIn = true;
    const lines = from === undefined ? [] : before.beliefsAt(from);
    signals += lines.length;
    const { hearsMessages: _, ...source } = header.source;
    const first = {
      ...header,
      source: { ...source, ...(from === undefined ? watchOf(header.source) : before.watch) },
      startedAt,
    };
    return [JSON.stringify(first), ...lines, ''].join('\n');
  };
  if (from === undefined) yield begin();
  for (const piece of pieces) {
    const kept: string[] = [];
    for (const line of piece.split('\n')) {
      if (line === '' || isOver) continue;
      const at = timeOfLine(line);
      if (at !== undefined && !isIn && from !== undefined && at >= from) yield begin();
      if (at !== undefined && isIn && at > to) isOver = true;
      else if (isIn) kept.push(line);
      else before.add(line);
    }
    signals += kept.length;
    if (kept.length > 0) yield `${kept.join('\n')}\n`;
    if (isOver) break;
  }
  if (!isIn) yield begin();
  yield `${JSON.stringify({ end: to, signals })}\n`;
}

/** The time of a line that begins something; undefined for one that belongs to the command before it. */
function timeOfLine(line: string): number | undefined {
  const match = /^\{"at":(\d+),"(\w+)"(?::\d+,"(\w+)")?/.exec(line);
  if (!match || match[2] === 'with' || match[3] === 'lua') return undefined;
  return Number(match[1]);
}

/** What was known before a cut begins. */
class Before {
  watch: Omit<WatchSignal, 'at' | 'kind'>;
  readonly #interpreter: Interpreter;
  readonly #joiner = new StepJoiner();

  constructor({ source }: Omit<RecordingHeader, 'startedAt'>) {
    this.#interpreter = new Interpreter({ source: source.id, hasCommands: source.level === 'monitor' });
    this.watch = watchOf(source);
  }

  add(line: string): void {
    const signal = signalFromJson(JSON.parse(line));
    if (!signal.ok) throw new Error(`a line of our own: ${signal.error}`);
    if (signal.value.kind === 'watch') this.watch = watchOf(signal.value);
    for (const step of this.#joiner.add(signal.value)) interpretRecorded(this.#interpreter, step);
  }

  beliefsAt(at: number): string[] {
    for (const step of this.#joiner.finish()) interpretRecorded(this.#interpreter, step);
    return beliefsOf(this.#interpreter, redisTime(at), this.watch).map(lineFromSignal);
  }
}

function watchOf({
  level,
  isPushFirst,
  hearsMessages,
}: Omit<WatchSignal, 'at' | 'kind'>): Omit<WatchSignal, 'at' | 'kind'> {
  return { level, isPushFirst, ...(hearsMessages === false ? { hearsMessages } : {}) };
}
