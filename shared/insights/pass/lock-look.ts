import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { ClientDumps } from '../../dumps/client-dump.ts';
import type { LockEvent } from '../../events/event.ts';
import { clientOf as clientIn } from '../../events/names/names.ts';
import { idOf, isFree, type LockState } from '../../state/lock-state.ts';
import type { KnownFacts } from '../../state/server-states.ts';
import type { ClientSight, Detector, DroppedEvents, LockSight, SourceSight, Wants } from '../detector.ts';
import { type PassInput, sourceEventsIn } from './pass-input.ts';

const NO_EVENTS: readonly LockEvent[] = [];

/** How a pass looks at a lock of a watched source, with these events. */
export function lookIn(
  input: PassInput,
  lock: LockState,
  watched: SourceSight,
  events: readonly LockEvent[],
  clock: LookClock,
): LockLook {
  const { source } = lock;
  return new LockLook(lock, clock, {
    watched,
    dumps: input.dumps,
    events,
    dropped: input.dropped,
    sourceEvents: () => sourceEventsIn(input, source),
    server: () => input.serverOf?.(source),
    clientOf: (client) => input.clientOf(source, client),
  });
}

/**
 * The instant of a look. It notes when an answer may change although nothing happens to its lock or source. `next`: not
 * before this instant. `isOfNow`: in each pass.
 */
export class LookClock {
  readonly #now: RedisTime;
  /** See `countedUntil`. */
  readonly until: RedisTime;
  next = redisTime(Number.POSITIVE_INFINITY);
  isOfNow = false;

  constructor(now: RedisTime, until: RedisTime) {
    this.#now = now;
    this.until = until;
  }

  /** The instant of the run, for a value that grows with it. */
  get now(): RedisTime {
    this.isOfNow = true;
    return this.#now;
  }

  hasCome(at: RedisTime): boolean {
    return this.until >= at || this.#note(at);
  }

  isPast(at: RedisTime): boolean {
    return this.until > at || this.#note(at);
  }

  /** The events that the detector wants, without those later than the look. */
  wanted(events: readonly LockEvent[], wants: Wants | undefined): readonly LockEvent[] {
    if (events.length === 0 || !wants) return NO_EVENTS;
    const from = plusMillis(this.#now, -wants.withinMs);
    return events.filter(({ type, at }) => {
      if (at < from || !(wants.types.includes(type) || wants.beside.includes(type))) return false;
      this.isPast(plusMillis(at, wants.withinMs));
      return this.#now >= at || this.#note(at);
    });
  }

  /** Whether the events that the detector wants go back to this instant. */
  goesBackTo(at: RedisTime, { withinMs = 0 }: Partial<Wants> = {}): boolean {
    const until = plusMillis(at, withinMs);
    this.isPast(until);
    return this.#now <= until;
  }

  #note(at: RedisTime): false {
    if (at < this.next) this.next = at;
    return false;
  }
}

/** What detectors may read beside the lock itself. */
type AroundLock = {
  readonly watched: SourceSight;
  readonly dumps: ClientDumps;
  readonly events: readonly LockEvent[];
  readonly dropped: DroppedEvents | undefined;
  sourceEvents(): readonly LockEvent[];
  server(): KnownFacts | undefined;
  clientOf(client: string): ClientSight;
};

/** One look of all detectors at one lock. Notes what their answers depend on. */
export class LockLook {
  readonly lock: LockState;
  readonly lockId: string;
  readonly around: AroundLock;
  readonly clock: LookClock;
  /** Whether an answer depends on facts about the server, or on events of the whole source. */
  readsSource = false;
  /** Clients that detectors asked about and that are not among `ownClients`. */
  otherClients: Set<string> | undefined;
  readonly hasCome: LockSight['hasCome'];
  readonly isPast: LockSight['isPast'];
  readonly clientOf: LockSight['clientOf'];
  #own: ReadonlySet<string> | undefined;
  #withoutEvents: LockSight | undefined;

  constructor(lock: LockState, clock: LookClock, around: AroundLock) {
    this.lock = lock;
    this.lockId = idOf(lock);
    this.around = around;
    this.clock = clock;
    this.hasCome = (at) => this.clock.hasCome(at);
    this.isPast = (at) => this.clock.isPast(at);
    this.clientOf = (client) => {
      this.#own ??= ownClients(lock);
      if (!this.#own.has(client)) {
        this.otherClients ??= new Set();
        this.otherClients.add(client);
      }
      return around.clientOf(client);
    };
  }

  /** The view that one detector has of the lock. Detectors that want no events share one. */
  sightFor({ wants }: Pick<Detector, 'wants'>): LockSight {
    if (wants) return new SightOfLock(this, wants);
    this.#withoutEvents ??= new SightOfLock(this, undefined);
    return this.#withoutEvents;
  }
}

/**
 * The clients whose changes count as changes of the lock: those of its holders, waiters and believers while it is in
 * use.
 */
function ownClients(lock: LockState): ReadonlySet<string> {
  const clients = new Set<string>();
  if (isFree(lock)) return clients;
  for (const people of [lock.holders, lock.waiters, lock.believers]) {
    for (const { id } of people) clients.add(clientIn(id));
  }
  return clients;
}

class SightOfLock implements LockSight {
  readonly lock: LockState;
  readonly lockId: string;
  readonly watched: SourceSight;
  readonly dumps: ClientDumps;
  readonly dropped: DroppedEvents | undefined;
  readonly hasCome: LockSight['hasCome'];
  readonly isPast: LockSight['isPast'];
  readonly clientOf: LockSight['clientOf'];
  readonly #look: LockLook;
  readonly #wants: Wants | undefined;
  #events: readonly LockEvent[] | undefined;

  constructor(look: LockLook, wants: Wants | undefined) {
    this.#look = look;
    this.#wants = wants;
    this.lock = look.lock;
    this.lockId = look.lockId;
    this.watched = look.around.watched;
    this.dumps = look.around.dumps;
    this.dropped = look.around.dropped;
    this.hasCome = look.hasCome;
    this.isPast = look.isPast;
    this.clientOf = look.clientOf;
  }

  goBackTo(at: RedisTime): boolean {
    return this.#look.clock.goesBackTo(at, this.#wants);
  }

  get now(): RedisTime {
    return this.#look.clock.now;
  }

  get countedUntil(): RedisTime {
    return this.#look.clock.until;
  }

  get server(): KnownFacts | undefined {
    this.#look.readsSource = true;
    return this.#look.around.server();
  }

  get events(): readonly LockEvent[] {
    this.#events ??= this.#look.clock.wanted(this.#look.around.events, this.#wants);
    return this.#events;
  }

  get sourceEvents(): readonly LockEvent[] {
    this.#look.readsSource = true;
    return this.#look.clock.wanted(this.#look.around.sourceEvents(), this.#wants);
  }
}
