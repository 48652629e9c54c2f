import { redisTime } from '../../shared/base/time.ts';
import { FORMAT, type RecordedSignal } from '../../shared/recording/format.ts';
import { lineFromSignal } from '../../shared/recording/signal-line.ts';
import { signalsOfStep } from '../../shared/recording/steps-from-recording.ts';
import { loopedTrace } from './looped-trace.ts';
import { goldens } from './read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from './trace-file.ts';

/** Traces of Redisson 4.7.0, each with locks of its own, and without times in arguments. */
const TRACES = ['two-clients', 'watchdog', 'spin', 'fenced'];
const SOURCE = { id: 'redis', url: 'redis://127.0.0.1:6379', redisVersion: '7.0.15', role: 'master' };
const HOUR_MICROS = 3_600_000_000;
const HOURS = 24;
/** The pause between the last signal of one trace and the first signal of the next. */
const BETWEEN_MICROS = 100_000_000;

/** The lines of a recording of a day: in each hour the clients of each trace go on for `busyMs`, one after another. */
export function* linesOfDay(busyMs: number): Generator<string> {
  const traces = goldens().filter(({ folder, name }) => folder === 'redisson-4.7.0' && TRACES.includes(name));
  const loops = traces.map(({ trace, isPushFirst }) => {
    const signals = signalsFromTrace(trace()).filter((signal) => signal.kind !== 'line' || signal.words[0] !== 'PING');
    return stepsFromSignals([...loopedTrace(signals, busyMs)], isPushFirst).flatMap(signalsOfStep);
  });
  const startedAt = loops[0]?.[0]?.at ?? 0;
  let signals = 1;
  yield JSON.stringify({
    ...{ lockscope: 'recording', format: FORMAT, startedAt },
    source: { ...SOURCE, level: 'monitor', isPushFirst: true },
  });
  yield `{"at":${startedAt},"watch":"monitor","pushFirst":true}`;
  for (let hour = 0; hour < HOURS; hour++) {
    let begin = startedAt + hour * HOUR_MICROS;
    for (const loop of loops) {
      const shift = begin - (loop[0]?.at ?? 0);
      for (const signal of loop) {
        yield lineFromSignal({ ...signal, at: redisTime(signal.at + shift) } as RecordedSignal); // only its time differs
        signals++;
      }
      begin = (loop.at(-1)?.at ?? 0) + shift + BETWEEN_MICROS;
    }
  }
  yield JSON.stringify({ end: startedAt + HOURS * HOUR_MICROS - 60_000_000, signals });
}
