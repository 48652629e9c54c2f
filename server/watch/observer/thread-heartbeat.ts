import { url as debuggerUrl } from 'node:inspector';
import { startTicks, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';

const BEAT_MS = 1000;
/** Beats without an answer after which the thread is silent, and after which it hangs. */
const SILENT_AFTER = 3;
const HUNG_AFTER = 60;

type ThreadHeartbeatHandlers = {
  /** Asks the thread to answer at once. */
  beat(): void;
  /** The thread has been silent for this many seconds; 0 once it answers again. */
  onSilent(seconds: number): void;
  /**
   * The thread has been silent for a minute, or has not given its first answer within a minute. Called once, and not
   * while it may be at a breakpoint.
   */
  onHung(): void;
};

/**
 * Notices a thread that no longer answers.
 *
 * It counts its own beats instead of reading a clock: while this process itself is frozen, or a laptop sleeps, no beat
 * is missed.
 */
export class ThreadHeartbeat {
  readonly #handlers: ThreadHeartbeatHandlers;
  readonly #timer: Timer;
  #missed = 0;
  #hasAnswered = false;

  constructor(handlers: ThreadHeartbeatHandlers) {
    this.#handlers = handlers;
    this.#timer = startTicks(() => {
      if (this.#missed >= SILENT_AFTER && this.#hasAnswered) handlers.onSilent(this.#missed);
      if (this.#missed === HUNG_AFTER && !isDebugged()) handlers.onHung();
      this.#missed++;
      handlers.beat();
    }, BEAT_MS);
    this.#timer.unref();
  }

  answered(): void {
    if (this.#missed > SILENT_AFTER && this.#hasAnswered) this.#handlers.onSilent(0);
    this.#hasAnswered = true;
    this.#missed = 0;
  }

  stop(): void {
    stopTimer(this.#timer);
  }
}

/** Whether a debugger can be attached: a thread at a breakpoint does not answer. */
function isDebugged(): boolean {
  return debuggerUrl() !== undefined;
}
