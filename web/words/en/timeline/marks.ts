import { counted } from '../counted.ts';
import { points } from './points.ts';

/** The values of a sentence about a hold. Lengths and names are passed as text. */
export type HoldPhrase = {
  readonly who: string;
  readonly lock: string;
  readonly mode: 'exclusive' | 'read' | 'write' | 'permit';
  readonly length: string;
  readonly isOpen: boolean;
  readonly deepest: number;
  readonly renewals: number;
  readonly isOpenStart: boolean;
  /** The fencing token of a fenced lock. */
  readonly token: string | null;
  /** A permit with an id, and when it expires. `until` null: no expiry is known. */
  readonly permit: { readonly id: string; readonly until: string | null } | null;
  readonly ended: keyof typeof HOLD_ENDS;
};
/** The values of a sentence about a wait. */
export type WaitPhrase = {
  readonly who: string;
  readonly lock: string;
  readonly mode: 'exclusive' | 'read' | 'write' | 'permit' | 'latch';
  /** Its first and last position in a fair lock's queue, and when its place expires. */
  readonly line: { readonly first: number; readonly last: number; readonly until: string | null } | null;
  readonly length: string;
  readonly isOpen: boolean;
  readonly isOpenStart: boolean;
  readonly blockers: readonly string[];
  readonly ended: keyof typeof WAIT_ENDS;
};

const HOLD_ENDS = {
  released: ', then released it',
  freed: ', until it was released or its key was deleted (not known which)',
  expired: ', until the lease ran out',
  'force-released': ', until it was force-released',
  deleted: ', until its key was deleted',
  evicted: ', until Redis evicted its key',
  flushed: ', until the database was flushed',
  lost: ', until it was lost in a failover or a restart',
  moved: ', until its key moved to another shard',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

const WAIT_ENDS = {
  message: ', ended by message',
  'own-timer': ', ended by its own timer, without a message',
  acquired: ', then got it',
  'gave-up': ', then gave up',
  'presumed-gone': ', then presumed gone',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

function permitsOf({ permit, deepest }: HoldPhrase): string {
  if (permit === null) return deepest > 1 ? `up to ${counted(deepest, 'permit')}` : 'a permit';
  return permit.until === null ? `permit ${permit.id}` : `permit ${permit.id}, valid until ${permit.until},`;
}

/** A length; a lower limit if the beginning is from before watching began, or no longer in memory. */
function atLeast({ length, isOpenStart }: HoldPhrase | WaitPhrase): string {
  return isOpenStart ? `at least ${length}` : length;
}

function lineOf({ line }: WaitPhrase): string {
  if (line === null) return '';
  const moved = line.first === line.last ? ordinal(line.first) : `${ordinal(line.first)}, then ${ordinal(line.last)}`;
  const until = line.until === null ? '' : `, its place expires at ${line.until}`;
  return `, ${moved} in line${until}`;
}

/** `1st`, `2nd`, `11th`. */
function ordinal(n: number): string {
  const ends = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${n}${ends[ORDINALS.select(n)]}`;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });

/** The marks of the timeline: as a word, counted, as a sentence, and as labels on the canvas. */
export const marks = {
  holds: (count: number) => `holds ×${count}`,
  waits: 'waits',
  point: points,
  many: {
    hold: (n: number) => counted(n, 'hold'),
    wait: (n: number) => counted(n, 'wait'),
    run: (n: number) => counted(n, 'attempt'),
  },
  taken: {
    'force-released': 'force-released',
    deleted: 'key deleted',
    evicted: 'key evicted',
    flushed: 'database flushed',
    lost: 'lost in a failover or a restart',
  },
  /** A hold that was lost in a failover. */
  believes: 'thinks it holds',
  believed: (who: string, lock: string, length: string) =>
    `${who} thinks it still holds ${lock}, for ${length}: the hold was lost in a failover or a restart.`,
  hold: (quote: HoldPhrase) => {
    const how = quote.mode === 'exclusive' || quote.mode === 'permit' ? '' : ` to ${quote.mode}`;
    const isPermit = quote.mode === 'permit';
    const deep = quote.deepest > 1 && !isPermit ? `, up to ×${quote.deepest}` : '';
    const token = quote.token === null ? '' : `, with fencing token ${quote.token}`;
    const what = isPermit ? `${permitsOf(quote)} of ${quote.lock}` : quote.lock;
    const times = quote.renewals === 1 ? 'once' : counted(quote.renewals, 'time');
    const renewed = quote.renewals > 0 ? `, renewed ${times}` : '';
    const start = quote.isOpenStart ? ', start not seen' : '';
    const verb = quote.isOpen ? 'has held' : 'held';
    const length = atLeast(quote);
    return `${quote.who} ${verb} ${what}${how} for ${length}${deep}${token}${renewed}${start}${isPermit && quote.ended === 'expired' ? ', until it expired' : HOLD_ENDS[quote.ended]}.`;
  },
  wait: (quote: WaitPhrase) => {
    const by = quote.blockers.length > 0 ? `, blocked by ${quote.blockers.join(' and ')}` : '';
    const verb = quote.isOpen ? 'has waited' : 'waited';
    const ended = quote.mode === 'latch' && quote.ended === 'message' ? ', until it opened' : WAIT_ENDS[quote.ended];
    const what = quote.mode === 'permit' ? `permits of ${quote.lock}` : quote.lock;
    return `${quote.who} ${verb} ${atLeast(quote)} for ${what}${lineOf(quote)}${by}${ended}.`;
  },
  run: (who: string, lock: string, attempts: number, length: string) =>
    `${who} attempted ${lock} ${counted(attempts, 'time')} within ${length}, without a pause, and was refused each time.`,

  /** Labels on the canvas. Of several, the longest that fits is drawn. */
  label: {
    /** `count`: the highest hold count of the bar. Stripes in it show where the count was higher than one. */
    holds: {
      exclusive: (count: number) => (count > 1 ? `holds up to ×${count}` : `holds ×${count}`),
      read: (count: number) => (count > 1 ? `reads up to ×${count}` : `reads ×${count}`),
      write: (count: number) => (count > 1 ? `writes up to ×${count}` : `writes ×${count}`),
      permit: (count: number) => `permits ×${count}`,
    },
    withToken: (holds: string, token: string) => `${holds} #${token}`,
    asked: (count: number) => `asked ${counted(count, 'time')}`,
    place: (position: number): readonly string[] => [`${ordinal(position)} in line`, ordinal(position)],
    believes: ['lost, thinks it still holds it', 'thinks it holds', 'unaware'] as readonly string[],
    clientGone: ['client gone, lease still running', 'client gone', 'gone'] as readonly string[],
    notRenewed: ['renewal overdue, lease still running', 'not renewed', 'no renewal'] as readonly string[],
    asleep: ['asleep, subscribed', 'asleep'] as readonly string[],
    gaveUp: 'gave up',
    presumedGone: 'presumed gone',
    noRenewal: 'no renewal came',
    leaseNotKnown: 'end of the lease not known',
    notWatching: 'not watching',
    memoryBack: (clock: string) => `memory goes back to ${clock}`,
    lockDropped: 'dropped from memory',
    nothingEarlier: 'nothing earlier was seen',
    notLoaded: 'not loaded',
    outlined: 'zoom in to see events',
    loading: (percent: number) => `loading… ${percent} %`,
    notRead: 'could not be read, trying again',
    wokenByMessage: (delay: string) => `PUBLISH, awake in ${delay}`,
    wokenByTimer: 'no message: its own timer',
  },
};
