import { RespScanner } from '../server/redis/connection/resp-scanner.ts';
import { LineReader } from '../server/redis/lines/line-reader.ts';
import { Pipeline } from '../server/watch/source/pipeline.ts';
import { type RedisTime, redisTime } from '../shared/base/time.ts';
import type { Signal } from '../shared/signals/signal.ts';
import { type Bench, median } from './bench.ts';
import { streamFromTraces } from './load/trace-stream.ts';

const GOAL = 400_000;
const GOAL_FROM_BYTES = 250_000;
const REPETITIONS = 10;
const WARM_UPS = 12;
const RUNS = 9;
const READ_BYTES = 64 * 1024;

/**
 * Lock events per second of CPU time of this process, garbage collection included: signals are assembled into steps and
 * interpreted, and the steps are stored. `from-bytes` starts earlier, with the bytes of the connection, which are first
 * cut into frames, filtered and parsed. The stream was recorded from real Redisson clients. It is repeated with other
 * locks at later times.
 */
export const interpretEvents: Bench = {
  name: 'interpret-events',
  unit: 'events/s',
  isMoreBetter: true,
  goal: `≥ ${inWords(GOAL)} events/s, ≥ ${inWords(GOAL_FROM_BYTES)} from bytes, on one core`,
  async run(print) {
    const stream = streamFromTraces(REPETITIONS);
    const reader = new LineReader();
    const signals = signalsFrom(stream);
    const rates = { 'from-bytes': [] as number[], 'from-signals': [] as number[] };
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const fromBytes = eventsPerSecond((pipeline) => feedBytes(pipeline, reader, stream));
      const fromSignals = eventsPerSecond((pipeline) => feedSignals(pipeline, signals));
      if (run < 0) continue;
      rates['from-bytes'].push(fromBytes);
      rates['from-signals'].push(fromSignals);
      print(`run ${run + 1}: ${Math.round(fromBytes)} events/s from bytes, ${Math.round(fromSignals)} from signals`);
    }
    const ours = median(rates['from-signals']);
    const fromBytes = median(rates['from-bytes']);
    return {
      ours,
      peers: {},
      also: { 'from-bytes': fromBytes },
      ratio: ours / GOAL,
      ratios: rates['from-signals'].map((rate) => rate / GOAL),
      ratioTo: 'goal',
      runs: RUNS,
      holds: ours >= GOAL && fromBytes >= GOAL_FROM_BYTES,
    };
  },
};

function inWords(events: number): string {
  return events.toLocaleString('en-US');
}

function eventsPerSecond(feed: (pipeline: Pipeline) => void): number {
  let events = 0;
  const pipeline = new Pipeline('bench', (made) => {
    events += made.length;
  });
  pipeline.watch({ kind: 'watch', at: redisTime(0), level: 'monitor', isPushFirst: true });
  const before = process.cpuUsage();
  feed(pipeline);
  pipeline.settle();
  const { user, system } = process.cpuUsage(before);
  if (events === 0) throw new Error('the stream means nothing');
  return events / ((user + system) / 1_000_000);
}

function feedBytes(pipeline: Pipeline, reader: LineReader, stream: Buffer): void {
  pipeline.interpreter.keys.onNew = (key) => reader.addKey(key.name);
  const scanner = scannerTo(reader, (signal) => pipeline.add(signal));
  for (let at = 0; at < stream.length; at += READ_BYTES) scanner.feed(stream.subarray(at, at + READ_BYTES));
}

function feedSignals(pipeline: Pipeline, signals: readonly (Signal | 'other')[]): void {
  for (const signal of signals) pipeline.add(signal);
}

/** The signals that `feedBytes` makes of the stream. */
function signalsFrom(stream: Buffer): (Signal | 'other')[] {
  const signals: (Signal | 'other')[] = [];
  const reader = new LineReader();
  const pipeline = new Pipeline('bench', () => {});
  pipeline.interpreter.keys.onNew = (key) => reader.addKey(key.name);
  const scanner = scannerTo(reader, (signal) => {
    signals.push(signal);
    pipeline.add(signal);
  });
  scanner.feed(stream);
  return signals;
}

function scannerTo(reader: LineReader, take: (signal: Signal | 'other') => void): RespScanner {
  let at: RedisTime = redisTime(0);
  return new RespScanner({
    onLine: (buffer, start, end) => {
      const read = reader.read(buffer, start, end);
      if (read === 'other') return take('other');
      if (!read.ok) throw new Error(read.error.reason);
      at = read.value.at;
      take(read.value);
    },
    onPush: (values) => {
      const [channel, message] = values.slice(-2).map(String);
      take({ kind: 'push', at, channel: channel ?? '', message: message ?? '' });
    },
    onReply: (reply) => {
      throw new Error(`a reply in a stream: ${reply}`);
    },
    onFault: (fault) => {
      throw new Error(`no RESP: ${fault}`);
    },
    onDropped: () => {},
  });
}
