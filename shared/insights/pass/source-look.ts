import type { RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { KnownFacts } from '../../state/server-states.ts';
import type { SourceDetector, SourceSight, SourceView } from '../detector.ts';
import type { Incident } from '../insight.ts';
import { LookClock } from './lock-look.ts';

/** What a look at a source needs. */
type AroundSource = {
  readonly source: string;
  readonly now: RedisTime;
  readonly countedUntil: RedisTime;
  readonly watched: SourceSight;
  readonly server: KnownFacts | undefined;
  readonly events: readonly LockEvent[];
  lockEvents(): readonly LockEvent[];
  locks(): readonly LockState[];
};

/** One look of the detectors of sources at one source. Notes what their answers depend on. */
export class SourceLook {
  readonly around: AroundSource;
  readonly clock: LookClock;
  readsLocks = false;

  constructor(around: AroundSource) {
    this.around = around;
    this.clock = new LookClock(around.now, around.countedUntil);
  }

  /** The view that one detector has of the source. */
  viewFor({ wants }: Pick<SourceDetector<Incident>, 'wants'>): SourceView {
    const { around, clock } = this;
    const look = this;
    return {
      source: around.source,
      watched: around.watched,
      server: around.server,
      events: clock.wanted(around.events, wants),
      lockEvents: clock.wanted(around.lockEvents(), wants),
      hasCome: (at) => clock.hasCome(at),
      isPast: (at) => clock.isPast(at),
      get now() {
        return clock.now;
      },
      get locks() {
        look.readsLocks = true;
        return around.locks();
      },
    };
  }
}
