import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';

const BEGIN = 1_795_000_000_000_000;

/** Returns a generator of random numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let programs: LockEvent[][] | undefined;

/** The events of most recorded traces of real clients, one list per trace. */
function realPrograms(): LockEvent[][] {
  programs ??= goldens()
    .filter(({ name }) => !name.includes('herd') && !name.includes('dead-head'))
    .map((golden) => eventsFromTrace(golden.trace(), golden.isPushFirst))
    .filter((events) => events.length > 0);
  return programs;
}

/**
 * Events for an event store: `count` traces that start at random instants within `seconds`. Each has its own locks or
 * those of another trace, and one of two sources. There are three blind spots.
 */
export function randomEvents(seed: number, count: number, seconds = 120): LockEvent[] {
  const random = randomFrom(seed);
  const whole = (most: number) => Math.floor(random() * (most + 1));
  const timed = Array.from({ length: count }, (_, n) =>
    programOf(n, seconds * 1_000_000 * random(), whole, count),
  ).flat();
  for (let n = 0; n < 3; n++) timed.push(...blindSpot(BEGIN + seconds * 1_000_000 * random(), 1_000_000 * random()));
  timed.sort((a, b) => a.heardAt - b.heardAt);
  const seqs = new Map(timed.map(({ key }, index) => [key, index + 1]));
  return timed.map(({ event, causes }, index) => {
    const because = causes.map((cause) => seqs.get(cause)).filter((seq) => seq !== undefined);
    const { because: _because, ...rest } = event;
    return { ...rest, seq: index + 1, ...(because.length > 0 ? { because } : {}) };
  });
}

type Timed = { event: LockEvent; heardAt: number; key: string; causes: string[] };

function programOf(n: number, shift: number, whole: (most: number) => number, count: number): Timed[] {
  const events = realPrograms()[whole(realPrograms().length - 1)] ?? [];
  const first = events[0]?.at ?? 0;
  const prefix = `program${whole(count)}`;
  const source = whole(3) === 0 ? 'second' : 'redis';
  let heardAt = 0;
  return events.map((event) => {
    const moved = moveTimes(event, BEGIN + Math.floor(shift) - first) as LockEvent;
    // An inferred event is dated back, but arrives after the event before it.
    heardAt = Math.max(heardAt, moved.at);
    const lock = event.lock === '' ? '' : `${prefix}:${event.lock}`;
    const causes = (event.because ?? []).map((seq) => `${n}/${seq}`);
    return { event: { ...moved, lock, source }, heardAt, key: `${n}/${event.seq}`, causes };
  });
}

const TIMES = new Set(['at', 'expiresAt', 'deadline', 'since', 'until']);

/** Returns the same value with its times moved by `by` µs. `name`: the field that has the value. */
export function moveTimes(value: unknown, by: number, name = ''): unknown {
  if (typeof value === 'number') return TIMES.has(name) ? redisTime(value + by) : value;
  if (Array.isArray(value)) return value.map((each) => moveTimes(each, by, name === 'ends' ? 'at' : ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, moveTimes(each, by, field)]));
}

function blindSpot(at: number, length: number): Timed[] {
  const from = redisTime(Math.floor(at));
  const to = redisTime(Math.floor(at + length));
  const about = { seq: 0, source: 'redis', db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
  return [
    {
      event: { ...about, at: from, type: 'blind-spot.began', reason: 'connection-lost' },
      heardAt: from,
      key: `b${at}`,
      causes: [],
    },
    {
      event: { ...about, at: to, type: 'blind-spot.ended', reason: 'connection-lost', from },
      ...{ heardAt: to, key: `e${at}`, causes: [] },
    },
  ];
}
