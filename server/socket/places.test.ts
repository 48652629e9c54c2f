import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Places } from './places.ts';

let places: Places<string>;
const outcomes = new Map<string, string>();

/** Asks for a place for each connection, one after the other, and notes what happens to it in `outcomes`. */
function ask(...connections: string[]): void {
  for (const connection of connections) {
    const become = (outcome: string) => () => void outcomes.set(connection, outcome);
    places.ask(connection, { admit: become('admitted'), refuse: become('refused'), close: become('closed') });
  }
}

const named = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
const count = (outcome: string) => [...outcomes.values()].filter((each) => each === outcome).length;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  outcomes.clear();
  places = new Places();
});

afterEach(() => {
  places.close();
  vi.useRealTimers();
});

test('100 silent connections are admitted, 100 wait, and a later page is admitted after a second', () => {
  ask(...named('silent', 200));
  expect([count('admitted'), count('refused'), count('closed')]).toEqual([100, 0, 0]);
  ask('page');
  expect(outcomes.get('silent100')).toBe('refused');
  vi.advanceTimersByTime(900);
  expect(count('admitted')).toBe(100);
  vi.advanceTimersByTime(200);
  expect([count('admitted'), count('closed')]).toEqual([100, 100]);
  expect(outcomes.get('page')).toBe('admitted');
  places.greet('page');
  vi.advanceTimersByTime(5100);
  expect([...outcomes].filter(([, outcome]) => outcome === 'admitted')).toEqual([['page', 'admitted']]);
});

test('with 100 pages a connection is refused, and admitted when a page has left', () => {
  const pages = named('page', 100);
  ask(...pages);
  for (const page of pages) places.greet(page);
  ask('late');
  expect(outcomes.get('late')).toBe('refused');
  places.leave('page0');
  ask('later');
  expect(outcomes.get('later')).toBe('admitted');
});
