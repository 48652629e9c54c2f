import { randomBytes as randomFromSystem } from 'node:crypto';
import { connect as connectTcp, isIP, type OnReadOpts } from 'node:net';
import { setImmediate } from 'node:timers';
import { connect as connectTls } from 'node:tls';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';

/** A timer that was started here. After `unref`, the timer does not keep the process alive. */
export type Timer = { unref(): unknown };

/** A connection to a Redis, as `node:net` and `node:tls` open it. */
export type RedisSocket = {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'connect' | 'secureConnect' | 'close', listener: () => void): unknown;
  /** Calls the listeners of an event. */
  emit(event: string | symbol, ...values: never[]): boolean;
  removeAllListeners(event: 'error'): unknown;
  setNoDelay(isOn: boolean): unknown;
  setKeepAlive(isOn: boolean, afterMs: number): unknown;
  pause(): unknown;
  resume(): unknown;
  write(bytes: Buffer): unknown;
  destroy(error?: Error): unknown;
};

/** Everything about the machine that watching Redis uses. */
export type Surroundings = {
  steadyMs(): number;
  monotonicMs(): number;
  steadyEpochMs(): number;
  wallMs(): number;
  random(): number;
  randomBytes(count: number): Buffer;
  startTimer(run: () => void, ms: number): Timer;
  startTicks(run: () => void, ms: number): Timer;
  stopTimer(timer: Timer | undefined): void;
  soon(run: () => void): void;
  connectSocket(url: RedisUrl, onread: OnReadOpts): RedisSocket;
};

/** The machine that this process runs on. Globals are looked up at each call, so that tests can replace them. */
export const MACHINE: Surroundings = {
  steadyMs: () => performance.now(),
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  steadyEpochMs: () => performance.timeOrigin + performance.now(),
  wallMs: () => Date.now(),
  random: () => Math.random(),
  randomBytes: (count) => randomFromSystem(count),
  startTimer: (run, ms) => setTimeout(run, ms),
  startTicks: (run, ms) => setInterval(run, ms),
  stopTimer: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined), // made by `startTimer` or `startTicks`
  soon: (run) => void setImmediate(run),
  connectSocket(url, onread) {
    if (url.path !== null) return connectTcp({ path: url.path, onread });
    const { host, port } = url;
    if (!url.tls) return connectTcp({ host, port, onread });
    return connectTls({ host, port, servername: serverNameFor(host) });
  },
};

/** The server name for TLS; empty for an address, because Node would print a warning about it on stderr. */
export function serverNameFor(host: string): string {
  return isIP(host) === 0 ? host : '';
}

/*
 * Time, timers, random numbers and sockets. The folders that watch Redis take them from here only (a test checks that),
 * except for what ioredis uses to find Sentinels and clusters. So a simulation can replace all of them at once and run
 * the product in simulated time: `surroundWith`.
 *
 *   watch/ ─┐                        ┌─ the machine
 *   redis/ ─┼─► steadyMs, startTimer ┤
 *   demo/  ─┘   connectSocket …      └─ a simulation (in tests)
 */

let surroundings = MACHINE;

/** Replaces the machine for this thread. Without an argument, the machine is used again. */
export function surroundWith(other: Surroundings = MACHINE): void {
  surroundings = other;
}

/** ms by a clock that only goes forward. To compare times of several threads, use `monotonicMs`. */
export function steadyMs(): number {
  return surroundings.steadyMs();
}

/** ms by a clock that only goes forward and that all threads of this process share. */
export function monotonicMs(): number {
  return surroundings.monotonicMs();
}

/**
 * ms since the epoch: this machine's clock when Node.js began, plus `steadyMs`. Not changed if that clock is set.
 */
export function steadyEpochMs(): number {
  return surroundings.steadyEpochMs();
}

/** ms since the epoch by this machine's clock, which may be set. */
export function wallMs(): number {
  return surroundings.wallMs();
}

/** A number from 0 to below 1. */
export function random(): number {
  return surroundings.random();
}

export function randomBytes(count: number): Buffer {
  return surroundings.randomBytes(count);
}

/** Calls `run` once after this many ms. */
export function startTimer(run: () => void, ms: number): Timer {
  return surroundings.startTimer(run, ms);
}

/** Calls `run` every `ms`, until `stopTimer`. */
export function startTicks(run: () => void, ms: number): Timer {
  return surroundings.startTicks(run, ms);
}

/** Ends a timer of either kind. */
export function stopTimer(timer: Timer | undefined): void {
  surroundings.stopTimer(timer);
}

/** Resolves after this many ms. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => startTimer(resolve, ms));
}

/** Calls `run` once everything that has arrived by now has been read. */
export function soon(run: () => void): void {
  surroundings.soon(run);
}

/** Begins to connect by TCP, TLS or a Unix socket. Over TLS, bytes arrive as `data` instead of in `onread`. */
export function connectSocket(url: RedisUrl, onread: OnReadOpts): RedisSocket {
  return surroundings.connectSocket(url, onread);
}
