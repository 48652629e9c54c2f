import type { Storyboard } from '../beats/beats-from-events.ts';
import type { StagePicture } from './stage-at.ts';
import type { StageProgress } from './steps-shown.ts';

export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** What React renders; the same object until something other than motion has changed. */
export type StageView = {
  readonly storyboard: Storyboard;
  readonly picture: StagePicture;
  readonly isPlaying: boolean;
  /** The user has paused, stepped or started over, and has not returned to now since. */
  readonly isByHand: boolean;
  readonly speed: Speed;
  /** How far the stage is behind the edge. */
  readonly behindMs: number;
  readonly hasNext: boolean;
  readonly steps: StageProgress;
};

/** Whether two views of the same beat look the same. How far the stage is behind is shown in whole seconds. */
export function isSameView(one: StageView, other: StageView): boolean {
  const behindS = ({ behindMs }: StageView) => Math.round(behindMs / 1000);
  return (
    one.picture.at === other.picture.at &&
    one.hasNext === other.hasNext &&
    one.steps.run === other.steps.run &&
    one.steps.shown === other.steps.shown &&
    behindS(one) === behindS(other)
  );
}
