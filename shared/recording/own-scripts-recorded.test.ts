import { expect, test } from 'vitest';
import { recordAndReplay } from '../../testing/stories/record-and-replay.ts';
import { command, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';

const [ONE, OTHER] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];
const [KEY, LIST, DATA] = ['lock:order', 'order:wake', 'order:secret'];
const take = (by: string, token: string): Sent =>
  script(
    by,
    `${KEY} ${DATA}`,
    `${token} 30 SECRET main`,
    ...[`exists ${KEY}`, `setex ${KEY} 30 ${token}`, `incr ${KEY}:fence`, `hset ${DATA} host SECRET`],
  );
const refused = (by: string, token: string): Sent =>
  script(by, `${KEY} ${DATA}`, `${token} 30 SECRET main`, `exists ${KEY}`);
const renew = (by: string, token: string): Sent => script(by, KEY, `60 ${token}`, `get ${KEY}`, `expire ${KEY} 60`);
const release = (by: string, token: string): Sent =>
  script(by, `${KEY} ${LIST} ${DATA}`, token, `get ${KEY}`, `del ${KEY}`, `lpush ${LIST} 1`, `del ${DATA}`);

test('a recording of scripts that also write other keys gives events of the same types and holders, without the other data', () => {
  const sent = [
    ...[take('a:1', ONE), refused('b:1', OTHER), renew('a:1', ONE), release('a:1', ONE)],
    ...[take('a:1', ONE), refused('b:1', OTHER), command('b:1', `BLPOP ${LIST} 9`), release('a:1', ONE)],
    ...[take('b:1', OTHER), release('b:1', OTHER), command('b:1', 'BLPOP SECRET 9')],
    script('c:1', 'session:7 SECRET', ONE, 'get session:7', 'hdel SECRET 7', 'del session:7'),
  ];
  const { events, replayed, lines } = recordAndReplay(stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 }))));
  const did = (of: typeof events) => of.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`);
  expect(did(replayed)).toEqual(did(events));
  expect(did(events)).toContain(`waiter.subscribed ${OTHER}`);
  expect(lines.join('\n')).not.toContain('SECRET');
});

test('a recording contains the release that showed a lock, although not the attempts before it', () => {
  const key = 'stock:7';
  const freed = (by: string, token: string) => script(by, key, token, `get ${key}`, `del ${key}`);
  const taken = (by: string, token: string) => command(by, `SET ${key} ${token} NX PX 5000`);
  const sent = [
    ...[taken('a:1', ONE), taken('b:1', OTHER), freed('a:1', ONE), taken('b:1', OTHER), freed('b:1', OTHER)],
    ...[command('a:1', 'SETEX otp:7 300 SECRET'), script('b:1', 'otp:7', 'SECRET', 'get otp:7', 'del otp:7')],
  ];
  const { events, replayed, lines } = recordAndReplay(stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 }))));
  const did = (of: typeof events) => of.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`);
  expect(did(events)).toHaveLength(5);
  expect(did(replayed)).toEqual(did(events).slice(2));
  expect(lines.join('\n')).not.toMatch(/SECRET|otp/);
});

const WRITES_RESULT = ['get idem:7', 'psetex idem:7 86400000 SECRET'];
test.each<[string, Sent]>([
  ['a script', script('b:1', 'idem:7', `${OTHER} SECRET`, ...WRITES_RESULT)],
  ['a script of another connection', script('c:1', 'idem:7', `${OTHER} SECRET`, ...WRITES_RESULT)],
  ['SET', command('b:1', 'SET idem:7 SECRET EX 86400')],
])('a recording contains the end of a hold by %s that wrote a result over the token, without the result', (_, done) => {
  const attempt = (by: string, token: string) => command(by, `SET idem:7 ${token} NX PX 60000`);
  const failed = (by: string, token: string) => script(by, 'idem:7', token, 'get idem:7', 'del idem:7');
  const sent = [attempt('a:1', ONE), failed('a:1', ONE), attempt('b:1', OTHER), done];
  const again = [command('a:1', 'DEL idem:7'), attempt('a:1', ONE), failed('a:1', ONE)];
  const steps = stepsAt([...sent, ...again].map((each, n) => ({ sent: each, atMs: n * 100 })));
  const { events, replayed, lines } = recordAndReplay(steps);
  const ends = (of: typeof events) => of.filter(({ type }) => type !== 'lock.acquired').map(({ type }) => type);
  expect(ends(events)).toEqual(['lock.released', 'lock.released', 'lock.released']);
  expect(ends(replayed)).toEqual(ends(events));
  expect(lines.join('\n')).not.toContain('SECRET');
});
