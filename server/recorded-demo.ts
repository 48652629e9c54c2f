import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { redisTime } from '../shared/base/time.ts';
import { StepJoiner } from '../shared/recording/steps-from-recording.ts';
import type { Step } from '../shared/signals/step.ts';
import { createRecordedStage, parseStageRun, type RecordedRun, type StageRun } from './demo/recorded-stage.ts';
import { SCENARIOS } from './demo/scenarios/all.ts';
import { RECORDED_DIR } from './package-info.ts';
import { Playback, type RecordedSource, type Show as Recording, showOf } from './recordings/playback.ts';
import { readRecordingFile } from './recordings/read-file.ts';
import { fileOfSource } from './recordings/recording-file.ts';
import type { Show } from './serve.ts';

type RecordedDemoOptions = {
  /** The scenario that plays at the start. */
  readonly first?: string;
  /** A run is over as soon as it starts, and dated so that it has just ended. */
  readonly isOver?: boolean;
};

/** The demo for a machine without Redis: plays the recorded run of each scenario, by default as if it happened now. */
export async function openRecordedDemo({
  first = SCENARIOS[0]?.id ?? '',
  isOver = false,
}: RecordedDemoOptions = {}): Promise<Show> {
  const begin = await readRun(first);
  const playback = new Playback(begin.recording, { isOver });
  const playable = ({ recording, views }: Run): RecordedRun => ({ views, play: () => playback.play(recording) });
  const stage = createRecordedStage(playable(begin), async (id) => playable(await readRun(id)), playback);
  return { stage, observatory: playback.observatory };
}

type Run = { readonly recording: Recording; readonly views: StageRun };

async function readRun(id: string): Promise<Run> {
  const views = gunzipSync(await readFile(join(RECORDED_DIR, `${id}.stage.ndjson.gz`)));
  return { recording: await readShow(join(RECORDED_DIR, `${id}.lockscope`)), views: parseStageRun(views.toString()) };
}

/** Reads the recordings of a run, one file for each source as `--record` names them, into memory. */
async function readShow(path: string): Promise<Recording> {
  const sources: RecordedSource[] = [];
  let endsAt = 0;
  for (let file = path; existsSync(file); file = fileOfSource(path, sources.length)) {
    const joiner = new StepJoiner();
    const steps: Step[] = [];
    const { header, end } = await readRecordingFile(file, (signal) => void steps.push(...joiner.add(signal)));
    if (!header || !end) throw new Error(`${basename(file)} is not complete`);
    sources.push({ header, steps: [...steps, ...joiner.finish()] });
    endsAt = Math.max(endsAt, end.end);
  }
  return showOf(basename(path), sources, redisTime(endsAt));
}
