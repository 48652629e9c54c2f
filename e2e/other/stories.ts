import type { Library } from './libraries.ts';
import type { Story } from './test-bed.ts';

/** Shorter than each library waits for a lock that another client has. */
const SHORT_MS = 2500;
/** Long enough for a read to find the holder if there are no key events, also on a busy machine. */
const FOUND_MS = 8000;
const LONG_MS = 60_000;

/**
 * Operations of two processes on one lock, as far as their library supports them. Steps wait for events, not for times.
 */
export function storiesOf({ canExtend, keyOf }: Library, nameOf: (story: string) => string): readonly Story[] {
  return [
    {
      id: 'basic',
      async play({ a }) {
        await a('lock', LONG_MS);
        await a('owner');
        if (canExtend) await a('extend', LONG_MS);
        await a('unlock');
      },
    },
    {
      id: 'refused',
      async play({ a, b, reported }) {
        await a('lock', LONG_MS);
        await b('try', LONG_MS);
        const waiting = b('lock', LONG_MS);
        await reported('lock.refused', 2);
        await a('unlock');
        await waiting;
        await b('owner');
        await b('unlock');
      },
    },
    {
      id: 'lost',
      async play({ a, b, reported }) {
        await a('lock', FOUND_MS);
        await reported('lease.expired');
        await b('lock', LONG_MS);
        await b('owner');
        if (canExtend) await a('extend', LONG_MS);
        await a('unlock');
        await b('unlock');
      },
    },
    {
      id: 'lost-to-nobody',
      async play({ a, reported }) {
        await a('lock', FOUND_MS);
        await reported('lease.expired');
        if (canExtend) await a('extend', LONG_MS);
        await a('unlock');
      },
    },
    {
      id: 'stolen',
      async play({ a, b, reported, steal }) {
        await a('lock', LONG_MS);
        await reported('lock.acquired');
        await steal(keyOf(nameOf('stolen')));
        await b('lock', LONG_MS);
        if (canExtend) await a('extend', LONG_MS);
        await a('unlock');
        await b('unlock');
      },
    },
    {
      id: 'takeover',
      async play({ a, b }) {
        await a('lock', SHORT_MS);
        await b('lock', SHORT_MS);
        await b('unlock');
      },
    },
  ];
}

/** Operations of two processes on the jobs of one queue. */
export const JOB_STORIES: readonly Story[] = [
  {
    id: 'basic',
    async play({ a }) {
      await a('add');
      await a('take', LONG_MS);
      await a('extend', LONG_MS);
      await a('complete');
      await a('add');
      await a('take', LONG_MS);
      await a('fail');
    },
  },
  {
    id: 'refused',
    async play({ a, b, reported }) {
      await a('add');
      await a('take', LONG_MS);
      await b('take', LONG_MS);
      const waiting = b('wait', LONG_MS);
      await a('add');
      await waiting;
      await reported('lock.acquired', 2);
      await a('complete');
      await b('complete');
    },
  },
  {
    id: 'lost',
    async play({ a, b, reported }) {
      await a('add');
      await a('take', SHORT_MS);
      await reported('lease.expired');
      do await b('stalled', LONG_MS);
      while ((await b('take', LONG_MS)) === 'none');
      await a('extend', LONG_MS);
      await a('complete');
      await b('complete');
    },
  },
  {
    id: 'stolen',
    async play({ a, steal }) {
      await a('add');
      await a('take', LONG_MS);
      await steal('bull:bullmq-stolen:1:lock');
      await a('extend', LONG_MS);
      await a('complete');
    },
  },
];
