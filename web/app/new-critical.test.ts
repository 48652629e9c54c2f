import { expect, test } from 'vitest';
import { newCritical } from './new-critical.ts';

const critical = (id: string) => ({ id, severity: 'critical' as const });
const warning = (id: string) => ({ id, severity: 'warning' as const });

test('problems that exist when the page opens are not new, and each later problem is new once', () => {
  const first = newCritical([critical('a')], null);
  expect(first.fresh).toEqual([]);
  const second = newCritical([critical('a'), critical('b'), warning('c')], first.ids);
  expect(second.fresh).toEqual([critical('b')]);
  expect(newCritical([critical('b')], second.ids).fresh).toEqual([]);
});

test('a problem that ends and returns with the same id is not new, but one that becomes critical is', () => {
  const first = newCritical([critical('a'), warning('b')], null);
  const second = newCritical([], first.ids);
  expect(newCritical([critical('a'), critical('b')], second.ids).fresh).toEqual([critical('b')]);
});
