import { expect, test } from 'vitest';
import { command, eventsFromScripts, script, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
/** The form in which a Redisson client is named in its holders: `uuid:thread`. */
const REDISSON_LIKE = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';

test('a token in the form of a holder id of Redisson belongs to the connection that MONITOR showed', () => {
  const events = eventsFromScripts([
    command(A, `SET lock:order ${REDISSON_LIKE} NX PX 60000`),
    command(B, `SET lock:order ${REDISSON_LIKE}0 NX PX 60000`),
    command(B, `SET lock:order ${REDISSON_LIKE}0 NX PX 60000`),
    script(A, 'lock:order', REDISSON_LIKE, 'get lock:order', 'del lock:order'),
  ]);
  const acquired = events.filter(({ type }) => type === 'lock.acquired');
  expect(acquired).toMatchObject([{ holder: REDISSON_LIKE, by: A, kind: 'token-lock' }]);
  expect(events.filter(({ type }) => type === 'client.connected')).toEqual([]);
});

test('a read of the same token does not replace the connection that acquired the lock', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const acquired = stepsAt([
    {
      sent: script(
        A,
        'lock:order',
        `${REDISSON_LIKE} 60000`,
        'exists lock:order',
        `set lock:order ${REDISSON_LIKE} PX 60000`,
      ),
      atMs: 0,
    },
  ]);
  const read = {
    kind: 'bookmark',
    at: seconds(1),
    reads: [
      {
        ...{ db: 0, name: 'lock:order', type: 'string', fields: {}, pttl: 59_000, hasChanged: false, subscribers: 0 },
        companions: { token: [REDISSON_LIKE], library: ['spring-integration'] },
      },
    ],
  } as const;
  const events = [...acquired, read].flatMap((step) => interpreter.interpret(step));
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired']);
  expect(interpreter.keys.find(0, 'lock:order')?.mirrors?.tokens?.tokenAt).toEqual(new Map([[A, REDISSON_LIKE]]));
});
