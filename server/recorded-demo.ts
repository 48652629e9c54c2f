import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type RedisTime, redisTime } from '../shared/base/time.ts';
import { StepJoiner, timeOfStep } from '../shared/recording/steps-from-recording.ts';
import type { Step } from '../shared/signals/step.ts';
import { createRecordedStage, parseStageViews, type StageView } from './demo/recorded-stage.ts';
import { RECORDED_DIR } from './package-info.ts';
import { Playback, type Show as Recording, showOf } from './recordings/playback.ts';
import { readRecordingFile } from './recordings/read-file.ts';
import type { Show } from './serve.ts';

/** Scenarios with a recording in the package. The first one plays at the start. */
const RECORDED = ['two-threads', 'holder-crash', 'full-show', 'watchdog', 'no-watchdog'];

/** The demo for a machine without Redis: plays recorded runs. */
export async function openRecordedDemo(): Promise<Show> {
  const recordings = new Map<string, Recording>();
  const views = new Map<string, readonly StageView[]>();
  for (const id of RECORDED) {
    recordings.set(id, await readShow(join(RECORDED_DIR, `${id}.lockscope`)));
    views.set(id, parseStageViews(await readFile(join(RECORDED_DIR, `${id}.stage.ndjson`), 'utf8')));
  }
  const [first] = recordings.values();
  if (!first) throw new Error('no run is recorded');
  const playback = new Playback(first);
  const stage = createRecordedStage(views, {
    play: (id) => playback.play(recordings.get(id) ?? first),
    stop: () => playback.stop(),
    get position() {
      return playback.position;
    },
  });
  await stage.startScenario(RECORDED[0] ?? '');
  return { stage, observatory: playback.observatory };
}

/** Reads a whole recording into memory. */
async function readShow(path: string): Promise<Recording> {
  const joiner = new StepJoiner();
  const steps: Step[] = [];
  const { header, end } = await readRecordingFile(path, (signal) => void steps.push(...joiner.add(signal)));
  steps.push(...joiner.finish());
  if (!header) throw new Error('a recording begins with its header');
  const last = steps.at(-1);
  const endsAt: RedisTime = redisTime(Math.max(end?.end ?? 0, last ? timeOfStep(last) : header.startedAt));
  return showOf(basename(path), [{ header, steps }], endsAt);
}
