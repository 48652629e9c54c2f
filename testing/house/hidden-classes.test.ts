import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { readsFromReplies } from '../../server/redis/reads/read-replies.ts';
import { redisTime } from '../../shared/base/time.ts';
import { GroupFinder } from '../../shared/events/groups/group-finder.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { fieldsOf } from '../../shared/events/mirror/lock-key.ts';
import { LetterTracker } from '../../shared/state/letters.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { World } from '../../shared/state/world.ts';
import { goldensOfNewest } from '../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';

/**
 * V8 gives objects that are built alike one hidden class, and then accesses their fields fast. In Node 20,
 * `{ ...push, nextAt }` makes a new hidden class for each object, and every access to its fields is slow.
 * `state/copies.ts` shows how to copy instead.
 */
const hasSameClass = hiddenClassesCompared();

/** The class of an object changes a few times, for example with the first number in it that is not a small integer. */
const MOST_CLASSES = 8;
/** An object that is built for each event is seen more often than this. */
const OFTEN = 200;
/** How many holders there are. Each holds a lock of its own. */
const HOLDERS = 1000;

test('objects that are created for each event, and have the same fields, have at most 8 hidden classes', () => {
  const firsts = new Map<string, { seen: number; readonly of: object[] }>();
  const see = (what: string, each: object) => {
    const id = `${what} ${Object.keys(each).join(' ')}`;
    const known = firsts.get(id) ?? { seen: 0, of: [] };
    firsts.set(id, known);
    known.seen++;
    const isKnown = known.of.length > MOST_CLASSES || known.of.some((other) => hasSameClass(other, each));
    if (!isKnown) known.of.push(each);
  };
  for (const { trace, isPushFirst } of goldensOfNewest()) {
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
        see(`reported ${event.type}`, event);
        world.apply(event, id);
        const lock = world.get(id);
        if (!lock) continue;
        see('lock', lock);
        for (const holder of lock.holders) see('holder', holder);
        for (const waiter of lock.waiters) see('waiter', waiter);
        if (lock.freed) see('freed', lock.freed);
        if (lock.notes) see('notes', lock.notes);
      }
    }
  }
  const often = [...firsts].filter(([, { seen }]) => seen >= OFTEN);
  expect(often.length).toBeGreaterThan(20);
  expect(often.filter(([, { of }]) => of.length > MOST_CLASSES).map(([id, { seen }]) => `${seen} × ${id}`)).toEqual([]);
});

test('1,000 different holders leave at most 8 hidden classes, even if their names are the fields of an object', () => {
  const interpreter = new Interpreter({ source: 'read' });
  const letters = new LetterTracker();
  const world = new World();
  const objects: Record<string, object[]> = { fields: [], beliefs: [], letters: [], locks: [], holders: [] };
  const at = redisTime(1_795_000_000_000_000);
  for (let n = 0; n < HOLDERS; n++) {
    const name = `orders:${n}`;
    const holder = `${String(n).padStart(8, '0')}-a552-4cac-b9ed-4a986a0325f9:${n % 7}`;
    const time = [String(Math.floor(at / 1e6)), '0'];
    const results = ['OK', 'hash', [holder, '1'], time, 30_000, '', time];
    const reads =
      readsFromReplies([{ db: 0, name }], [results], { canCountListeners: true, isSharded: false })?.readsAt(at) ?? [];
    for (const found of interpreter.interpret({ kind: 'bookmark', at, reads })) {
      const id = lockIdOf(found);
      const event = letters.named(found, id, world.get(id));
      world.apply(event, id);
      if (event.letters) objects.letters?.push(event.letters);
    }
    for (const { fields } of reads) objects.fields?.push(fields);
    const lock = world.get(`read/0/${name}`);
    if (lock) objects.locks?.push(lock);
    for (const each of lock?.holders ?? []) objects.holders?.push(each);
  }
  for (const key of interpreter.keys.held()) objects.beliefs?.push(fieldsOf(key));
  const counts = Object.entries(objects).map(([what, all]) => [what, all.length, classesOf(all) <= MOST_CLASSES]);
  expect(counts).toEqual(Object.keys(objects).map((what) => [what, HOLDERS, true]));
});

test('the comparison finds an object with another hidden class', () => {
  const built = (a: number) => ({ a, b: 1 });
  expect(hasSameClass(built(1), built(2))).toBe(true);
  expect(hasSameClass(built(1), { b: 1, a: 1 })).toBe(false);
});

/** How many hidden classes these objects have; not all are counted if there are many. */
function classesOf(objects: readonly object[]): number {
  const firsts: object[] = [];
  for (const each of objects) {
    if (firsts.length <= MOST_CLASSES && !firsts.some((other) => hasSameClass(other, each))) firsts.push(each);
  }
  return firsts.length;
}

function hiddenClassesCompared(): (a: object, b: object) => boolean {
  setFlagsFromString('--allow-natives-syntax');
  const compare = new Function('a', 'b', 'return %HaveSameMap(a, b)');
  setFlagsFromString('--no-allow-natives-syntax');
  return (a, b) => compare(a, b) === true;
}
