import type { Timer } from '../../../../server/redis/connection/surroundings.ts';
import type { Chance } from '../../random/seeded.ts';
import { type Due, EventQueue } from './event-queue.ts';
import { SimulatedProcess } from './simulated-process.ts';

/** Any instant: 2026-11-20. In µs. */
const BEGIN = 1_795_132_800_000_000;
/** After this many events, other work of this thread has its turn: the test runner waits for signs of life. */
const TURN = 20_000;
/** How late timers are at most. */
const TIMER_LATE_MICROS = 1000;

/**
 * Time that passes only from one event to the next. Everything happens in this thread, one event after the other, and
 * each event belongs to one process:
 *
 *   12.000200  client-1    a reply arrives      ─► its promises settle ─► it sends the next command
 *   12.000291  redis       a command arrives
 *   12.003000  lockscope   a timer
 */
export class SimulatedTime {
  /** The present, in µs since the epoch. */
  micros = BEGIN;
  /** The process whose event is running. */
  current: SimulatedProcess = new SimulatedProcess();
  /** How many events have run. */
  events = 0;
  readonly #queue = new EventQueue();
  readonly #chance: Chance;
  #order = 0;
  #failure: unknown;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** µs since the beginning. */
  get elapsed(): number {
    return this.micros - BEGIN;
  }

  /** Plans that something arrives at a process, at the instant `at`, or now if `at` has passed. */
  arrive(at: number, process: SimulatedProcess, run: () => void): void {
    this.#plan({ at, process, run, isTimer: false });
  }

  /** Starts a timer of the process that runs now. `every`: it repeats. */
  startTimer(run: () => void, ms: number, every: boolean): Timer {
    const process = this.current;
    const timer: Ticking = { due: undefined, unref: () => timer };
    const plan = () => {
      const late = this.#chance.next() * TIMER_LATE_MICROS;
      const at = this.micros + Math.floor(Math.max(1, ms) * 1000 + late);
      timer.due = this.#plan({ at, process, run: fire, isTimer: true });
    };
    const fire = () => {
      if (every) plan();
      run();
    };
    plan();
    return timer;
  }

  stopTimer(timer: Timer | undefined): void {
    const due = (timer as Ticking | undefined)?.due; // `startTimer` created the timer
    if (due) due.isCancelled = true;
  }

  freeze(process: SimulatedProcess): void {
    process.isFrozen = true;
  }

  thaw(process: SimulatedProcess): void {
    process.isFrozen = false;
    const held = process.held;
    process.held = [];
    const [timers, arrivals] = [held.filter(({ isTimer }) => isTimer), held.filter(({ isTimer }) => !isTimer)];
    for (const due of [...timers, ...arrivals]) {
      due.at = this.micros;
      due.order = ++this.#order;
      this.#queue.add(due);
    }
  }

  /** The process ends at once, as after SIGKILL. */
  kill(process: SimulatedProcess): void {
    process.isAlive = false;
    process.held = [];
  }

  /** Makes `run` reject with an error of the simulation or of what it runs. The first error counts. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Lets time pass until `isOver` returns true. Rejects if an event throws. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = TURN;
      const step = () => {
        try {
          if (this.#failure !== undefined) return reject(this.#failure);
          if (isOver()) return resolve();
          this.#next();
        } catch (error) {
          return reject(error);
        }
        // Ticks run only when no promise is left to settle: the whole effect of one event comes before the next event.
        if (--left > 0) return queueMicrotask(() => process.nextTick(step));
        left = TURN;
        setImmediate(step);
      };
      setImmediate(step);
    });
  }

  #next(): void {
    for (;;) {
      const due = this.#queue.take();
      if (!due) throw new Error('nothing will ever happen again');
      if (due.isCancelled || !due.process.isAlive) continue;
      if (due.process.isFrozen) {
        due.process.held.push(due);
        continue;
      }
      this.micros = Math.max(this.micros, due.at);
      this.current = due.process;
      this.events++;
      return due.run();
    }
  }

  #plan({ at, ...what }: Pick<Due, 'at' | 'process' | 'run' | 'isTimer'>): Due {
    const due = { at: Math.max(at, this.micros), order: ++this.#order, isCancelled: false, ...what };
    this.#queue.add(due);
    return due;
  }
}

type Ticking = { due: Due | undefined; unref(): unknown };
