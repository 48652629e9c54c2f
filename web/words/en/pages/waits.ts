import { counted } from '../counted.ts';

const of = (lock: string | null) => (lock === null ? '' : ` (${lock})`);

/** The page about what waits were spent on. */
export const waits = {
  title: 'Where the waiting went',
  reading: 'Adding up the waits.',
  open: 'Where the waiting went',
  between: (from: string, to: string, length: string) => `${from} – ${to} (${length})`,
  inTimeline: 'Show in timeline',
  noneSeen: 'No wait was seen in this range.',
  unknown: 'It cannot be seen whether threads waited in this range.',
  notAll: 'Not all waits of this range are counted.',
  unseen: {
    level: (source: string, time: string) => `${source}: for ${time}, level monitor was off, which shows waits.`,
    unwatched: (source: string, time: string) => `${source}: not watched for ${time}.`,
  },
  later: (clock: string) =>
    `Memory goes back to ${clock}. Waits that began earlier may be missing, also those that go on.`,
  cut: (clock: string) => `There are too many holds and waits. Only those since ${clock} are counted.`,
  total: (waits: number, time: string) =>
    waits === 1 ? `1 wait took ${time}.` : `${counted(waits, 'wait')} took ${time} together.`,
  most: {
    hold: (who: string | null, lock: string | null, time: string, share: string) =>
      who === null
        ? `The largest part, ${time} (${share}), was spent on holds of several holders.`
        : `The largest part, ${time} (${share}), was spent on holds of ${lock} by ${who}.`,
    circle: (_who: string | null, _lock: string | null, time: string, share: string) =>
      `The largest part, ${time} (${share}), was spent in deadlocks: threads waited for each other, or one for itself.`,
    waking: (_who: string | null, _lock: string | null, time: string, share: string) =>
      `The largest part, ${time} (${share}), was spent waking up: the lock was free, and the next thread was not awake yet.`,
    free: (_who: string | null, _lock: string | null, time: string, share: string) =>
      `In the largest part, ${time} (${share}), the lock was free and no thread acquired it.`,
    'evicted-head': (who: string | null, lock: string | null, time: string, share: string) =>
      `The largest part, ${time} (${share}), was spent behind ${who ?? 'threads'} at the head of the queue${of(lock)}, which did not come.`,
    unclear: (_who: string | null, _lock: string | null, time: string, share: string) =>
      `For the largest part, ${time} (${share}), it is not known which holder was in the way.`,
    unseen: (_who: string | null, _lock: string | null, time: string, share: string) =>
      `For the largest part, ${time} (${share}), it is not known whether the lock was held.`,
  },
  costliest: (who: string, lock: string, waiters: number, cost: string) =>
    `One hold of ${lock} by ${who} cost ${counted(waiters, 'thread')} ${cost}.`,
  part: {
    hold: (who: string | null, lock: string | null) => (who === null ? 'other holders' : `held by ${who}${of(lock)}`),
    circle: () => 'deadlock',
    waking: () => 'free, next thread not awake yet',
    free: () => 'free, no thread acquired it',
    'evicted-head': (who: string | null) =>
      who === null ? 'behind other evicted heads' : `behind the evicted head ${who}`,
    unclear: () => 'holder not known',
    unseen: () => 'not known whether held',
  },
  by: { locks: 'Locks', clients: 'Clients', threads: 'Threads', holds: 'Costliest holds', longest: 'Longest waits' },
  ranking: 'Ranking',
  head: {
    lock: 'Lock',
    client: 'Client',
    thread: 'Thread',
    waits: 'Waits',
    waited: 'Waited',
    spentOn: 'Spent on',
    cost: 'Cost other threads',
    holder: 'Holder',
    from: 'Since',
    length: 'Length',
    waiters: 'Threads that waited',
  },
  figures: {
    title: 'Figures',
    measure: 'What',
    count: 'How many',
    median: 'Median',
    p95: '95th percentile',
    longest: 'Longest',
    of: {
      waits: 'Waits that ended with the lock, seen from beginning to end',
      holds: 'Holds, seen from beginning to end',
      wakeUps: 'Wake-ups, from release to the next hold',
    },
    together: 'All waits together',
    refusals: 'Refused attempts per wait',
    leaseUsed: 'Part of the lease used before it was set again or released',
    used: (median: string, p95: string, greatest: string) =>
      `median ${median}, 95th percentile ${p95}, most ${greatest}`,
    expired: 'Holds that ended because the lease expired',
    gaveUp: 'Waits given up',
    older: (holds: number, waits: number) =>
      `The beginning of ${[holds > 0 && counted(holds, 'hold'), waits > 0 && counted(waits, 'wait')].filter((text) => text).join(' and ')} was not seen. How long ${holds + waits === 1 ? 'it took is not known, so it is' : 'they took is not known, so they are'} not in the table.`,
    since: (all: string, wakeUps: string) =>
      `Holds and waits are counted since ${all}, the other figures since ${wakeUps}.`,
  },
  long: {
    by: { lock: 'Locks', client: 'Clients', hold: 'Costliest holds' },
    hold: 'Lock, holder and begin',
    before: 'Cost others before',
    after: 'Cost others',
    change: 'Change',
    between: (from: string, to: string) => `${from} – ${to}`,
    compared: (one: string, other: string) => `${one}, compared with ${other}. The largest change comes first.`,
    deadlocks: 'Waits in a deadlock cost no holder: they count as waited only.',
    hours: 'Added up from the statistics of whole hours in the store.',
    costliest: 'The store keeps only the costliest holds of each hour, so a hold may have cost more than its sum.',
    noHold: 'No hold that other threads waited for is known in this range.',
    notAll: 'Not all of this time was seen, so the sums are lower limits.',
    since: (clock: string) => `Costs are known since ${clock}, except while Lockscope was not running.`,
  },
  compare: {
    title: 'Two ranges compared',
    with: 'Compare with',
    options: { none: 'No other range', before: 'The range before', chosen: 'Another range' },
    one: 'Range',
    other: 'Compared with',
    swap: 'Swap',
    reading: 'Loading this range.',
    forgotten: 'This range is not in memory.',
    whole: 'Seen as a whole.',
    gap: {
      later: (clock: string) => `Not loaded before ${clock}: memory does not go back further.`,
      cut: (clock: string) =>
        `Time lost and wake-ups are counted only since ${clock}: there are too many holds and waits.`,
      'so-far': (clock: string) => `Seen up to ${clock}: the range ends later.`,
      unwatched: (source: string, time: string) => `Not seen: ${source} was not watched for ${time}.`,
      level: (source: string, time: string) =>
        `Not seen: for ${time}, level monitor was off at ${source}. Only that level shows all waits.`,
    },
    overlap: (time: string) => `The two ranges overlap by ${time}: what ended there is counted in both.`,
    ratio: 'Ratio',
    ratioOf: (ratio: string) => `× ${ratio}`,
    perMinute: 'per minute',
    samples: (one: string, other: string) => `from ${one} and ${other}`,
    no: {
      few: (one: string, other: string, needed: number) => `too few: ${one} and ${other}, ${needed} needed`,
      partly: 'not all was seen',
      level: 'level monitor was off',
      zero: '0 in the other',
      'not-loaded': 'not loaded',
    },
    cell: {
      nothing: 'none',
      none: 'none seen',
      unseen: 'not seen',
      'not-loaded': 'not loaded',
      'further-down': 'not among the first 100',
    },
    meaning: (needed: number, neededP95: number) =>
      `The ratio is the range divided by the one that it is compared with. It needs ${needed} samples in both, a 5th or 95th percentile ${neededP95}. Counts and sums are divided by the length of their range first, and are compared only if both ranges were seen as a whole.`,
    group: {
      waits: 'Waits that ended with the lock, seen from beginning to end',
      allWaits: 'All waits, also those given up or not over yet',
      holds: 'Holds, seen from beginning to end',
      wakeUps: 'Wake-ups, from release to the next hold',
      lease: 'Part of the lease left when it was set again or released',
    },
    figure: {
      count: 'How many',
      median: 'Median',
      p95: '95th percentile',
      longest: 'Longest',
      together: 'All waits together',
      gaveUp: 'Waits given up',
      refusals: 'Refused attempts per wait',
      expired: 'Holds that ended because the lease expired',
      leftMedian: 'Median',
      leftP5: '5th percentile',
      leftLeast: 'Least',
    },
    lengths: 'Distributions',
    range: 'Length',
    between: (from: string, to: string) => `${from} – ${to}`,
    noLengths: 'None ended in either range.',
    lost: 'Time lost',
    rank: (rank: string, time: string) => `${rank}. waited ${time}`,
    waits: (waits: number, cost: string | null) =>
      cost === null ? counted(waits, 'wait') : `${counted(waits, 'wait')}, cost others ${cost}`,
    noneLost: 'No wait is known in either range.',
  },
  goesOn: (length: string) => `${length} and goes on`,
  atLeast: (length: string) => `at least ${length}`,
  noWaits: 'no wait seen',
  meaning:
    'Times are sums over all threads, and only the time within the range is counted. If a thread waits for a holder that itself waits for another lock, that time is charged to the holder of the other lock.',
};
