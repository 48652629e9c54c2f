import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { soon } from '../../testing/soon.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { cutRecording } from './cut-recording.ts';
import { RecordingRing } from './recording-ring.ts';

const HEADER = {
  lockscope: 'recording',
  format: 1,
  source: { id: 'redis', url: 'redis://h', redisVersion: '7', role: 'master', level: 'events', isPushFirst: true },
} as const;
const LINES = 2000;
const at = (n: number) => redisTime(1_000_000 + n);

function fill(): RecordingRing {
  const ring = new RecordingRing({ blockChars: 5000 });
  ring.begin('{"at":1000000,"watch":"events","pushFirst":true}\n', at(0));
  for (let n = 1; n <= LINES; n++) ring.add(`{"at":${at(n)},"push":["other","${n}"]}\n`, at(n));
  return ring;
}

/** The cut, and in how many pieces of work it was done. */
function run(work: Sliced<Uint8Array<ArrayBuffer>>): { text: string; steps: number } {
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done) return { text: gunzipSync(step.value).toString(), steps };
  }
}

const cutOf = (ring: RecordingRing, from: number | undefined, to: number) =>
  run(
    cutRecording(
      ring.pieces(from === undefined ? undefined : at(from)),
      { from: from === undefined ? undefined : at(from), to: at(to) },
      HEADER,
      at(from ?? 0),
    ),
  );

test('compressed blocks within the range are copied without reading each line', async () => {
  const ring = fill();
  const before = ring.bytes;
  await soon(() => expect(ring.bytes).toBeLessThan(before / 3));
  const { text, steps } = cutOf(ring, undefined, LINES);
  expect(text.split('\n')).toHaveLength(LINES + 4);
  expect(text).toContain(`{"end":${at(LINES)},"signals":${LINES + 1}}`);
  expect(steps).toBeLessThan(LINES / 4);
});

test('a cut that begins in the middle yields after each line that it reads', () => {
  const { text, steps } = cutOf(fill(), LINES / 2, LINES);
  expect(text).not.toContain(`"at":${at(LINES / 2 - 1)}`);
  expect(text).toContain(`"at":${at(LINES / 2)},"push"`);
  expect(steps).toBeGreaterThan(LINES);
});

test('a cut that ends within a compressed block has no line after its end', async () => {
  const ring = fill();
  const before = ring.bytes;
  await soon(() => expect(ring.bytes).toBeLessThan(before / 3));
  const { text } = cutOf(ring, undefined, 777);
  expect(text).toContain(`"at":${at(777)},"push"`);
  expect(text).not.toContain(`"at":${at(778)},"push"`);
  expect(text).toContain(`{"end":${at(777)},"signals":778}`);
});
