import { expect, test } from 'vitest';
import { makeSource } from '../../testing/make.ts';
import { lostSources, noSightOf } from './sight.ts';

const problem = { code: 'refused', values: {}, message: 'No Redis.', hint: 'Start one.' };
const failed = makeSource({ id: 'a', status: 'failed', problem });
const well = makeSource({ id: 'b' });

test('a disconnected page watches nothing, even if its source was watched last', () => {
  for (const link of ['connecting', 'lost'] as const) {
    expect(noSightOf({ link, sources: [well] })).toEqual({ kind: 'connecting' });
  }
  expect(noSightOf({ link: 'refused', sources: [well] })).toEqual({ kind: 'refused' });
  expect(noSightOf({ link: 'live', sources: [] })).toEqual({ kind: 'connecting' });
});

test('nothing is watched until at least one source is observing', () => {
  const connecting = makeSource({ status: 'connecting' });
  expect(noSightOf({ link: 'live', sources: [connecting] })).toEqual({ kind: 'trouble', source: connecting });
  expect(noSightOf({ link: 'live', sources: [connecting, failed] })).toEqual({ kind: 'trouble', source: failed });
  expect(noSightOf({ link: 'live', sources: [failed, well] })).toBeNull();
});

test('a source is unwatched while Redis or its observer does not answer, but watched despite another problem', () => {
  for (const code of ['not-answering', 'observer-silent']) {
    const silent = makeSource({ problem: { ...problem, code } });
    expect(noSightOf({ link: 'live', sources: [silent] })).toEqual({ kind: 'trouble', source: silent });
  }
  expect(noSightOf({ link: 'live', sources: [makeSource({ problem })] })).toBeNull();
});

test('a server that a scenario shut down is ignored', () => {
  expect(noSightOf({ link: 'live', sources: [{ ...failed, ended: true }, well] })).toBeNull();
});

test('while one source is watched, every unwatched source is listed as lost', () => {
  const silent = makeSource({ id: 'c', problem: { ...problem, code: 'not-answering' } });
  expect(lostSources({ sources: [well, failed, silent] })).toEqual(['a', 'c']);
  expect(lostSources({ sources: [failed, silent] })).toEqual([]);
  expect(lostSources({ sources: [well, { ...failed, ended: true }] })).toEqual([]);
});
