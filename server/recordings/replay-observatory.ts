import { basename } from 'node:path';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { StepJoiner, timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { RecordingSink } from '../watch/recording/recording-sink.ts';
import type { RecordedPost } from '../watch/recording/source-recording.ts';
import { type FileLimits, type FileReader, readRecordingFile } from './read-file.ts';
import { Replay } from './replay.ts';

/** What a recording contains. Times are Redis times in µs. */
export type RecordingSummary = {
  readonly source: RecordingHeader['source'];
  readonly startedAt: number;
  readonly endsAt: number;
  /** Events that its signals mean, those of the source included. */
  readonly events: number;
  readonly signals: number;
  readonly cutShort: boolean;
  readonly badLines: number;
};

export type OpenedRecording = { readonly observatory: Observatory; readonly summary: RecordingSummary };

export type OpenOptions = {
  /** Memory limit as for a whole process, in bytes. */
  readonly memory: number;
  /** Its name on the page; absent: the name of the file. */
  readonly name?: string;
  readonly limits?: FileLimits;
  /** Receives it as a recording with lock signals only. */
  readonly sink?: RecordingSink;
};

/**
 * Returns the observatory of a recording, as of its end, once all of it is read. Rejects with `OpenError`.
 */
export async function openRecording(path: string, options: OpenOptions): Promise<OpenedRecording> {
  const { memory, name = basename(path), limits, sink } = options;
  const joiner = new StepJoiner();
  let replay: Replay | undefined;
  let endsAt: RedisTime = redisTime(0);
  const begin = (reader: FileReader): Replay => {
    const startedAt = redisTime(headerOf(reader).startedAt);
    endsAt = redisTime(Math.max(endsAt, startedAt));
    return new Replay(headerOf(reader), {
      memory,
      wholeFrom: startedAt,
      now: () => endsAt,
      ...(sink ? { post: postTo(sink) } : {}),
      rejected: () => reader.badCount,
      describe: () => ({
        name,
        startedAt,
        endsAt,
        playing: false,
        ...(headerOf(reader).source.isText ? { isText: true } : {}),
        cutShort: reader.isCutShort,
        badLines: { count: reader.badCount, first: reader.badLines.slice(0, 20) },
      }),
    });
  };
  const take = (reader: FileReader): Replay => {
    replay ??= begin(reader);
    return replay;
  };
  const reader = await readRecordingFile(
    path,
    (signal, current) => {
      for (const step of joiner.add(signal)) {
        take(current).feed(step);
        endsAt = redisTime(Math.max(endsAt, timeOfStep(step)));
      }
    },
    limits,
  );
  const { observatory } = take(reader);
  for (const step of joiner.finish()) {
    take(reader).feed(step);
    endsAt = redisTime(Math.max(endsAt, timeOfStep(step)));
  }
  if (reader.end) endsAt = redisTime(Math.max(endsAt, reader.end.end));
  take(reader).passTime(endsAt);
  if (sink) {
    take(reader).end();
    await sink.end(endsAt);
  }
  const { source, startedAt } = headerOf(reader);
  return {
    observatory,
    summary: {
      source,
      startedAt,
      endsAt,
      events: observatory.history.nextSeq() - 1,
      signals: reader.signals,
      cutShort: reader.isCutShort,
      badLines: reader.badCount,
    },
  };
}

function postTo(sink: RecordingSink): (post: RecordedPost) => void {
  return (post) => {
    if (post.part === 'begin') sink.begin(post.header);
    if (post.part === 'lines') sink.write(post.lines, post.signals);
  };
}

function headerOf({ header }: FileReader): RecordingHeader {
  if (!header) throw new Error('a recording begins with its header');
  return header;
}
