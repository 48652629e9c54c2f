import { expect, test } from 'vitest';
import { groupsTold } from '../../testing/group-story.ts';

test('[G3] over slow connections the refusal and the roll-back take longer', () => {
  const text = '0.000 d B:1 acquired\n0.028 c B:1 refused\n0.041 d B:1 released';
  expect(groupsTold(text)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
  const late = '0.000 d B:1 acquired\n0.090 c B:1 refused\n0.180 d B:1 released';
  expect(groupsTold(late)).toEqual(['–', '–', '–']);
});

test('[G3] two tries that do not wait, one soon after the other, are two groups', () => {
  const one = '0.000 d B:1 acquired\n0.002 c B:1 refused\n0.004 d B:1 released';
  const other = '0.017 d B:1 acquired\n0.019 c B:1 refused\n0.021 d B:1 released';
  expect(groupsTold(`${one}\n${other}`)).toEqual([
    ...['g1', 'g1', 'g1 roll-back rolled-back'],
    ...['g4', 'g4', 'g4 roll-back rolled-back'],
  ]);
});
