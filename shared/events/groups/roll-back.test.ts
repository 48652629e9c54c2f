import { expect, test } from 'vitest';
import { groupsReported } from '../../../testing/stories/group-story.ts';

test('[G3] a refusal after 28 ms and a roll-back 13 ms later show a group, but not after 90 ms each', () => {
  const text = '0.000 d B:1 acquired\n0.028 c B:1 refused\n0.041 d B:1 released';
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
  const late = '0.000 d B:1 acquired\n0.090 c B:1 refused\n0.180 d B:1 released';
  expect(groupsReported(late)).toEqual(['–', '–', '–']);
});

test('[G3] two tryLock calls within 20 ms are two groups', () => {
  const one = '0.000 d B:1 acquired\n0.002 c B:1 refused\n0.004 d B:1 released';
  const other = '0.017 d B:1 acquired\n0.019 c B:1 refused\n0.021 d B:1 released';
  expect(groupsReported(`${one}\n${other}`)).toEqual([
    ...['g1', 'g1', 'g1 roll-back rolled-back'],
    ...['g4', 'g4', 'g4 roll-back rolled-back'],
  ]);
});
