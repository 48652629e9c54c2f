import { counted } from './counted.ts';

/** How a hold is said. Lengths and names come as text. */
export type HoldSaid = {
  readonly who: string;
  readonly lock: string;
  readonly mode: 'exclusive' | 'read' | 'write' | 'permit';
  readonly length: string;
  readonly isOpen: boolean;
  readonly deepest: number;
  readonly renewals: number;
  readonly isOpenStart: boolean;
  readonly ended: keyof typeof HOLD_ENDS;
};
/** How a wait is said. */
export type WaitSaid = {
  readonly who: string;
  readonly lock: string;
  readonly length: string;
  readonly isOpen: boolean;
  readonly blockers: readonly string[];
  readonly ended: keyof typeof WAIT_ENDS;
};

const HOLD_ENDS = {
  released: ', then released it',
  expired: ', until the lease ran out',
  'force-released': ', until it was force-released',
  deleted: ', until its key was deleted',
  evicted: ', until Redis evicted its key',
  flushed: ', until the database was flushed',
  lost: ', until the server that answers now knew nothing of it',
  moved: ', until its key moved to another shard',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

const WAIT_ENDS = {
  message: ', ended by message',
  'own-timer': ', ended by its own timer, without a message',
  acquired: ', then got it',
  'gave-up': ', then gave up',
  'presumed-gone': ', then did not come back when it should have',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

/** The marks of the timeline: in a word, counted, in one sentence, and as labels on the picture. */
export const marks = {
  holds: (count: number) => `holds ×${count}`,
  waits: 'waits',
  point: {
    renewed: 'renewed',
    reentered: 're-entered',
    'partly-released': 'partial release',
    released: 'released',
    refused: 'refused',
    'unlock-refused': 'unlock refused',
    'renewal-refused': 'renewal refused',
    expired: 'lease expired',
    'taken-away': 'taken away',
  },
  taken: {
    'force-released': 'force-released',
    deleted: 'key deleted',
    evicted: 'key evicted',
    flushed: 'database flushed',
    lost: 'lost: unknown to the new master',
  },
  many: {
    hold: (n: number) => counted(n, 'hold'),
    wait: (n: number) => counted(n, 'wait'),
    renewed: (n: number) => counted(n, 'renewal'),
    reentered: (n: number) => counted(n, 're-entry', 're-entries'),
    'partly-released': (n: number) => counted(n, 'partial release'),
    released: (n: number) => counted(n, 'release'),
    refused: (n: number) => counted(n, 'refused attempt'),
    'unlock-refused': (n: number) => counted(n, 'refused unlock'),
    'renewal-refused': (n: number) => counted(n, 'refused renewal'),
    expired: (n: number) => counted(n, 'expiry', 'expiries'),
    'taken-away': (n: number) => counted(n, 'lost hold'),
  },
  hold: (said: HoldSaid) => {
    const how = said.mode === 'exclusive' ? '' : ` to ${said.mode}`;
    const deep = said.deepest > 1 ? `, up to ×${said.deepest}` : '';
    const times = said.renewals === 1 ? 'once' : counted(said.renewals, 'time');
    const refilled = said.renewals > 0 ? `, refilled ${times}` : '';
    const start = said.isOpenStart ? ', beginning unseen' : '';
    const verb = said.isOpen ? 'has held' : 'held';
    return `${said.who} ${verb} ${said.lock}${how} for ${said.length}${deep}${refilled}${start}${HOLD_ENDS[said.ended]}.`;
  },
  wait: (said: WaitSaid) => {
    const by = said.blockers.length > 0 ? `, blocked by ${said.blockers.join(' and ')}` : '';
    const verb = said.isOpen ? 'has waited' : 'waited';
    return `${said.who} ${verb} ${said.length} for ${said.lock}${by}${WAIT_ENDS[said.ended]}.`;
  },
  renewed: (who: string, lock: string) => `${who} refilled the lease of ${lock}.`,
  reentered: (who: string, lock: string, count: number) => `${who} took ${lock} once more: it now holds ×${count}.`,
  partlyReleased: (who: string, lock: string, count: number) =>
    `${who} gave back one level of ${lock}: it still holds ×${count}.`,
  released: (who: string, lock: string) => `${who} released ${lock}.`,
  refused: (who: string, lock: string) => `${who} asked for ${lock} and was told no.`,
  unlockRefused: (who: string, lock: string) => `${who} tried to unlock ${lock}, which it did not hold.`,
  renewalRefused: (who: string, lock: string) =>
    `${who} tried to refill the lease of ${lock}, which it no longer held.`,
  expired: (who: string, lock: string) => `${who} lost ${lock}: its lease ran out.`,
  takenAway: (who: string, lock: string, how: string) => `${who} lost ${lock}: ${how}.`,

  /** On the picture; of several the longest that has room. */
  label: {
    holds: {
      exclusive: (count: number) => `holds ×${count}`,
      read: (count: number) => `reads ×${count}`,
      write: (count: number) => `writes ×${count}`,
      permit: (count: number) => `permits ×${count}`,
    },
    clientGone: ['client gone, lease still running', 'client gone', 'gone'] as readonly string[],
    notRefilled: ['refill overdue, lease still running', 'not refilled', 'no refill'] as readonly string[],
    asleep: ['asleep, subscribed', 'asleep'] as readonly string[],
    gaveUp: 'gave up',
    presumedGone: 'presumed gone',
    nobodyRefills: 'nobody refills the lease',
    notWatching: 'not watching',
    wokenByMessage: (delay: string) => `PUBLISH, awake in ${delay}`,
    wokenByTimer: 'no message: its own timer',
  },
};
