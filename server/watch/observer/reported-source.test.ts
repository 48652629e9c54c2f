import { expect, test } from 'vitest';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { pulse } from '../../fleet/testing/pulses.ts';
import { ReportedSource } from './reported-source.ts';

test('lines that could not be read are counted over a restart, with the reason of the newest', () => {
  const [source] = pulse('one').sources;
  if (!source) throw new Error('a pulse has a source');
  const reported = new ReportedSource(source);
  reported.take({ ...source, rejected: 2, rejectedFor: 'head' });
  reported.observerEnded(problem('observer-failed', { quote: 'x' }), 1000);
  reported.take({ ...source, rejected: 0 });
  expect(reported.now()).toMatchObject({ rejected: 2, rejectedFor: 'head' });
  reported.take({ ...source, rejected: 1, rejectedFor: 'words' });
  expect(reported.now()).toMatchObject({ rejected: 3, rejectedFor: 'words' });
});
