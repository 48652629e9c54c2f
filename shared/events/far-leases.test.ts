import { expect, test } from 'vitest';
import { reportAt } from '../../testing/goldens/report-from-events.ts';
import { eventsFromScripts, script, stepsAt } from '../../testing/stories/script-story.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { reportBodyFrom } from '../wire/insights/insights-from-report.ts';
import { Interpreter } from './interpreter.ts';

const A = holderOf('A');
const acquired = (ms: string) => script('a', 'a', `${ms} ${A}`, 'exists a', `hincrby a ${A} 1`, `pexpire a ${ms}`);

test.each(['9223372036854775807', '1e5', '10.5', '', 'NaN'])(
  '[L1] an acquisition with the lease %j, which Redis rejects, is reported without a lease, and its key is read',
  (ms) => {
    const sent = acquired(ms);
    const [event] = eventsFromScripts([sent]);
    expect(event).toMatchObject({ type: 'lock.acquired', holder: A });
    expect(event).not.toHaveProperty('expiresAt');
    expect(event).not.toHaveProperty('leaseMs');
    const interpreter = new Interpreter({ source: 'story' });
    const read: string[] = [];
    interpreter.onDoubt = ({ name }) => read.push(name);
    for (const step of stepsAt([{ sent, atMs: 0 }])) interpreter.interpret(step);
    expect(read).toContain('a');
  },
);

test.each(['0', '-5000'])('[L1] a lease of %s ms expires at once, but not before the lock was acquired', (ms) => {
  const other = script(
    'b',
    'a',
    `30000 ${holderOf('B')}`,
    'exists a',
    `hincrby a ${holderOf('B')} 1`,
    'pexpire a 30000',
  );
  const [taken, expired, next] = eventsFromScripts([acquired(ms), other]);
  expect([taken?.type, expired?.type, next?.type]).toEqual(['lock.acquired', 'lease.expired', 'lock.acquired']);
  expect(taken).toMatchObject({ leaseMs: 0 });
  expect(expired?.at).toBeGreaterThanOrEqual(Number(taken?.at));
});

/** `lock(Integer.MAX_VALUE, DAYS)` */
const FAR = 2_147_483_647 * 86_400_000;

test('[L1] an acquisition with a lease of millions of years is reported with that lease', () => {
  expect(eventsFromScripts([acquired(String(FAR))])).toMatchObject([{ type: 'lock.acquired', leaseMs: FAR }]);
});

test('a lease that ends after the year 9999 is shown with the last instant of the year 9999', () => {
  const events = story(`
    orders:42 lease ${FAR / 1000}s
    0.000  A attempts acquired
    1.000  redis lists A B
    6.000  redis lists B
  `);
  const body = reportBodyFrom(reportAt(events, seconds(7)));
  expect(body.insights.map(({ explanation }) => explanation).join()).toContain('9999-12-31T23:59:59.999Z');
});
