import { ENGLISH } from '../../../../shared/doctor/english.ts';
import type { LevelCost } from '../../../../shared/wire/doctor.ts';

/** The page of the doctor, and its dialog. */
const page = {
  title: 'Health',
  about: 'What endangers locks on each server, and what Lockscope can see there. Only read: nothing is changed.',
  again: 'Examine again',
  examining: 'Examining the servers.',
  readAt: (clock: string) => `Read at ${clock}.`,
  needsServer: 'The doctor needs a live server',
  needsServerHint: 'This is a recording: it shows what clients did, not how the server is configured.',
  elsewhere: 'A viewer is not connected to servers',
  elsewhereHint: 'Another process, an observer, watches this source. To examine its server: lockscope doctor URL.',
  allSources: 'All sources',
  state: { danger: 'Danger', warning: 'Warning', unknown: 'Unknown', info: 'Good to know', good: 'Good' },
  good: (count: number) => `${count} good`,
  rewrite: 'CONFIG SET lasts until Redis is started again. CONFIG REWRITE keeps it.',
  read: 'Read',
  reference: 'Documentation of Redis',
  help: 'What happens then',
  levels: 'Levels',
  works: 'works.',
  worksNot: 'does not work.',
  unseen: 'Not seen, because this user lacks a right',
  cost: {
    title: 'Cost of each level',
    none: 'Not measured yet. Each level costs this Redis something else than any other Redis.',
    measure: 'Measure …',
    measureAgain: 'Measure again …',
    dialog: 'Measure the cost of each level',
    what: 'Lockscope watches this server at each chosen level, twice for 1 s, and compares the CPU of Redis with the seconds between.',
    monitor: 'MONITOR runs for about 2 s in all: Redis then copies every command of every client to Lockscope.',
    guard: 'It is not begun while Redis is busy, slow, saving or nearly full. A level that does harm is ended at once.',
    first: 'The first scan of all keys is a part of it, so a level costs less later.',
    beside: 'This page goes on watching. The figures are for one more Lockscope.',
    takes: (seconds: number) => `It takes about ${seconds} s.`,
    choose: 'Levels to measure',
    start: 'Measure now',
    notNow: 'Not now',
    running: (level: string | null) => (level === null ? 'No level is on, for comparison.' : `On now: ${level}.`),
    elsewhere: (source: string) => `A measurement of ${source} is under way.`,
    cancel: 'Cancel',
    cancelled: 'The measurement was cancelled. No level of it is on.',
    failed: 'The measurement failed.',
    without: (commands: string, cpu: string | null) =>
      `Without a level, Redis ran ${commands} commands/s${cpu === null ? '' : ` and used ${cpu} of a core`}.`,
    noFigures: 'Redis does not report what it does, so nothing can be compared.',
    heads: ['Level', 'CPU more', 'Output more', 'How sure'],
    range: (low: string, high: string) => (low === high ? low : `${low} to ${high}`),
    ofCore: (percent: string) => `${percent} of a core`,
    perSecond: (size: string) => `${size}/s`,
    noValue: '–',
  },
  verdict: {
    measured: 'measured',
    'below-noise': 'less than the load of Redis itself varies',
    'too-quiet': 'too quiet to tell: too few commands run now',
    unsteady: 'unsure: the load changed too much',
    'no-figures': 'Redis does not report its CPU time',
    ended: 'ended early',
    refused: 'not tried',
  } satisfies Record<LevelCost['verdict'], string>,
};

/** Everything that the page of the doctor says. It is loaded with the page. */
export const DOCTOR = { page, findings: ENGLISH };
export type DoctorWords = typeof DOCTOR;
