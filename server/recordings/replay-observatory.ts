import { basename } from 'node:path';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingReader } from '../../shared/recording/read-recording.ts';
import { StepJoiner, timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Observatory } from '../watch/observatory.ts';
import { readRecordingFile } from './read-file.ts';
import { Replay } from './replay.ts';

/**
 * Returns the observatory of a recording, as of its end, once all of it is read. Rejects with `OpenError`.
 */
export async function openRecording(path: string, memory: number): Promise<Observatory> {
  const joiner = new StepJoiner();
  let replay: Replay | undefined;
  let endsAt: RedisTime = redisTime(0);
  const begin = (reader: RecordingReader): Replay => {
    const { header } = reader;
    if (!header) throw new Error('a recording begins with its header');
    const startedAt = redisTime(header.startedAt);
    endsAt = redisTime(Math.max(endsAt, startedAt));
    return new Replay(header, {
      memory,
      now: () => endsAt,
      rejected: () => reader.badCount,
      describe: () => ({
        name: basename(path),
        startedAt,
        endsAt,
        playing: false,
        cutShort: reader.isCutShort,
        badLines: { count: reader.badCount, first: reader.badLines.slice(0, 20) },
      }),
    });
  };
  const reader = await readRecordingFile(path, (signal, current) => {
    replay ??= begin(current);
    for (const step of joiner.add(signal)) {
      replay.feed(step);
      endsAt = redisTime(Math.max(endsAt, timeOfStep(step)));
    }
  });
  replay ??= begin(reader);
  for (const step of joiner.finish()) replay.feed(step);
  if (reader.end) endsAt = redisTime(Math.max(endsAt, reader.end.end));
  return replay.observatory;
}
