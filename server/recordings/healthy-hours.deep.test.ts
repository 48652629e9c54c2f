import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { FORMAT } from '../../shared/recording/format.ts';
import { StepAssembler } from '../../shared/signals/step-assembler.ts';
import { playTrace } from '../../testing/goldens/level-events.ts';
import { loopedTrace } from '../../testing/traces/looped-trace.ts';
import { type Golden, goldens } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { LookClock } from '../watch/store/look-clock.ts';
import { Replay } from './replay.ts';

/** For how many hours all traces together are played. An hour takes some seconds; HEALTHY_HOURS=24 plays a day. */
const HOURS = Number(process.env.HEALTHY_HOURS || 1);

/** Traces in which something goes wrong, by their name. */
const UNHEALTHY = new Set([
  ...['crash', 'frozen', 'deadlock', 'fair-dead-head', 'takeover', 'stalled'],
  ...['lease', 'trylock-gives-up', 'watchdog', 'late', 'lost', 'stolen'], // a lease ends before its unlock
  ...['reentry'], // a thread unlocks what it does not hold
]);
const HEALTHY = goldens().filter(({ folder, name }) => !UNHEALTHY.has(name) && folder !== 'incidents');
const SOURCE = { id: 'trace', url: 'redis://h', redisVersion: '7.0.15', role: 'master' } as const;

test.each([
  ['monitor', alarmsByCommands],
  ['events', alarmsByKeyEvents],
] as const)(
  'healthy traces, repeated until together they last an hour or more, raise no alarm at level %s',
  { timeout: 300_000 * Math.max(1, HOURS) },
  (_, alarmsOf) => {
    const lengthMs = (HOURS * 3_600_000) / HEALTHY.length;
    const alarms = HEALTHY.flatMap((golden) =>
      alarmsOf(golden, lengthMs).flatMap((event) => (isShown(golden, event) ? [] : [textOf(golden, event)])),
    );
    expect(alarms).toEqual([]);
  },
);

test.each([
  ['monitor', alarmsByCommands],
  ['events', alarmsByKeyEvents],
] as const)('a trace with an incident raises an alarm at level %s', (_, alarmsOf) => {
  const deleted = goldens().find(({ name }) => name === 'operator-delete-or-flush-4.7.0');
  const alarms = deleted ? alarmsOf(deleted, 1) : [];
  expect(alarms.map(({ incident }) => incident)).toContain('operator-delete-or-flush');
});

type Alarm = Extract<LockEvent, { type: 'insight.opened' }>;

function isAlarm(event: { readonly type: string }): event is Alarm {
  return event.type === 'insight.opened';
}

/** Incidents that traces really show, by the name of the trace. Any other incident in them is an alarm. */
const SHOWN: Readonly<Record<string, string>> = {
  // a writer that goes on as a reader wakes no reader: each release of Redisson has this fault
  'read-write': 'silent-release',
  // a permit expires before its client comes to release it
  'expirable-semaphore': 'lease-shorter-than-work',
  'set-of-permits': 'lease-shorter-than-work',
  'sorted-set-lost': 'lease-shorter-than-work',
};

function isShown({ name }: Golden, { incident }: Alarm): boolean {
  return SHOWN[name] === incident;
}

function textOf({ folder, name }: Golden, { incident, severity, confidence, lock, at }: Alarm): string {
  return `${folder}/${name}: ${incident}, ${severity}, ${confidence}, ${lock}, ${at}`;
}

/** The insights that open while a trace goes on, with a CLIENT LIST every 5 s that has all its clients. */
function alarmsByCommands({ trace, isPushFirst }: Golden, lengthMs: number): Alarm[] {
  const signals = signalsFromTrace(trace());
  const startedAt = signals.find(({ kind }) => kind === 'line')?.at ?? redisTime(0);
  let now = startedAt;
  const replay = new Replay(
    [{ lockscope: 'recording', format: FORMAT, source: { ...SOURCE, level: 'monitor', isPushFirst }, startedAt }],
    {
      now: () => now,
      rejected: () => 0,
      describe: () => ({
        ...{ name: 'a', startedAt, endsAt: now, playing: false, cutShort: false },
        badLines: { count: 0, first: [] },
      }),
    },
  );
  const alarms: Alarm[] = [];
  replay.observatory.onBatch(({ events }) => alarms.push(...events.filter(isAlarm)));
  const assembler = new StepAssembler(isPushFirst);
  for (const signal of loopedTrace(signals, lengthMs)) {
    now = signal.at;
    for (const step of assembler.add(signal)) replay.feed(step);
  }
  for (const step of assembler.settle()) replay.feed(step);
  return alarms;
}

/** As `alarmsByCommands`, from key events, messages and reads alone. */
function alarmsByKeyEvents({ trace, isPushFirst }: Golden, lengthMs: number): Alarm[] {
  const signals = [...loopedTrace(signalsFromTrace(trace()), lengthMs)];
  const steps = stepsFromSignals(signals, isPushFirst);
  const [played] = playTrace(steps, [{ heardBy: 'notifications', from: 0, scanAt: 0 }]);
  const events = played?.reported ?? [];
  let now = events[0]?.at ?? redisTime(0);
  const store = new EventStore(() => now);
  const source = { ...SOURCE, level: 'events', status: 'observing', unseen: [] };
  store.sourcesChanged([source] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  const alarms: Alarm[] = [];
  store.answers.onBatch((batch) => alarms.push(...batch.events.filter(isAlarm)));
  for (const part of new LookClock(store).parts(events)) {
    now = part[0]?.at ?? now;
    store.add(part.map((event, n) => ({ ...event, seq: store.history.nextSeq() + n })));
  }
  return alarms;
}
