import { expect, test } from 'vitest';
import { scriptsByFrame } from './frames.ts';

const slice = (name: string, ts: number, dur: number, tid = 1) => ({ name, ph: 'X', pid: 1, tid, ts, dur });
const frame = (ts: number) => slice('PageAnimator::serviceScriptedAnimations', ts, 5000);

test('script on the page’s thread is counted once, for the frame that shows its result', () => {
  const slices = [
    frame(0),
    frame(16_000),
    slice('FireAnimationFrame', 16_100, 3000),
    slice('FunctionCall', 16_200, 2000),
    // between two frames
    slice('EventDispatch', 25_000, 1000),
    frame(33_000),
    slice('FireAnimationFrame', 33_100, 2000),
    slice('FunctionCall', 33_100, 9000, 2),
    frame(49_000),
  ];
  expect(scriptsByFrame(slices)).toEqual([3, 3]);
});
