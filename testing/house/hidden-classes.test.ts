import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { GroupFinder } from '../../shared/events/groups/group-finder.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { LetterTracker } from '../../shared/state/letters.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { World } from '../../shared/state/world.ts';
import { goldens } from '../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';

/**
 * V8 gives objects that are built alike one hidden class, and then accesses their fields fast. In Node 20, `{ ...push, nextAt }`
 * makes a new one for each object, and every access to its fields is slow. `state/copies.ts` shows how to copy instead.
 */
const hasSameClass = hiddenClassesCompared();

/** The class of an object changes a few times, for example with the first number in it that is no small integer. */
const MOST_CLASSES = 8;
/** An object that is built for each event is seen more often. */
const OFTEN = 200;

test('objects that are built for each event, and have the same fields, have the same hidden class', () => {
  const firsts = new Map<string, { seen: number; readonly of: object[] }>();
  const see = (what: string, each: object) => {
    const id = `${what} ${Object.keys(each).join(' ')}`;
    const known = firsts.get(id) ?? { seen: 0, of: [] };
    firsts.set(id, known);
    known.seen++;
    const isKnown = known.of.length > MOST_CLASSES || known.of.some((other) => hasSameClass(other, each));
    if (!isKnown) known.of.push(each);
  };
  for (const { trace, isPushFirst } of goldens()) {
    const interpreter = new Interpreter({ source: 'trace' });
    const groups = new GroupFinder();
    const letters = new LetterTracker();
    const world = new World();
    for (const step of stepsFromSignals(signalsFromTrace(trace()), isPushFirst)) {
      if (step.kind === 'command') for (const push of step.pushes) see('push', push);
      for (const found of interpreter.interpret(step)) {
        see(found.type, found);
        const id = lockIdOf(found);
        const event = letters.named(groups.take(found), id, world.get(id));
        see(`told ${event.type}`, event);
        world.apply(event, id);
        const lock = world.get(id);
        if (!lock) continue;
        see('lock', lock);
        for (const holder of lock.holders) see('holder', holder);
        for (const waiter of lock.waiters) see('waiter', waiter);
        if (lock.freed) see('freed', lock.freed);
      }
    }
  }
  const often = [...firsts].filter(([, { seen }]) => seen >= OFTEN);
  expect(often.length).toBeGreaterThan(20);
  expect(often.filter(([, { of }]) => of.length > MOST_CLASSES).map(([id, { seen }]) => `${seen} × ${id}`)).toEqual([]);
});

test('the comparison notices an object with a hidden class of its own', () => {
  const built = (a: number) => ({ a, b: 1 });
  expect(hasSameClass(built(1), built(2))).toBe(true);
  expect(hasSameClass(built(1), { b: 1, a: 1 })).toBe(false);
});

function hiddenClassesCompared(): (one: object, other: object) => boolean {
  setFlagsFromString('--allow-natives-syntax');
  const compare = new Function('one', 'other', 'return %HaveSameMap(one, other)');
  setFlagsFromString('--no-allow-natives-syntax');
  return (one, other) => compare(one, other) === true;
}
