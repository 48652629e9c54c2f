import { expect, test } from 'vitest';
import { makeSource } from '../testing/make.ts';
import { lostSources } from './lost-sources.ts';

const problem = { code: 'not-answering', values: {}, message: 'Redis does not answer.', hint: 'Wait.' };
const well = makeSource({ id: 'well' });
const failed = makeSource({ id: 'failed', status: 'failed' });
const silent = makeSource({ id: 'silent', problem });

test('sources that are not watched are lost while another one is watched', () => {
  expect(lostSources([well, failed, silent])).toEqual(['failed', 'silent']);
});

test('if no source is watched, none is lost beside others; a server that a scenario shut down is not lost', () => {
  expect(lostSources([failed, silent])).toEqual([]);
  expect(lostSources([well, { ...failed, ended: true }])).toEqual([]);
});
