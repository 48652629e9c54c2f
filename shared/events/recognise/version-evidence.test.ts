import { expect, test } from 'vitest';
import { command, eventsFromScripts, script } from '../../../testing/stories/script-story.ts';
import { holderOf } from '../../../testing/stories/story.ts';

const A = holderOf('A');
const [uuid = ''] = A.split(':');
const taken = script('10.0.0.1:1', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');
/** A renewal with the script of 3.44.0 to 4.7.0. */
const renewed = script('10.0.0.1:1', 'a', `30000 ${A}`, `hexists a ${A}`, 'pexpire a 30000');
const batch = { ...renewed, words: renewed.words.with(1, '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635') };

function versionReported(...sent: Parameters<typeof eventsFromScripts>[0]): unknown {
  return eventsFromScripts([...sent, batch]).findLast(({ type }) => type === 'lease.renewed');
}

test('[V7] a client that deletes its unlock latch under its own uuid uses Redisson 3.52.0 to 4.2.0', () => {
  const wrong = command('10.0.0.1:9', `DEL redisson_unlock_latch:{b}:${uuid}`);
  expect(versionReported(taken, wrong)).toMatchObject({ clientVersion: '3.52.0–4.2.0' });
  expect(versionReported(wrong, taken)).toMatchObject({ clientVersion: '3.52.0–4.2.0' });
  const right = command('10.0.0.1:9', 'DEL redisson_unlock_latch:{b}:d716aac96b5f4d89436369c3e702d774');
  expect(versionReported(taken, right)).toMatchObject({ clientVersion: '3.44.0–4.7.0' });
});

test('[V7] a client that starts with the script on test1 and test2 uses Redisson 4.3.1 or newer', () => {
  const probe = script('10.0.0.1:1', 'test1 test2', '', 'get test1', 'get test2');
  expect(versionReported(probe, taken)).toMatchObject({ clientVersion: '4.3.1–4.7.0' });
  const others = script('10.0.0.1:1', 'test1 test3', '', 'get test1', 'get test3');
  expect(versionReported(others, taken)).toMatchObject({ clientVersion: '3.44.0–4.7.0' });
  expect(eventsFromScripts([probe])).toEqual([]);
});
