import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LineSignal } from '../../shared/signals/signal.ts';
import { goldensOfNewest } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { openRecording } from './replay-observatory.ts';
import { BARE, each, LINES, readIn } from './testing/posted-texts.ts';
import { isWholeRun } from './whole-runs.ts';

/*
 * Texts of MONITOR from which lines were taken out, or to which those of another server were added. In the whole text,
 * thread 31 holds stock:7 at 1.5 s, thread 45 waits, and the lock is free at the end.
 */

const MEMORY = 512 * 1024 * 1024;

/** What is certain about stock:7 at the end; null: nothing. */
async function certainAtEnd(text: string) {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  try {
    const path = join(dir, 'a.txt');
    writeFileSync(path, text);
    const { observatory } = await openRecording(path, { memory: MEMORY });
    const { events } = await observatory.history.search({ limit: 1000 });
    const lock = observatory.locks().find(({ name }) => name === 'stock:7');
    expect(lock, 'a lock of which nothing is known').not.toMatchObject({ certainty: 'inferred', held: false });
    return {
      types: events.map(({ type }) => type),
      held: lock?.certainty === 'observed' ? lock.held : null,
      unseen: observatory.sources().flatMap(({ unseen }) => unseen.map(({ code }) => code)),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const kept = (isKept: (line: string) => boolean) => LINES.filter(isKept).join('\n');
/** The story, and the same story on another server 13 µs later, sorted by time. */
const SORTED = [
  ...LINES,
  ...LINES.map((line) =>
    line
      .replace(/\d{2}(?= \[)/, (us) => String(Number(us) + 13).padStart(2, '0'))
      .replaceAll('stock:7', 'cart:9')
      .replaceAll('aaaaaaaa', 'cccccccc')
      .replaceAll('bbbbbbbb', 'dddddddd'),
  ),
].sort();

test.each([
  ['grep UUID', kept((line) => line.includes('aaaaaaaa')), 5, null],
  ['grep of all holders', kept((line) => line.includes('-4000-8000-')), 14, null],
  ['grep -v exists', kept((line) => !line.includes('exists')), 18, null],
  ['grep -v hincrby', kept((line) => !line.includes('"hincrby"')), 14, null],
  ['grep -v del', kept((line) => !line.includes('"del"')), 8, null],
  ['grep lua', kept((line) => line.includes('[0 lua]')), 20, null],
  ['lines of two servers, sorted by time', SORTED.join('\n'), 46, null],
  ['other ids of holders', BARE.replace(/[ab]{8}-0000-4000-8000-\d{12}/g, '****'), 26, null],
  ['grep of the lock', kept((line) => line.includes('stock:7')), 0, false],
  ['grep -v PING', kept((line) => !line.includes('PING')), 0, false],
  ['other addresses', each((line) => line.replace(/10\.0\.0\.\d+:\d+/, '<address>')), 0, false],
  ['other SHAs', BARE.replace(/"[\da-f]{40}"/g, '"<sha>"'), 0, false],
])('only what lines still show is certain: %s', async (_, text, bad, held) => {
  const { badCount } = await readIn(text);
  const found = await certainAtEnd(text);
  expect([badCount, found.held]).toEqual([bad, held]);
  const isCertain = ['lock.partially-released', 'lock.deleted', 'renewal.refused', 'insight.opened'];
  expect(found.types.filter((type) => isCertain.includes(type))).toEqual([]);
  expect(found.unseen).not.toContain('unseen-script-lines');
});

const DELETES = /^h?del$/i;

/**
 * Whether a script counted a hold down and deleted something. A group lock has other fields, so it never counts as a
 * release.
 */
function isRelease(lines: readonly LineSignal[]): boolean {
  const isGroup =
    /^exists$/i.test(lines[0]?.words[0] ?? '') && lines.some(({ words }) => /^hget$/i.test(words[0] ?? ''));
  const isDown = lines.some(({ words }) => /^hincrby$/i.test(words[0] ?? '') && words[3] === '-1');
  return isDown && !isGroup && lines.some(({ words }) => DELETES.test(words[0] ?? ''));
}

/** Longer traces are left out: they have the same scripts thousands of times. */
const LONGEST = 500_000;

test('the scripts of recorded traces are whole, and a release without its DEL is not', () => {
  const others: string[] = [];
  let filtered = 0;
  for (const { folder, name, trace, isPushFirst } of goldensOfNewest()) {
    const text = folder.startsWith('redisson-') ? trace() : '';
    if (text.length > LONGEST) continue;
    for (const step of stepsFromSignals(signalsFromTrace(text), isPushFirst)) {
      if (step.kind !== 'command') continue;
      if (!isWholeRun([step.head, ...step.inner])) others.push(`${name}: ${step.head.at}`);
      if (!isRelease(step.inner)) continue;
      filtered++;
      const inner = step.inner.filter(({ words }) => !DELETES.test(words[0] ?? ''));
      if (isWholeRun([step.head, ...inner])) others.push(`${name}, without DEL: ${step.head.at}`);
    }
  }
  expect(others).toEqual([]);
  expect(filtered).toBeGreaterThan(50);
});
