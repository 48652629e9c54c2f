import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../testing/soon.ts';
import { DatabaseError } from './database.ts';
import type { StoreLink } from './store-link.ts';
import { StoreWriter } from './store-writer.ts';
import { linkHere } from './testing/link-here.ts';
import { FILES } from './testing/test-place.ts';

const RUN = { source: 'a', run: 1, beganAt: 1e15, gap: 'not-running' } as const;
let path = '';
let isUnavailable = false;
let link: StoreLink;
const heard = { stored: vi.fn(), failed: vi.fn(), again: vi.fn() };

/** While `isUnavailable`, the database writes what it gets, but its answer is lost. */
beforeEach(async () => {
  path = await FILES.open();
  const file = await linkHere({ path, retainMs: 1e15, mostBytes: 1e12 });
  if (!file.ok) throw new Error(file.error);
  isUnavailable = false;
  link = {
    close: () => file.value.close(),
    async ask(question) {
      const answer = await file.value.ask(question);
      if (isUnavailable && question.ask === 'write') throw new DatabaseError('gone', 'connect ECONNREFUSED');
      return answer;
    },
  };
  for (const each of Object.values(heard)) each.mockClear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await FILES.drop(path);
});

function block(nth: number, text = `{"gone":["block ${nth}"]}\n`) {
  const at = 1e15 + nth;
  return { source: 'a', run: 1, firstSeq: nth, lastSeq: nth, nextEvent: nth + 1, fromAt: at, toAt: at, text };
}

async function seqs(): Promise<string[]> {
  const range = await link.ask({ ask: 'read', query: { source: 'a', from: 1e15, to: 2e15, most: 1000 } });
  return (range?.parts ?? []).flatMap((part) => (part.kind === 'block' ? [part.text.trim()] : []));
}

const gone = (writer: StoreWriter) => soon(() => expect(writer.problem).toMatchObject({ values: { why: 'gone' } }));

test('blocks that a lost database did not confirm are kept in order, and written once when it answers after 5 s', async () => {
  const writer = new StoreWriter(link, path, heard);
  writer.addRun(RUN);
  isUnavailable = true;
  writer.addBlock(block(1));
  await gone(writer);
  expect(writer.problem).toMatchObject({
    code: 'store-failed',
    values: { why: 'gone', quote: 'connect ECONNREFUSED' },
  });
  writer.addBlock(block(2));
  isUnavailable = false;
  vi.advanceTimersByTime(4999);
  expect(writer.problem).toBeDefined();
  vi.advanceTimersByTime(1);
  await soon(() => expect(writer.problem).toBeUndefined());
  expect(await seqs()).toEqual(['{"gone":["block 1"]}', '{"gone":["block 2"]}']);
  expect([heard.failed.mock.calls.length, heard.again.mock.calls.length]).toEqual([0, 0]);
  await writer.end();
});

test('the blocks that are kept have a limit: beyond it a run ends, and the next run begins after 5 s', async () => {
  const writer = new StoreWriter(link, path, heard);
  isUnavailable = true;
  writer.addBlock(block(1));
  await gone(writer);
  for (let nth = 2; nth < 7; nth++) writer.addBlock(block(nth, `{"gone":["${'x'.repeat(8 * 1024 * 1024)}"]}\n`));
  expect(heard.failed).toHaveBeenCalledOnce();
  expect(writer.problem).toMatchObject({ values: { why: 'gone' } });
  vi.advanceTimersByTime(5000);
  expect(heard.again).toHaveBeenCalledOnce();
  isUnavailable = false;
  await writer.end();
});

test('blocks that wait at the end are written before the store is closed', async () => {
  const writer = new StoreWriter(link, path, heard);
  isUnavailable = true;
  writer.addRun(RUN);
  writer.addBlock(block(1));
  await gone(writer);
  isUnavailable = false;
  await writer.end();
  expect(heard.stored).toHaveBeenCalledOnce();
});
