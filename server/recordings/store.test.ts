import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { FORMAT, type RecordingHeader } from '../../shared/recording/format.ts';
import { soon } from '../testing/soon.ts';
import { RecordFiles } from './record-files.ts';
import { Store } from './store.ts';

const HEADER: RecordingHeader = {
  lockscope: 'recording',
  format: FORMAT,
  source: { id: 'redis', url: 'redis://h', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: 1_000_000,
};
const TAKEN =
  '{"at":1000001,"db":0,"from":"c:1","do":["SET","a","0a000000-0000-4000-8000-000000000001","NX","PX","9"]}\n';

test('the file of --record is listed while it is written, opens with what it has so far, and is not deleted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const records = new RecordFiles(join(dir, 'night.lockscope'));
  const sink = records.openSink(0);
  const store = new Store({
    open: { most: 1, memoryEach: 0 },
    records,
    mount: () => ({ pages: () => 0, close: async () => undefined }),
  });
  const unknown = { source: null, startedAt: null, endsAt: null, events: null, cutShort: null };
  expect(store.list()).toMatchObject([{ name: 'night.lockscope', origin: 'record', isWriting: true, ...unknown }]);

  sink.begin(HEADER);
  sink.write(TAKEN, 1);
  await soon(() => expect(store.list()[0]?.bytes).toBeGreaterThan(150));
  const id = store.list()[0]?.id ?? '';
  expect(await store.open(id)).toMatchObject({ isOpen: true, isWriting: true, endsAt: null, startedAt: 1_000_000 });
  await expect(store.delete(id)).rejects.toMatchObject({ status: 409, problem: { code: 'recording-yours' } });

  await sink.end(2_000_000);
  // what was read before the end shows nothing about the whole file
  expect(store.list()).toMatchObject([{ isWriting: false, endsAt: null, cutShort: null, events: null }]);
  expect(await store.open(id)).toMatchObject({ isOpen: true, isWriting: false, endsAt: 2_000_000, cutShort: false });
  await store.end();
  expect(store.list()).toMatchObject([{ isOpen: false, source: { url: 'redis://h' } }]);
});

const GOOD = gzipSync(`${JSON.stringify(HEADER)}\n${TAKEN}`);
/** A recording of a later version of the format. */
const BAD = gzipSync(`${JSON.stringify({ ...HEADER, format: FORMAT + 1 })}\n${TAKEN}`);

function storeOfOne(): Store<{ pages(): number; close(): Promise<void> }> {
  const mount = () => ({ pages: () => 0, close: async () => undefined });
  const store = new Store({ open: { most: 1, memoryEach: 0 }, records: undefined, mount });
  onTestFinished(() => store.end());
  return store;
}

test('an upload of a later format closes no other recording', async () => {
  const store = storeOfOne();
  const { id } = await store.add('good', 'uploaded', GOOD.length, [GOOD]);
  await expect(store.add('bad', 'uploaded', BAD.length, [BAD])).rejects.toThrow();
  expect(store.list()).toMatchObject([{ id, isOpen: true }]);
});

test('a recording that is deleted while it is opened is not left open', async () => {
  let deleted: Promise<void> | undefined;
  const store: Store<{ pages(): number; close(): Promise<void> }> = new Store({
    open: { most: 1, memoryEach: 0 },
    records: undefined,
    mount: (id) => {
      deleted = store.delete(id); // the opening ends after this call
      return { pages: () => 0, close: async () => undefined };
    },
  });
  onTestFinished(() => store.end());
  const { id } = await store.add('good', 'saved', GOOD.length, [GOOD]);
  await store.open(id);
  await deleted;
  expect(store.use(id)).toBeUndefined();
  expect(store.list()).toEqual([]);
});
