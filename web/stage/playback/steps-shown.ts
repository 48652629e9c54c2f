import type { RedisTime } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';
import { actorOf } from '../script/run.ts';
import { animatedMs, beatIndex, type Position } from './position.ts';

type Script = Demo['script'];

/** How many steps of a run the stage has shown; `run` is when the run began. */
type StepsShown = { readonly run: number | undefined; readonly shown: number };

/** The steps shown, and whether the stage is playing and has more to show. */
export type StageProgress = StepsShown & { readonly isPlaying: boolean; readonly hasMore: boolean };

/** The steps of the current run that the stage has shown. If the stage shows another lock, all steps that happened. */
export function stepsOnStage(
  demo: Demo | null,
  storyboard: Storyboard,
  position: Position,
  edge: RedisTime,
): StepsShown {
  if (demo === null) return { run: undefined, shown: 0 };
  const isOnStage = demo.lock === storyboard.run.lock;
  return { run: demo.startedAt, shown: isOnStage ? stepsShown(storyboard, position, edge, demo.script) : demo.step };
}

/**
 * How many steps of the scenario the stage has shown. A client reports a step shortly after Redis did it. So a step
 * belongs to the last beat before the report by the same client or thread, and never to a beat before the
 * beat of an earlier step:
 *
 *   beats   A releases · B acquires
 *   reported                     · 5 by A · 6 by B
 *                                   └ A releases   └ B acquires
 */
export function stepsShown(storyboard: Storyboard, position: Position, edge: RedisTime, script: Script): number {
  const landed = landedIndex(storyboard, position);
  let newest = -1;
  let shown = 0;
  for (const step of script) {
    const { at } = step;
    if (at === undefined || at > edge) break;
    const before = (beat: Beat) => beat.at <= at;
    const own = storyboard.beats.findLastIndex((beat) => before(beat) && isOf(storyboard, beat, step));
    newest = Math.max(newest, own === -1 ? storyboard.beats.findLastIndex(before) : own);
    if (newest > landed) break;
    shown++;
  }
  return shown;
}

/** Index of the newest beat that has landed; -1 before the first. */
function landedIndex(storyboard: Storyboard, position: Position): number {
  const index = beatIndex(storyboard, position);
  const beat = storyboard.beats[index];
  return beat && animatedMs(beat, position) < beat.animation.landMs ? index - 1 : index;
}

/** Whether a beat is by the thread (`A1`), the client (`A`) or the server of a step, and at the step's lock. */
function isOf({ run, reported }: Storyboard, beat: Beat, { who = 'anybody', lock }: Script[number]): boolean {
  const change = reported[beat.moment];
  const moment = change?.moment;
  if (lock !== undefined && moment?.kind === 'event' && moment.event.lock !== lock) return false;
  if (who === 'anybody') return true;
  switch (moment?.kind) {
    case 'event': {
      const holder = 'holder' in moment.event ? moment.event.holder : undefined;
      if (holder === undefined) return false;
      const { client, thread } = actorOf(run, change?.before.takers.get(holder) ?? holder);
      return who === client || who === `${client}${thread}`;
    }
    case 'fault':
      return who === moment.fault.client;
    case 'client-report':
      return who === `${moment.report.client}${moment.report.thread}`;
    case 'server':
      return who === 'server';
    default:
      return false;
  }
}
