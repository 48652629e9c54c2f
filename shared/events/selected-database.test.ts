import { expect, test } from 'vitest';
import { eventsFromScripts, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';
import { redactLockScript } from '../recording/redact/redact-script.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2] = ['8b6ead8ee54611f18a0402fc00000001', '8f92d9c6e54611f18ae702fc00000001'];

/** A lock whose scripts begin with SELECT, as those of a client that gets a database in its options. */
const STORY: readonly Sent[] = [
  script('a', 'stock:7', `3 ${T1} 4000`, 'select 3', 'exists stock:7', `set stock:7 ${T1} PX 4000`),
  script('b', 'stock:7', `3 ${T2} 4000`, 'select 3', 'exists stock:7'),
  script('a', 'stock:7', `3 ${T1} 4000`, 'select 3', 'get stock:7', `set stock:7 ${T1} PX 4000`),
  script('a', 'stock:7', `3 ${T1}`, 'select 3', 'get stock:7', 'del stock:7'),
  script('b', 'stock:7', `${T2} 4000 3`, 'select 3', 'exists stock:7', `set stock:7 ${T2} PX 4000`),
];
const REPORTED = ['lock.acquired 3', 'lock.refused 3', 'lease.renewed 3', 'lock.released 3', 'lock.acquired 3'];

const reported = (events: readonly { type: string; db: number }[]) => events.map(({ type, db }) => `${type} ${db}`);

test('[T1] a script of a lock that begins with SELECT counts in the database that it selects', () => {
  expect(reported(eventsFromScripts(STORY))).toEqual(REPORTED);
});

test('[T1] a recording of scripts that begin with SELECT gives the same events', () => {
  const steps = stepsAt(STORY.map((sent, n) => ({ sent, atMs: n * 100 }))).map(redactLockScript);
  const interpreter = new Interpreter({ source: 'redis' });
  expect(reported(steps.flatMap((step) => interpreter.interpret(step)))).toEqual(REPORTED);
});
