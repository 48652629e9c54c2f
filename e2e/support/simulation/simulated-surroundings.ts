import type { Surroundings } from '../../../server/redis/connection/surroundings.ts';
import { type Chance, chanceFrom } from '../random/seeded.ts';
import { NetworkState } from './network/network-state.ts';
import { SimulatedHost } from './network/simulated-host.ts';
import { SimulatedSocket } from './network/simulated-socket.ts';
import type { SimulatedProcess } from './time/simulated-process.ts';
import { SimulatedTime } from './time/simulated-time.ts';

/** Data that reaches a socket more than this many µs after it was sent is listed in `late`. */
const LATE = 100_000;

/**
 * Everything that processes of a simulation share: time, a network and the address of a server. All randomness comes
 * from the seed.
 */
export class SimulatedSurroundings implements Surroundings {
  readonly time: SimulatedTime;
  readonly host: SimulatedHost;
  readonly network: NetworkState;
  /** The sockets that were opened by `connectSocket`. */
  readonly sockets = new Set<SimulatedSocket>();
  /** What reached a socket late: sent at `from`, and received at `to`, in µs. */
  readonly late: { readonly from: number; readonly to: number }[] = [];
  readonly #chance: Chance;
  #ports = 40_000;

  constructor(seed: string) {
    this.time = new SimulatedTime(chanceFrom(seed, 'time'));
    this.network = new NetworkState(chanceFrom(seed, 'network'));
    this.#chance = chanceFrom(seed, 'random');
    this.host = new SimulatedHost('127.0.0.1:6379', this.time);
  }

  /** The address of a new connection of the process that runs now. */
  newAddress(): string {
    return `${this.time.current.ip}:${this.#ports++}`;
  }

  /** Runs something in a process, after the delay of a message. */
  post(process: SimulatedProcess, run: () => void): void {
    this.time.arrive(this.time.micros + this.network.delay(), process, run);
  }

  steadyMs = (): number => this.time.elapsed / 1000;
  monotonicMs = this.steadyMs;
  steadyEpochMs = (): number => this.time.micros / 1000 + this.time.current.aheadMs;
  wallMs = (): number => Math.floor(this.steadyEpochMs());
  random = (): number => this.#chance.next();
  randomBytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => this.#chance.whole(0, 255)));
  startTimer: Surroundings['startTimer'] = (run, ms) => this.time.startTimer(run, ms, false);
  startTicks: Surroundings['startTicks'] = (run, ms) => this.time.startTimer(run, ms, true);
  stopTimer: Surroundings['stopTimer'] = (timer) => this.time.stopTimer(timer);
  soon: Surroundings['soon'] = (run) => this.time.arrive(this.time.micros, this.time.current, run);
  connectSocket: Surroundings['connectSocket'] = (_, onread) => {
    const { host, network, time } = this;
    const onArrival = (from: number) => {
      if (time.micros - from > LATE) this.late.push({ from, to: time.micros });
    };
    const socket = new SimulatedSocket(time.current, { host, network, address: this.newAddress(), onread, onArrival });
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };
}
