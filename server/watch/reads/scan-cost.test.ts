import { expect, test } from 'vitest';
import { microsOf } from './command-cost.ts';
import { ScanCost } from './scan-cost.ts';

const stats = (calls: number, micros: number) =>
  `cmdstat_get:calls=7,usec=7\r\ncmdstat_scan:calls=${calls},usec=${micros}`;

function scannedBy(cost: ScanCost, scans: number): void {
  for (let n = 0; n < scans; n++) cost.scanned(500);
}

test('the cost of a key is what the server counted for our scans', () => {
  const cost = new ScanCost();
  expect(cost.microsPerKey).toBe(0.8);
  cost.hear(stats(100, 1_000_000));
  scannedBy(cost, 10);
  cost.hear(stats(110, 1_010_000));
  expect(cost.microsPerKey).toBe(2);
  const scan = ['SCAN', '0', 'COUNT', '500', 'TYPE', 'hash'];
  expect(microsOf([scan], [], cost.microsPerKey)).toBeGreaterThan(1000);
});

test('if other clients scan as well, the cost of a key does not change', () => {
  const cost = new ScanCost();
  cost.hear(stats(0, 0));
  scannedBy(cost, 10);
  cost.hear(stats(20, 100_000));
  expect(cost.microsPerKey).toBe(0.8);
});

test('too few scans, missing counters, and counters that restart do not change the cost', () => {
  const cost = new ScanCost();
  cost.hear('');
  cost.hear(stats(10, 10_000));
  scannedBy(cost, 2);
  cost.hear(stats(12, 90_000));
  scannedBy(cost, 10);
  cost.hear(stats(1, 90_000));
  expect(cost.microsPerKey).toBe(0.8);
});

test('the cost of a key is at least 0.8 µs and at most 8 µs', () => {
  const cost = new ScanCost();
  cost.hear(stats(0, 0));
  scannedBy(cost, 10);
  cost.hear(stats(10, 10));
  expect(cost.microsPerKey).toBe(0.8);
  scannedBy(cost, 10);
  cost.hear(stats(20, 10_000_000));
  expect(cost.microsPerKey).toBe(8);
});
