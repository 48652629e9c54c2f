import { counted } from '../counted.ts';

/** What a catalogue says about one kind of point. */
type PointWords = {
  readonly word: string;
  readonly many: (n: number) => string;
  /** `how`: what ended a hold from outside. */
  readonly sentence: (who: string, lock: string, n: number | null, how: string) => string;
};

/** Returns its argument, typed by the kinds of points that it has. */
function pointWords<Kind extends string>(words: Readonly<Record<Kind, PointWords>>): typeof words {
  return words;
}

/** The points of the timeline, by kind. `n` is a hold count, a number of permits, or what is left of a latch. */
export const points = pointWords({
  renewed: {
    word: 'renewed',
    many: (n) => counted(n, 'renewal'),
    sentence: (who, lock) => `${who} renewed the lease of ${lock}.`,
  },
  reentered: {
    word: 're-entered',
    many: (n) => counted(n, 're-entry', 're-entries'),
    sentence: (who, lock, count) => `${who} re-entered ${lock}: it now holds ×${count ?? 2}.`,
  },
  'partly-released': {
    word: 'partial release',
    many: (n) => counted(n, 'partial release'),
    sentence: (who, lock, count) => `${who} released one level of ${lock}: it still holds ×${count ?? 1}.`,
  },
  released: {
    word: 'released',
    many: (n) => counted(n, 'release'),
    sentence: (who, lock) => `${who} released ${lock}.`,
  },
  freed: {
    word: 'no longer held',
    many: (n) => counted(n, 'end of a hold', 'ends of holds'),
    sentence: (who, lock) => `${who} no longer holds ${lock}: it was released or deleted (not known which).`,
  },
  refused: {
    word: 'refused',
    many: (n) => counted(n, 'refused attempt'),
    sentence: (who, lock) => `${who} asked for ${lock} and was refused.`,
  },
  'unlock-refused': {
    word: 'unlock refused',
    many: (n) => counted(n, 'refused unlock'),
    sentence: (who, lock) => `${who} tried to unlock ${lock}, which it did not hold.`,
  },
  'renewal-refused': {
    word: 'renewal refused',
    many: (n) => counted(n, 'refused renewal'),
    sentence: (who, lock) => `${who} tried to renew the lease of ${lock}, which it no longer held.`,
  },
  expired: {
    word: 'lease expired',
    many: (n) => counted(n, 'expiry', 'expiries'),
    sentence: (who, lock) => `${who} lost ${lock}: its lease ran out.`,
  },
  'taken-away': {
    word: 'taken away',
    many: (n) => counted(n, 'lost hold'),
    sentence: (who, lock, _count, how) => `${who} lost ${lock}: ${how}.`,
  },
  'permits-set': {
    word: 'permits set',
    many: (n) => counted(n, 'change of permits', 'changes of permits'),
    sentence: (who, lock, n) =>
      n === null ? `${who} set the permits of ${lock}.` : `${who} set the permits of ${lock}: ${n} in all.`,
  },
  'permits-taken': {
    word: 'permits taken',
    many: (n) => counted(n, 'permit acquisition'),
    sentence: (who, lock, n) => `${who} took ${permits(n)} of ${lock}.`,
  },
  'permits-refused': {
    word: 'too few permits',
    many: (n) => counted(n, 'refused attempt'),
    sentence: (who, lock, n) => `${who} asked for ${permits(n)} of ${lock}: too few were free.`,
  },
  'permits-back': {
    word: 'permits back',
    many: (n) => counted(n, 'permit release'),
    sentence: (who, lock, n) => `${who} released ${permits(n)} of ${lock}.`,
  },
  'permits-expired': {
    word: 'permit expired',
    many: (n) => counted(n, 'expired permit'),
    sentence: (who, lock) => `A permit of ${lock} that ${who} had taken expired.`,
  },
  'latch-set': {
    word: 'latch set',
    many: (n) => counted(n, 'latch set', 'latches set'),
    sentence: (who, lock, n) => `${who} set ${lock} to ${n ?? 'an unseen number'}.`,
  },
  'counted-down': {
    word: 'counted down',
    many: (n) => counted(n, 'count'),
    sentence: (who, lock, n) =>
      n === 0
        ? `${who} counted ${lock} down to 0: it is open.`
        : `${who} counted ${lock} down: ${n ?? 'unseen'} to go.`,
  },
});

function permits(n: number | null): string {
  return n === null ? 'permits' : counted(n, 'permit');
}
