import { basename } from 'node:path';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordedSignal, RecordingHeader } from '../../shared/recording/format.ts';
import type { BadLine } from '../../shared/recording/read-recording.ts';
import { StepJoiner, timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import type { Skipped } from '../../shared/unwrap/skipped.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { RecordingSink } from '../watch/recording/recording-sink.ts';
import type { RecordedPost } from '../watch/recording/source-recording.ts';
import { type FileFacts, type FileLimits, type ReadFile, readRecordingFile } from './read-file.ts';
import { Replay } from './replay.ts';

/** Bad lines beyond these are only counted. */
const MOST_LISTED = 20;

/** What a recording contains. Times are Redis times in µs. */
export type RecordingSummary = {
  readonly source: RecordingHeader['source'];
  readonly startedAt: number;
  readonly endsAt: number;
  /** The number of events in the recording, including those of the source. */
  readonly events: number;
  readonly signals: number;
  readonly cutShort: boolean;
  readonly badLines: number;
};

/** Lines that could not be read: their number, and the first of them. */
type BadLines = { readonly count: number; readonly first: readonly BadLine[] };

/** What is known only from the text that a recording was made from. */
export type TextFacts = { readonly badLines: BadLines; readonly skipped: Skipped | null };

type OpenedRecording = {
  readonly observatory: Observatory;
  readonly summary: RecordingSummary;
  readonly text: TextFacts;
};

export type OpenOptions = {
  /** The memory limit in bytes, which is divided like that of a whole process. */
  readonly memory: number;
  /** The name on the page; absent: the name of the file. */
  readonly name?: string;
  readonly limits?: FileLimits;
  /** Reads the file; absent: in this thread. */
  readonly read?: ReadFile | undefined;
  /** Aborted when the recording is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the lock signals of the recording, and nothing else of it. */
  readonly sink?: RecordingSink;
  /** The text from which the recording was made: bad lines in it are counted with those of the file. */
  readonly text?: TextFacts;
};

/**
 * Returns the observatory of a recording, as of its end, once all of it is read. Rejects with `OpenError`, and with the
 * reason of `signal`.
 */
export async function openRecording(path: string, options: OpenOptions): Promise<OpenedRecording> {
  const { name = basename(path), limits, sink, read = readRecordingFile, signal } = options;
  const opening = new Opening({ ...options, name });
  const reader = await read(path, (each, facts) => opening.take(each, facts), { limits, signal });
  const opened = opening.finish(reader);
  await sink?.end(redisTime(opened.summary.endsAt));
  return opened;
}

/** A recording that is being read: feeds its signals to an observatory. */
export class Opening {
  readonly #options: OpenOptions & { readonly name: string };
  readonly #joiner = new StepJoiner();
  #replay: Replay | undefined;
  #endsAt: RedisTime = redisTime(0);

  constructor(options: OpenOptions & { readonly name: string }) {
    this.#options = options;
  }

  /** Takes the next signal that the reader has read. */
  take(signal: RecordedSignal | LostLine, reader: FileFacts): void {
    for (const step of this.#joiner.add(signal)) this.#feed(step, reader);
  }

  /** Ends the opening, once all of the recording has been read. */
  finish(reader: FileFacts): OpenedRecording {
    const replay = this.#begun(reader);
    for (const step of this.#joiner.finish()) this.#feed(step, reader);
    if (reader.end) this.#endsAt = redisTime(Math.max(this.#endsAt, reader.end.end));
    const endsAt = this.#endsAt;
    replay.passTime(endsAt);
    if (this.#options.sink) replay.end();
    const { observatory } = replay;
    const { source, startedAt } = headerOf(reader);
    const events = observatory.history.nextSeq() - 1;
    const { signals, isCutShort: cutShort } = reader;
    const text = { badLines: this.#badLines(reader), skipped: this.#skipped(reader) };
    const summary = { source, startedAt, endsAt, events, signals, cutShort, badLines: text.badLines.count };
    return { observatory, summary, text };
  }

  #feed(step: Step, reader: FileFacts): void {
    const replay = this.#begun(reader);
    // The end is moved first: what the step changes is noted with this time.
    this.#endsAt = redisTime(Math.max(this.#endsAt, timeOfStep(step)));
    replay.feed(step);
  }

  #begun(reader: FileFacts): Replay {
    this.#replay ??= this.#begin(reader);
    return this.#replay;
  }

  #begin(reader: FileFacts): Replay {
    const { memory, name, sink } = this.#options;
    const startedAt = redisTime(headerOf(reader).startedAt);
    this.#endsAt = redisTime(Math.max(this.#endsAt, startedAt));
    return new Replay([headerOf(reader)], {
      memory,
      wholeFrom: startedAt,
      now: () => this.#endsAt,
      ...(sink ? { post: postTo(sink) } : {}),
      rejected: () => reader.badCount,
      describe: () => ({
        name,
        startedAt,
        endsAt: this.#endsAt,
        playing: false,
        ...(headerOf(reader).source.isText ? { isText: true } : {}),
        ...skippedPart(this.#skipped(reader)),
        cutShort: reader.isCutShort,
        badLines: this.#badLines(reader),
      }),
    });
  }

  #skipped({ skipped }: FileFacts): Skipped | null {
    return skipped ?? this.#options.text?.skipped ?? null;
  }

  #badLines({ badCount, badLines }: FileFacts): { count: number; first: BadLine[] } {
    const before = this.#options.text?.badLines ?? { count: 0, first: [] };
    return { count: before.count + badCount, first: [...before.first, ...badLines].slice(0, MOST_LISTED) };
  }
}

function skippedPart(skipped: Skipped | null) {
  return skipped ? { skipped: problem('text-skipped', { ...skipped, around: [...skipped.around] }) } : {};
}

function postTo(sink: RecordingSink): (post: RecordedPost) => void {
  return (post) => {
    if (post.part === 'begin') sink.begin(post.header);
    if (post.part === 'lines') sink.write(post.lines, post.signals);
  };
}

function headerOf({ header }: FileFacts): RecordingHeader {
  if (!header) throw new Error('a recording begins with its header');
  return header;
}
