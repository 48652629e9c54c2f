import { expect, test } from 'vitest';
import { ScanShare } from './scan-share.ts';

const PASSES = ['hash', 'string', 'list'];

/** The share after each step of 100 keys of this pass. */
function pass(share: ScanShare, name: string, keys: number, found: number): number[] {
  const shares: number[] = [];
  for (let looked = 0; looked < keys; looked += 100) {
    share.stepped(name, 100, found);
    shares.push(share.share);
  }
  return shares;
}

test('if every key is a lock of the first pass, that pass is nearly all of the scan', () => {
  const share = new ScanShare(20_000, PASSES);
  const shares = pass(share, 'hash', 20_000, 100);
  expect(shares[99]).toBeCloseTo(0.48, 1);
  expect(shares.at(-1)).toBeGreaterThan(0.93);
});

test('without locks, all passes are equal parts of the scan', () => {
  const share = new ScanShare(10_000, PASSES);
  expect(pass(share, 'hash', 10_000, 0).at(-1)).toBeCloseTo(1 / 3);
  expect(pass(share, 'string', 10_000, 0).at(-1)).toBeCloseTo(2 / 3);
  expect(pass(share, 'list', 10_000, 0).at(-1)).toBeCloseTo(1);
});

test('locks of a later pass make the share grow more slowly, never smaller', () => {
  const share = new ScanShare(10_000, PASSES);
  const shares = [...pass(share, 'hash', 10_000, 0), ...pass(share, 'string', 10_000, 100)];
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[149]).toBeCloseTo(0.66, 1);
  expect(shares.at(-1)).toBeGreaterThan(0.95);
});

test('more steps than keys do not raise the share above 1; without keys, the share is 1', () => {
  const share = new ScanShare(1000, PASSES);
  for (const name of PASSES) pass(share, name, 2000, 50);
  expect(share.share).toBeLessThanOrEqual(1);
  expect(new ScanShare(0, PASSES).share).toBe(1);
});
