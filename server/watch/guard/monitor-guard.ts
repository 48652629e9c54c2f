import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import type { Pulse } from '../../redis/stream/heartbeat.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { harmOfBuffer, harmOfCut, harmOfDelay, harmOfLatency } from './harm.ts';
import { isOverBudget, MonitorPrices, SMALL_SHARE } from './monitor-price.ts';
import { bufferedBytes } from './own-buffer.ts';
import { type Load, type LoadSample, loadBetween, sampleFromInfo } from './redis-load.ts';
import { ServerFigures } from './server-figures.ts';

/** Being over budget for this many samples in a row is harm. Far over it, one sample is enough. */
const SAMPLES_OF_HARM = 2;
const FAR_OVER = 2;
/** Shares of a shorter time are noise. */
const SHORTEST_SAMPLE_MS = 500;

/** What MONITOR costs a server now, or would cost, as shares of a core. */
export type Figures = {
  readonly costShare: number;
  readonly basis: 'estimated' | 'measured';
  readonly redisCpuShare: number | null;
};

/**
 * Measures the load of one Redis and the part that MONITOR takes, and notices harm. It outlives connections: prices,
 * and what is known about the last cut, are kept for the next connection.
 */
export class MonitorGuard {
  readonly figures = new ServerFigures();
  readonly #prices = new MonitorPrices();
  #sample: LoadSample | undefined;
  #load: Load | undefined;
  /** The `run_id` of the server that the sample is about. */
  #runId: string | undefined;
  #isOn = false;
  #pingMs: number | undefined;
  #before: { opsPerSecond: number; redisCpuShare: number | null; pingMs: number } | undefined;
  #bufferedBytes = 0;
  #outputLimitBytes: number | null = null;
  #overBudget = 0;
  #slow = 0;
  #cut: { at: number; behindMs: number; msSinceLast: number | null } | undefined;
  #lastCutAt: number | undefined;
  #cuts = 0;

  /** Samples a server on a new connection, before its stream begins. Returns why the last cut was harm, if it was. */
  async meetServer(feed: OrderedFeed, isMonitor: boolean): Promise<Problem | undefined> {
    this.figures.forget();
    this.#outputLimitBytes = feed.capabilities.outputLimitBytes;
    const [server] = await feed.ask(['INFO', 'server']);
    const runId = fieldsFromInfo(server).get('run_id');
    const now = await ask(feed);
    // Figures of another server, or from before its restart, show nothing about the cut.
    const before = runId === this.#runId ? this.#sample : now;
    this.#runId = runId;
    const cut = this.#cut;
    const harm = cut && before && now && harmOfCut({ ...cut, ...this.#since(before, now) }, this.#outputLimitBytes);
    if (isMonitor && !this.#isOn)
      this.#before = this.#load && this.#pingMs !== undefined ? { ...this.#load, pingMs: this.#pingMs } : undefined;
    this.#load ??= now && { ...now.atOnce, redisCpuShare: null };
    this.#sample = now;
    this.#cut = undefined;
    this.#isOn = isMonitor;
    this.#overBudget = 0;
    this.#slow = 0;
    this.#bufferedBytes = 0;
    return harm;
  }

  /**
   * Notes that the connection was lost at level `monitor`. The next call of `meetServer` decides whether that was harm.
   */
  noteCut(now: number, behindMs: number): void {
    this.#cuts++;
    this.#cut = { at: now, behindMs, msSinceLast: this.#lastCutAt === undefined ? null : now - this.#lastCutAt };
    this.#lastCutAt = now;
  }

  /** Measures, once a second. Returns why MONITOR does harm, if it does. `isForced`: its price was accepted. */
  async measure(feed: OrderedFeed, isForced: boolean): Promise<Problem | undefined> {
    const before = this.#sample;
    const [now, buffered] = await Promise.all([
      ask(feed),
      this.#isOn ? bufferedBytes(feed) : undefined,
      this.figures.measure(feed),
    ]);
    this.#pingMs = feed.pulse().answerMs;
    if (!before || !now || now.at - before.at >= SHORTEST_SAMPLE_MS) {
      this.#sample = now;
      const load = before && now && loadBetween(before, now);
      if (load) this.#prices.learn(load, this.#isOn);
      this.#load = load ?? this.#load;
    }
    if (!this.#isOn) return undefined;
    if (buffered !== undefined) this.#bufferedBytes = buffered;
    return harmOfBuffer(this.#bufferedBytes, this.#outputLimitBytes) ?? (isForced ? undefined : this.#costHarm());
  }

  /** Why waiting output is harm. Its size was read from the whole client list, the only way before Redis 6.2. */
  harmOfBuffer(bufferedBytes: number): Problem | undefined {
    this.#bufferedBytes = bufferedBytes;
    return this.#isOn ? harmOfBuffer(bufferedBytes, this.#outputLimitBytes) : undefined;
  }

  /** Why our delay is harm. Needs no permission in Redis. */
  harmOfDelay({ behindMs }: Pulse): Problem | undefined {
    return this.#isOn ? harmOfDelay(behindMs) : undefined;
  }

  /**
   * The figures if MONITOR is too costly for this server now; undefined while it is affordable, or its cost unknown.
   */
  overBudget(): Figures | undefined {
    if (!this.#load) return undefined;
    const price = this.#prices.of(this.#load);
    const { redisCpuShare } = this.#load;
    const isCpuPending = redisCpuShare === null && this.#sample?.cpuSeconds !== null; // known after the next sample
    const isOver = isOverBudget(price.costShare, isCpuPending ? 1 : redisCpuShare, this.#isOn);
    return isOver ? { ...price, redisCpuShare } : undefined;
  }

  /** Figures for people and scripts. */
  report(): NonNullable<Source['monitor']> {
    const price = this.#load ? this.#prices.of(this.#load) : undefined;
    return {
      costShare: price ? rounded(price.costShare) : null,
      basis: price?.basis ?? 'estimated',
      inputBytesPerSecond: this.#load ? Math.round(this.#load.inputBytesPerSecond) : null,
      opsPerSecond: this.#load ? Math.round(this.#load.opsPerSecond) : null,
      redisCpuShare: this.#cpu === null ? null : rounded(this.#cpu),
      pingMs: this.#pingMs === undefined ? null : Math.round(this.#pingMs),
      bufferedBytes: this.#bufferedBytes,
      outputLimitBytes: this.#outputLimitBytes,
      cuts: this.#cuts,
      ...(this.#isOn && this.#before
        ? {
            before: {
              opsPerSecond: Math.round(this.#before.opsPerSecond),
              redisCpuShare: this.#before.redisCpuShare === null ? null : rounded(this.#before.redisCpuShare),
              pingMs: Math.round(this.#before.pingMs),
            },
          }
        : {}),
    };
  }

  get #cpu(): number | null {
    return this.#load?.redisCpuShare ?? null;
  }

  #costHarm(): Problem | undefined {
    const figures = this.overBudget();
    const isCostly = this.#load !== undefined && this.#prices.of(this.#load).costShare > SMALL_SHARE;
    const slow = harmOfLatency(this.#pingMs ?? 0, this.#before?.pingMs ?? null, isCostly);
    this.#overBudget = figures ? this.#overBudget + 1 : 0;
    this.#slow = slow ? this.#slow + 1 : 0;
    if (figures && (this.#overBudget >= SAMPLES_OF_HARM || isFarOver(figures))) {
      return problem('monitor-costly', { costShare: figures.costShare, redisCpuShare: figures.redisCpuShare });
    }
    return this.#slow >= SAMPLES_OF_HARM ? slow : undefined;
  }

  #since(before: LoadSample, now: LoadSample) {
    const isCounted = now.limitCuts !== null && before.limitCuts !== null;
    return {
      bufferedBytes: this.#bufferedBytes,
      isLimitCounted: isCounted ? (now.limitCuts ?? 0) > (before.limitCuts ?? 0) : null,
      inputBytes: Math.max(0, now.inputBytes - before.inputBytes),
      commands: Math.max(0, now.commands - before.commands),
    };
  }
}

/** The problem that MONITOR would cost too much. */
export function priceProblem({ costShare, redisCpuShare }: Figures): Problem {
  return problem('over-budget', { costShare, redisCpuShare });
}

function isFarOver({ costShare }: Figures): boolean {
  return isOverBudget(costShare / FAR_OVER, 0, true);
}

async function ask(feed: OrderedFeed): Promise<LoadSample | undefined> {
  const replies = await feed.ask(['INFO', 'stats'], ['INFO', 'cpu']);
  const text = replies.filter((reply) => typeof reply === 'string').join('\r\n');
  return sampleFromInfo(text, steadyMs(), feed.asked);
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
