import type { LockEvent } from '../../../shared/events/event.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { Step } from '../../../shared/signals/step.ts';
import { PackedJson } from '../slices/packed-json.ts';
import { redactedLines } from './redacted-lines.ts';

/** Returns `count` lines from `place` on; `undefined` if they are no longer kept. */
export type ReadArchivedLines = (place: number, count: number) => readonly LineSignal[] | undefined;

/** A command whose lines are kept elsewhere. A script is atomic, so its lines are consecutive. */
type KeptElsewhere = {
  readonly kind: 'kept';
  readonly place: number;
  readonly count: number;
  readonly pushes: readonly PushSignal[];
};

/** A read of this many keys is kept as bytes: as objects, it takes about ten times as much memory. */
const MANY_READS = 8;

/** How many of the newest events keep the Redis lines behind them, while there is room for the lines. */
const MOST = 50_000;

/** The steps behind the newest events of one source, whose `seq`s rise by one. */
export class StepArchive {
  #most: number;
  readonly #linesAgain: ReadArchivedLines;
  /** A ring: the event `seq` has its place at `seq % most`. */
  #steps: (Step | KeptElsewhere | PackedJson<Step>)[] = [];
  #locks: string[] = [];
  #newest = -1;

  constructor(linesAgain: ReadArchivedLines, most = MOST) {
    this.#linesAgain = linesAgain;
    this.#most = most;
  }

  /** Changes how many events may keep their lines. The newest ones that fit keep them. */
  setRoom(most: number): void {
    const steps = this.#steps;
    const locks = this.#locks;
    const before = this.#most;
    this.#steps = [];
    this.#locks = [];
    this.#most = most;
    for (let seq = Math.max(0, this.#newest - Math.min(most, before) + 1); seq <= this.#newest; seq++) {
      const step = steps[seq % before];
      if (step !== undefined) this.#put(seq, step, locks[seq % before] ?? '');
    }
  }

  /** Notes that these events came from this step. */
  remember(step: Step, events: readonly LockEvent[]): void {
    const kept = keptElsewhere(step) ?? packed(step) ?? step;
    for (const event of events) {
      this.#put(event.seq, kept, event.lock);
      this.#newest = event.seq;
    }
  }

  /** The Redis lines behind an event; `undefined` if they are no longer kept. */
  linesOf(seq: number): string[] | undefined {
    if (seq > this.#newest || seq <= this.#newest - this.#most) return undefined;
    const kept = this.#steps[seq % this.#most];
    const step = kept && this.#stepAgain(kept);
    return step && redactedLines(step, this.#locks[seq % this.#most] ?? '');
  }

  #put(seq: number, step: Step | KeptElsewhere | PackedJson<Step>, lock: string): void {
    this.#steps[seq % this.#most] = step;
    this.#locks[seq % this.#most] = lock;
  }

  #stepAgain(kept: Step | KeptElsewhere | PackedJson<Step>): Step | undefined {
    if (kept instanceof PackedJson) return kept.value();
    if (kept.kind !== 'kept') return kept;
    const { place, count, pushes } = kept;
    const [head, ...inner] = this.#linesAgain(place, count) ?? [];
    return head && { kind: 'command', head, inner, pushes };
  }
}

function keptElsewhere(step: Step): KeptElsewhere | undefined {
  if (step.kind !== 'command' || step.head.place === undefined) return undefined;
  return { kind: 'kept', place: step.head.place, count: 1 + step.inner.length, pushes: step.pushes };
}

function packed(step: Step): PackedJson<Step> | undefined {
  return step.kind === 'bookmark' && step.reads.length >= MANY_READS ? new PackedJson<Step>(step) : undefined;
}
