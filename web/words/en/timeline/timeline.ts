import { counted } from '../counted.ts';
import { states } from '../locks/states.ts';

/** The timeline around its canvas: toolbar, lanes, the state at the cursor, the table, and why it is empty. */
export const timeline = {
  live: 'Live',
  notWatching: 'Not watching',
  paused: 'Paused',
  pause: 'Pause',
  goLive: 'Go live',
  eventsSince: (count: number) => (count === 0 ? 'Up to date · go live' : `+${counted(count, 'event')} · go live`),
  showAllLocks: 'Show all locks',
  hidden: (count: number) => `${count} hidden · show`,
  idleCollapsed: 'Idle time: collapsed',
  idleShown: 'Idle time: shown',
  form: 'View',
  forms: { picture: 'Chart', table: 'Table' },
  copyLink: 'Copy link',
  copyByHand: 'Copy it from the address bar',
  zooms: 'Zooms',
  zoomTo: 'Zoom to',
  showEverything: 'Show everything',
  toSelection: 'Zoom to the selection',
  toProblemBefore: 'Zoom to the problem before',
  toProblemAfter: 'Zoom to the next problem',

  hint: { scroll: 'Hold Ctrl to zoom, Shift to pan', zoom: 'Shift pans' },

  lanes: 'Lanes',
  quietLocks: (count: number, prefix: string) => `${prefix === '' ? '' : `${prefix}* `}${counted(count, 'quiet lock')}`,
  emptyLanes: (count: number) => counted(count, 'empty lane'),
  pinToTop: (lock: string) => `Pin ${lock} to the top`,
  pinTitle: 'Pin to the top',
  hideLane: 'Hide this lane',
  hideTitle: 'Hide',
  keyInRedis: 'Key in Redis',
  keyFacts: (kind: string, lease: string) => `${kind}, lease ${lease}`,

  brush: 'Selected range',
  zoomIn: 'Zoom in',
  listEvents: 'List events',

  total: {
    all: (holds: number, waits: number, percent: number | null) => {
      const parts = [holds > 0 ? counted(holds, 'hold') : '', waits > 0 ? counted(waits, 'wait') : ''];
      const held = percent === null ? '' : `held for ${percent} % of the time`;
      return [...parts, held].filter((part) => part !== '').join(', ');
    },
    holds: (count: number, length: string) => `${counted(count, 'hold')}, ${length}`,
    waits: (count: number, length: string) => `${counted(count, 'wait')}, ${length}`,
    none: 'No hold and no wait was seen in this range.',
    partly: 'Part of this range is not loaded, was dropped or was not watched.',
  },

  atCursor: 'At the cursor',
  now: (clock: string) => `Now ${clock}`,
  at: (clock: string) => `At ${clock}`,
  nothingSoEarly: 'No data this early.',
  notHeldThen: 'No hold of it and no wait for it is known.',
  notWatchedNow: 'Not watched now.',
  notWatchedThen: 'Not watched at this instant.',
  droppedThen: (clock: string) => `This instant has been dropped: memory goes back to ${clock}.`,
  lockDroppedThen: 'Lockscope had dropped this lock from memory: its state is unknown.',
  notLoadedThen: 'This instant is not loaded.',
  loadingThen: 'Loading this instant.',
  openLock: 'Open the lock',
  fact: {
    heldBy: 'held by',
    leaseLeft: 'lease left',
    waiting: 'waiting',
    listening: 'listening',
    number: 'number',
    takenBy: 'taken by',
    token: 'fencing token',
  },
  nobody: 'no client',
  neverEnds: 'never ends',
  over: 'expired',
  leftOf: (left: string, whole: string) => `${left} of ${whole}`,
  asleep: 'asleep',
  asking: 'asking',
  waiters: (count: number, asleep: number | null, gone: number) => {
    const state = asleep === null || count === 0 ? '' : asleep === count ? ', all asleep' : `, ${asleep} asleep`;
    return `${count} waiting${state}${gone === 0 ? '' : `, ${gone} presumed gone`}`;
  },
  waitersAtLeast: (count: number) => `at least ${count} waiting`,
  otherWaiters: (count: number) => `${count} more`,
  keepsPlace: (length: string) => `place expires in ${length}`,
  placeOver: 'place expired',
  connections: (count: number) => counted(count, 'connection'),
  why: 'Why?',
  because: 'because',
  before: (length: string) => `, ${length} before`,
  cause: {
    woken: 'got it, woken by message',
    ownTimer: 'got it, woken by its own timer',
    acquired: 'got it',
    released: 'released it',
    freed: 'released it, or it was deleted (not known which)',
    expired: 'lost it: the lease expired',
    published: 'the wake-up message was published',
    found: 'a read found the lock held',
  },

  selection: 'Selection',
  selectHint: 'Click a bar or symbol to see what happened and why.',
  gestures: {
    scroll: 'Zoom: Ctrl + wheel, or W and S. Pan: A and D. Select a range: drag. Cause and effect: [ and ].',
    zoom: 'Zoom: wheel, or W and S. Pan: A and D. Select a range: drag. Cause and effect: [ and ].',
  },
  becauseOf: (mark: string) => `Cause: ${mark}`,
  ledTo: (mark: string) => `Effect: ${mark}`,
  partOf: (mark: string) => `Part of: ${mark}`,
  noLink: { cause: 'No cause of this mark is known.', effect: 'No effect of this mark is known.' },
  events: (count: number) => counted(count, 'event'),
  endsOfRun: 'first and last attempt',
  more: (count: number) => `${count} more.`,
  zoomToReport: 'Zoom in to tell them apart.',

  table: 'Marks of the timeline',
  column: {
    time: 'Time',
    lock: 'Lock',
    holder: 'Thread',
    mark: 'Mark',
    length: 'Length',
    sentence: 'What happened',
  },
  noMarks: 'No marks in this time range.',
  noMarksRead: 'No marks so far: this time range is not fully loaded.',
  marksInView: (count: number) => `${counted(count, 'mark')} in view.`,
  marksInViewCut: (count: number) =>
    `${counted(count, 'mark')} nearest to the cursor. The view has more: zoom in to reach them.`,

  notRead: 'Could not load the history.',
  notReadLost: 'Lockscope does not respond. Retrying.',
  notReadHint: 'New events still appear here.',
  loading: 'Loading the history.',
  noEventOf: (lock: string, since: string) =>
    since === ''
      ? `No event of “${lock}” was seen.`
      : `No event of “${lock}” is in memory, which goes back to ${since}.`,
  nothingOf: (lock: string) => `No hold of “${lock}” and no wait for it is known in this time range.`,
  lastSeenAt: (clock: string) => `The nearest event of this lock is at ${clock}.`,
  nearestAt: (clock: string) => `The nearest event is at ${clock}.`,
  allHidden: 'Every lane is hidden.',
  showThem: 'Show them',
  noneInView: 'No use of a lock is known in this time range.',
  noneHint: 'Each lock that is taken becomes a lane here.',
  noneDemoHint: 'Start a scenario: its lock becomes a lane here.',
  openDemo: 'Open the demo',
  nothingEarlier: (from: string, to: string, length: string) =>
    `Nothing between ${from} and ${to}. Nearest activity ${length} earlier.`,
  nothingLater: (from: string, to: string, length: string) =>
    `Nothing between ${from} and ${to}. Nearest activity ${length} later.`,
  jumpThere: 'Jump there',
  notLoaded: (from: string, to: string, count: number) =>
    `Not loaded: ${from} to ${to}. This page keeps ${counted(count, 'event')}. Zoom in to see all events of a shorter range.`,
  loadThere: 'Load there instead',
  notes: {
    ...states.notes,
    lockDropped: (lock: string, from: string, to: string | null) =>
      `“${lock}” was dropped from memory ${to === null ? `at ${from}` : `from ${from} to ${to}`}: its state then is unknown.`,
    'before-first': (clock: string) => `Nothing was seen before ${clock}.`,
    outlined: (from: string, to: string) =>
      `From ${from} to ${to}, only the holds and waits of each lock are shown. Zoom in to see each event.`,
    unloaded: (from: string, to: string) => `Not loaded: ${from} to ${to}.`,
    loading: (from: string, to: string) => `Loading: ${from} to ${to}.`,
    failed: (from: string, to: string) => `Could not be read: ${from} to ${to}. Trying again.`,
    blindStill: (source: string, from: string) => `Not watched: ${source}, since ${from}.`,
    problem: (lock: string, title: string, times: string) => `${lock}: ${title}. ${times}`,
  },
  problem: {
    reported: (from: string) => `Reported at ${from}.`,
    until: (from: string, to: string) => `Reported at ${from}. Its end was reported at ${to}.`,
    untilUnknown: (from: string, to: string) =>
      `Reported at ${from}. At ${to} it could not be known any more whether it lasted.`,
  },
};
