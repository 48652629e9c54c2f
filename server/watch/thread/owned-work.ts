import type { RedisSocket, Surroundings, Timer } from '../../redis/connection/surroundings.ts';

/*
 * Several sources share a thread, and a fault must end only one of them. So each timer and each socket knows for which
 * source it was started. What waits for the promises that its callback settles runs right after that callback, before
 * the callback of another source.
 *
 *   owner = A ─► callback of A ─► its promises ─► owner = B ─► callback of B …
 *                    └─ throws, or rejects ──► `ownerNow()` is A
 */

let owner: number | undefined;

/** The source for which this thread works now. */
export function ownerNow(): number | undefined {
  return owner;
}

/** Runs something for a source: all timers and sockets that it starts belong to that source, too. */
export function runFor(source: number | undefined, run: () => void): void {
  owner = source;
  run();
}

/** The same machine, with timers and sockets that remember for which source they were started. */
export function owned(machine: Surroundings): Surroundings {
  const kept = (run: () => void) => {
    const source = owner;
    return () => runFor(source, run);
  };
  return {
    ...machine,
    startTimer: (run, ms) => machine.startTimer(kept(run), ms),
    startTicks: (run, ms) => new AlignedTicks(machine, kept(run), ms),
    stopTimer: (timer) => (timer instanceof AlignedTicks ? timer.stop() : machine.stopTimer(timer)),
    soon: (run) => machine.soon(kept(run)),
    connectSocket(url, { buffer, callback }) {
      const source = owner;
      const socket = machine.connectSocket(url, {
        buffer,
        callback: (bytes, into) => {
          owner = source;
          return callback(bytes, into);
        },
      });
      return emitsFor(source, socket);
    },
  };
}

/** Every event of a socket belongs to its source. */
function emitsFor(source: number | undefined, socket: RedisSocket): RedisSocket {
  const { emit } = socket;
  socket.emit = (...event) => {
    owner = source;
    return emit.apply(socket, event);
  };
  return socket;
}

/**
 * Ticks at whole multiples of `ms`. So the ticks of all sources come together, and an idle thread wakes up less often.
 */
class AlignedTicks implements Timer {
  readonly #machine: Surroundings;
  #timer: Timer | undefined;

  constructor(machine: Surroundings, run: () => void, ms: number) {
    this.#machine = machine;
    const next = () => {
      const now = machine.steadyMs();
      // a timer may fire early: the tick that has just fired may be due up to half of `ms` from now
      const at = (Math.floor(now / ms + 0.5) + 1) * ms;
      this.#timer = machine.startTimer(
        () => {
          next();
          run();
        },
        Math.ceil(at - now),
      );
    };
    next();
  }

  stop(): void {
    this.#machine.stopTimer(this.#timer);
  }

  unref(): void {
    this.#timer?.unref();
  }
}
