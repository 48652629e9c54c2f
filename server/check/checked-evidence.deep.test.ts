import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Signal } from '../../shared/signals/signal.ts';
import { playTrace } from '../../testing/goldens/level-events.ts';
import { reportAt } from '../../testing/goldens/report-from-events.ts';
import { type Golden, goldens } from '../../testing/traces/read-trace.ts';
import { SideSignals } from '../../testing/traces/side-signals.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { openRecording } from '../recordings/replay-observatory.ts';
import { watchedOf } from './watched.ts';

const INSTANTS = 5;
const MEMORY = 512 * 1024 * 1024;
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

/**
 * What is found at an instant with less evidence. `from`: when that evidence begins. Incidents that ended before `from`
 * are not expected.
 */
type Look = ((at: RedisTime) => Promise<Pick<Report, 'insights' | 'cannotTell' | 'failed'>>) & {
  readonly from?: number;
};

/** Each kind of partial evidence. */
const KINDS: Readonly<Record<string, (golden: Golden) => Promise<Look>>> = {
  'level events': async (golden) => {
    const events = playTrace(stepsOf(golden), [{ heardBy: 'notifications', from: 0, scanAt: 0 }])[0]?.reported ?? [];
    return async (at) => reportAt(events, at, { level: 'events', source: 'trace' });
  },
  'no lists of clients': async (golden) => {
    const events = readWithout('clients', golden);
    return async (at) => reportAt(events, at, { lacks: ['presence'] });
  },
  'no INFO': async (golden) => {
    const events = readWithout('server', golden);
    return async (at) => reportAt(events, at);
  },
  'text of MONITOR': (golden) => textOf(linesOf(golden)),
  'text without the lines of scripts': (golden) => textOf(linesOf(golden).filter((line) => !line.includes(' lua] '))),
  'text that begins late': (golden) => {
    const lines = linesOf(golden);
    return textOf(lines.slice(Math.ceil(lines.length / 2)));
  },
};

/** The events of a trace and the file beside it, without the signals of one kind. */
function readWithout(kind: Signal['kind'] | undefined, { trace, isPushFirst, side }: Golden): LockEvent[] {
  const beside = side();
  const signals = signalsFromTrace(trace(), beside && new SideSignals(beside)).filter((each) => each.kind !== kind);
  const interpreter = new Interpreter({ source: 'trace' });
  return stepsFromSignals(signals, isPushFirst).flatMap((step) => interpreter.interpret(step));
}

function stepsOf({ trace, isPushFirst }: Golden) {
  return stepsFromSignals(signalsFromTrace(trace()), isPushFirst);
}

function linesOf({ trace }: Golden): string[] {
  return trace()
    .split('\n')
    .filter((line) => /^\d/.test(line));
}

async function textOf(lines: readonly string[]): Promise<Look> {
  const path = join(dir, 'monitor.txt');
  writeFileSync(path, Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
  const { observatory, summary } = await openRecording(path, { memory: MEMORY });
  return Object.assign((at: RedisTime) => observatory.insights({ at }), { from: summary.startedAt });
}

/** Incidents of real clients, each in one trace. */
const INCIDENTS = goldens().filter(({ folder }) => folder === 'incidents');

for (const [kind, open] of Object.entries(KINDS)) {
  test(`${kind}: an incident that this kind of source cannot show is not listed as checked`, {
    timeout: 60_000,
  }, async () => {
    const wrong = new Set<string>();
    let hidden = 0;
    for (const golden of INCIDENTS) {
      const events = readWithout(undefined, golden);
      const times = events.map(({ at }) => at);
      const [begin, end] = [Math.min(...times), Math.max(...times)];
      const look = await open(golden);
      for (let n = 1; n <= INSTANTS; n++) {
        const at = redisTime(Math.round(begin + ((end - begin) * n) / INSTANTS));
        const less = await look(at);
        const found = new Set(less.insights.map(({ incident }) => incident));
        const { checked } = watchedOf([], 0, [], less);
        for (const { incident, to } of reportAt(events, at).insights) {
          if (found.has(incident) || (to !== null && to < (look.from ?? 0))) continue;
          hidden++;
          if (checked.includes(incident)) wrong.add(`${golden.name}: ${incident}`);
        }
      }
    }
    expect([...wrong]).toEqual([]);
    expect(hidden).toBeGreaterThan(0);
  });
}
