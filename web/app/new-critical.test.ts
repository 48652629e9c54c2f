import { expect, test } from 'vitest';
import { newCritical } from './new-critical.ts';

const critical = (id: string) => ({ id, severity: 'critical' as const });
const warning = (id: string) => ({ id, severity: 'warning' as const });

test('only critical problems that appear after the page has opened are new, each once', () => {
  const first = newCritical([critical('a')], null);
  expect(first.fresh).toEqual([]);
  const second = newCritical([critical('a'), critical('b'), warning('c')], first.ids);
  expect(second.fresh).toEqual([critical('b')]);
  expect(newCritical([critical('b')], second.ids).fresh).toEqual([]);
});

test('a problem that becomes critical is new, but a problem that returns with the same id is not', () => {
  const first = newCritical([critical('a'), warning('b')], null);
  const second = newCritical([], first.ids);
  expect(newCritical([critical('a'), critical('b')], second.ids).fresh).toEqual([critical('b')]);
});
