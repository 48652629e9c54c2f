import { describe, expect, test } from 'vitest';
import { NameShapes } from './name-shapes.ts';
import { UnknownKeys } from './unknown-keys.ts';

const key = (name: string) => ({ db: 0, name });
const names = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);

describe('shapes of names', () => {
  test('numbers and ids are left out', () => {
    const shapes = new NameShapes();
    expect(shapes.of('session:81723')).toBe(shapes.of('session:4'));
    expect(shapes.of('job:2f1a0b3c-1111-4222-8333-444455556666')).toBe(
      shapes.of('job:00000001-d89d-4cda-962c-c6e370a8fee0'),
    );
    expect(shapes.of('session:4')).not.toBe(shapes.of('order:4'));
  });

  test('words that keep changing share a shape, so that other shapes have room', () => {
    const shapes = new NameShapes();
    const word = (n: number) =>
      String.fromCharCode(103 + (n % 20), 103 + (Math.floor(n / 20) % 20), 103 + Math.floor(n / 400));
    const seen = new Set(Array.from({ length: 8000 }, (_, n) => shapes.of(`user:${word(n)}`)));
    expect(seen.size).toBe(33);
    expect(shapes.isFull).toBe(false);
    expect(shapes.of('order:4')).toBe('order:#');
  });

  test('are at most 1,001 for 20,000 names', () => {
    const shapes = new NameShapes();
    const letters = (n: number) => [...String(n)].map((digit) => String.fromCharCode(103 + Number(digit))).join('');
    const seen = new Set(Array.from({ length: 20_000 }, (_, n) => shapes.of(letters(n))));
    expect(seen.size).toBeLessThanOrEqual(1001);
  });
});

describe('keys that may be locks', () => {
  test('a lock behind 60,000 session keys is among the next 20 keys to be read', () => {
    const unknown = new UnknownKeys();
    for (let n = 0; n < 60_000; n++) unknown.add(key(`session:${n}`), 0);
    unknown.add(key('orders:42'), 0);
    expect(names(unknown.take('others', 20, 0))).toContain('orders:42');
  });

  test('the newest keys of a shape are read, and dropped keys are counted', () => {
    const unknown = new UnknownKeys();
    for (let n = 0; n < 3000; n++) unknown.add(key(`session:${n}`), 0);
    expect(names(unknown.take('others', 20, 0))).toEqual([
      'session:2999',
      'session:2998',
      'session:2997',
      'session:2996',
    ]);
    expect(unknown.dropped(0)).toBe(2000);
    expect(unknown.dropped(121_000)).toBe(0);
  });

  test('if no key of a shape is a lock, fewer than 60 of 6,000 such keys are read in a minute, and more than 5', () => {
    const unknown = new UnknownKeys();
    let asked = 0;
    for (let now = 0; now < 60_000; now += 10) {
      unknown.add(key(`session:${now}`), now);
      for (const each of unknown.take('others', 20, now)) {
        asked++;
        unknown.learn(each, 'other', now);
      }
    }
    expect(asked).toBeLessThan(60);
    expect(asked).toBeGreaterThan(5);
  });

  test('keys of a shape with locks are read at once, as long as some of them are locks', () => {
    const unknown = new UnknownKeys();
    unknown.add(key('lock:1'), 0);
    unknown.learn(key('lock:1'), 'lock', 0);
    unknown.take('likely', 20, 0);
    for (let n = 0; n < 300; n++) {
      expect(unknown.add(key(`lock:${n}`), n)).toBe(true);
      const [taken] = unknown.take('likely', 20, n);
      expect(taken?.name).toBe(`lock:${n}`);
      unknown.learn(key(`lock:${n}`), n % 10 === 0 ? 'lock' : 'other', n);
    }
  });

  test('keys of a shape are no longer read at once after many of them were not locks', () => {
    const unknown = new UnknownKeys();
    unknown.learn(key('cart:1'), 'lock', 0);
    for (let n = 0; n < 100; n++) unknown.learn(key(`cart:${n}`), 'other', n);
    expect(unknown.add(key('cart:7'), 100)).toBe(false);
  });

  test('of 200,000 names at most 28,000 are kept, some of each shape', () => {
    const unknown = new UnknownKeys();
    const letter = (n: number) => String.fromCharCode(103 + n);
    for (let n = 0; n < 200_000; n++) unknown.add(key(`${letter(n % 20)}${letter(Math.floor(n / 20) % 20)}:${n}`), 0);
    const kept = new Set<string>();
    for (let more = unknown.take('others', 1000, 0); more.length > 0; more = unknown.take('others', 1000, 0)) {
      for (const { name } of more) kept.add(name);
    }
    expect(kept.size).toBeLessThanOrEqual(20_000 + 400 * 20);
    expect(new Set([...kept].map((name) => name.slice(0, 2))).size).toBe(400);
    expect(unknown.isEmpty).toBe(true);
  });

  test('of 20 names of a megabyte, at most 8 are kept', () => {
    const unknown = new UnknownKeys();
    const letter = (n: number) => String.fromCharCode(103 + n);
    for (let n = 0; n < 20; n++) unknown.add(key(letter(n).repeat(1_000_000)), 0);
    expect(unknown.take('others', 1000, 0).length).toBeLessThanOrEqual(8);
    expect(unknown.dropped(0)).toBeGreaterThan(0);
  });
});
