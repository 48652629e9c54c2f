import { expect, test } from 'vitest';
import { EN } from './en.ts';
import { ZH_CN_FIRST } from './zh-CN-first.ts';
import { ZH_CN_LATER } from './zh-CN-later.ts';

/** Entries that are the same in both languages: symbols, units, and terms that are not translated. */
const SAME = new Set([
  'eventList.column.step',
  'events.fencingToken',
  'events.holderCount',
  'lock.fencingToken',
  'marks.label.withToken',
  'timeline.fact.token',
  'waits.compare.between',
  'waits.compare.ratioOf',
  'lock.figure',
  'lock.moreThan',
  'lock.shortPlace',
  'lock.shortDb',
  'frame.title',
  'time.micros',
  'time.millis',
  ...['stage.card.client', 'stage.controls.times', 'stage.redis.held', 'stage.redis.title'],
  ...['stage.envelope.eval', 'stage.envelope.ok', 'stage.envelope.subscribe'],
  'stageKinds.redis.place',
  ...['stage.lens.marks.del', 'stage.lens.marks.eval', 'stage.lens.marks.publish'],
]);
/** Entries that only languages other than English need, because the server writes English. */
const OF_TRANSLATIONS = [
  ...['lockPage.keyRole', 'stage.scenario.texts'],
  // problems.test.ts compares the texts with the values of each code
  'problems.textOf',
];

type Entry = { readonly path: string; readonly value: unknown };

/** Returns every entry of a catalogue: strings, lists of strings, and functions. */
function entriesOf(value: unknown, path = ''): Entry[] {
  if (OF_TRANSLATIONS.includes(path)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => entriesOf(inner, path === '' ? key : `${path}.${key}`));
}

/** Arguments of most entries: numbers for plurals. A text may be a number as well. */
const NUMBERS = [0, 1, 1240].map((n) => [n, n, n, n]);

/** Arguments of entries that `NUMBERS` does not fit, each for one call. */
const EXAMPLES: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'common.sentences': [[['Watched.', 'Free.']]],
  'events.facts': [[['by app1', 'lease 30 s']]],
  'events.holders': [
    [[], 0],
    [['A', 'B'], 2],
  ],
  'events.mode': [['read'], ['latch']],
  'lockPage.toMode': [['read'], ['latch']],
  'lock.holds': [
    [1, 'exclusive'],
    [2, 'read'],
  ],
  'lock.count': [
    [1, 'exclusive'],
    [2, 'read'],
  ],
  'marks.hold': [
    [
      {
        ...{ who: 'A', lock: 'orders:42', mode: 'read', length: '6 s', isOpen: false, deepest: 2, renewals: 3 },
        ...{ isOpenStart: true, ended: 'released', token: '42', permit: null },
      },
    ],
    [
      {
        ...{ who: 'A', lock: 'orders:42', mode: 'permit', length: '6 s', isOpen: true, deepest: 1, renewals: 0 },
        ...{ isOpenStart: false, ended: 'open', token: null, permit: { id: 'af94cddc', until: '12:00:00' } },
      },
    ],
  ],
  'marks.wait': [
    [
      {
        ...{ who: 'B', lock: 'orders:42', mode: 'exclusive', length: '5 s', isOpen: true, blockers: ['A', 'C'] },
        ...{ isOpenStart: true, ended: 'open', line: { first: 3, last: 1, until: '12:00:00' } },
      },
    ],
  ],
};

/** Values in the sentences of insights, and how they are written. A value that is not here is the number 2. */
const OF_AN_INSIGHT = {
  ...{
    holder: 'A',
    heldBy: 'B',
    by: 'expired',
    called: 'B',
    client: 'A',
    head: 'B',
    keptBy: 'B',
    late: 'B',
    other: 'b:2',
  },
  ...{
    ownerThen: 'B',
    plain: 'a:1',
    releasedBy: 'B',
    releaseOf: 'B',
    silent: 'B',
    takenBy: 'B',
    user: 'svc',
    victim: 'B',
  },
  ...{ isConnected: true, isEvicted: true, isFree: true, isGone: true, isLoss: true, isMadeUp: true, isOver: false },
  ...{ isPartly: false, isPermit: false, isRaised: true, isReader: false, isReadWrite: true, isRedisson: true },
  ...{ isRenewed: true, isReplica: true, isShared: false, isUpgrade: false, isWithoutLimit: true, givesUp: true },
  ...{ areListeners: false, areQueued: true, inScript: true, listsVirtual: true, sawSuccess: true },
  ...{ pause: null, releasedBefore: null, repeat: null, shortenedAt: null },
  ...{ renewedAt: 2, takenAt: 2 }, // a rest parameter (`...more`) has only what is here
  ...{ cause: 'late', error: 'OOM', fault: 'gave-up', how: 'never-got-it', policy: 'noeviction', version: '4.7.0' },
  ...{ address: '10.0.0.1:1', channel: 'c', command: 'EVAL', connection: 'api', flags: 'Kg', queue: 'q' },
  ...{ lastLock: 'orders:42', lock: 'orders:42', release: 'orders:42' },
  ...{ objects: ['redisson_unlock_latch:{a}'], reasons: ['key'] },
  path: [
    { holder: 'A', lock: 'orders:42', lockId: 'r/0/orders:42', monitor: null, heldBy: 'B' },
    { holder: 'B', lock: null, lockId: null, monitor: 'java.lang.Object', heldBy: 'A' },
  ],
  doubts: ['overdue', 'assumed', 'shared'].map((why) => ({ holder: 'A', why, at: 1 })),
  ...{ who: String, clock: (at: number) => `12:00:0${at}` },
};

/** These values, and the number 2 for each other one. */
function withNumbers(values: object): object {
  return new Proxy(values, { get: (_, name) => (Object.hasOwn(values, name) ? Reflect.get(values, name) : 2) });
}

/** Values with which an insight has other sentences. */
const OTHER_VALUES: Readonly<Record<string, readonly object[]>> = {
  'abba-deadlock': [{ doubts: [] }],
  'fair-head-dead': [{ lateAt: null }],
  'writer-starvation': [{ isAtLeast: false }],
  'acl-denied': [
    { user: null },
    { user: null, inScript: false },
    { isGuess: true, inScript: false, reasons: ['key', 'command'], objects: ['lock:a', 'set'], connection: null },
  ],
  'slow-script-busy': [{ pause: 'all' }, { pause: 'writes' }, { pause: 'writes', endedAt: null }],
  'holder-crashed-wait-ttl': [{ isReader: true, isShared: true, endsAt: null }],
  'watchdog-batch-failure': [{ isReader: true }],
  'zombie-renewal': [{ lateMs: null, forcedAt: null }, { forcedAt: null }],
  'renewal-broken-after-error': ['stale', 'no-holder', 'not-run', 'unseen'].map((fault) => ({ fault })),
  'watchdog-starved': [true, false].map((areCommandsSeen) => ({ lateAt: null, areCommandsSeen })),
  'operator-delete-or-flush': [
    { command: null, address: null },
    { command: null, shortenedAt: 1 },
  ],
  'subscription-pool-exhausted': [{ holder: null, leaked: 1, silent: null }],
  'read-renewal-lost': [{ unlockedAt: null }],
  'lease-shorter-than-work': [{ unlockedAt: null, heldMs: null, releasedBefore: 3 }],
};

/** The argument of stage captions, with every field that any of them uses. */
const OF_A_BEAT = {
  ...{ who: 'A', head: 'B', other: 'B', writer: 'B', place: 1, times: 82, readers: 2, left: 1 },
  ...{ token: '2', newest: '3', old: '2', seconds: '3', wake: '0.3 ms' },
  ...{ permits: 2, free: 3, total: 5, count: 3, waiters: 1 },
};

/** Returns the texts of an entry; of a function, the text for each of its examples. */
function textsOfEntry({ path, value }: Entry): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'function') throw new Error(`${path} is neither text nor a function`);
  return examplesOf(path).map((args) => String(Reflect.apply(value, undefined, args)));
}

function examplesOf(path: string): readonly (readonly unknown[])[] {
  if (path.startsWith('stageKinds.captions.')) return [[OF_A_BEAT]];
  if (path.startsWith('insights.')) {
    const others = Object.entries(OTHER_VALUES).flatMap(([incident, values]) =>
      path.includes(incident) ? values : [],
    );
    return [{}, ...others].map((values) => [withNumbers({ ...OF_AN_INSIGHT, ...values }), OF_AN_INSIGHT]);
  }
  return EXAMPLES[path] ?? NUMBERS;
}

const english = new Map(entriesOf(EN).map((entry) => [entry.path, entry]));
const chinese = new Map(entriesOf({ ...ZH_CN_FIRST, ...ZH_CN_LATER }).map((entry) => [entry.path, entry]));

test('every Chinese entry has an English entry of the same type', () => {
  expect(chinese.size).toBeGreaterThan(300);
  for (const [path, { value }] of chinese) expect(typeof english.get(path)?.value, path).toBe(typeof value);
});

test.each([
  ['English', english],
  ['Chinese', chinese],
])('every entry of the %s catalogue returns a text', (_, catalogue) => {
  for (const entry of catalogue.values()) {
    for (const answer of textsOfEntry(entry)) {
      expect(answer.trim(), entry.path).not.toBe('');
      expect(answer, entry.path).not.toMatch(/undefined|NaN|\[object/);
    }
  }
});

test('except symbols and terms, every Chinese entry differs from the English entry', () => {
  const same = [...english.values()].filter((entry) => {
    const chineseEntry = chinese.get(entry.path);
    return chineseEntry && JSON.stringify(textsOfEntry(entry)) === JSON.stringify(textsOfEntry(chineseEntry));
  });
  const known = [...SAME].filter((path) => english.has(path) && chinese.has(path));
  expect(same.map(({ path }) => path).sort()).toEqual(known.sort());
});

test('English texts have singular and plural', () => {
  expect([EN.overview.seen(1), EN.overview.seen(2)]).toEqual(['1 lock in memory', '2 locks in memory']);
  expect(EN.eventList.goLive(1240)).toBe('+1,240 events · go live');
  expect(EN.eventList.goLive(0)).toBe('Up to date · go live');
  expect([EN.marks.point.expired.many(1), EN.marks.point.expired.many(2)]).toEqual(['1 expiry', '2 expiries']);
});
