import { readFileSync } from 'node:fs';
import { encodeCommand } from '../../server/redis/connection/encode-command.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';

const TRACES = new URL('../../../../shared/traces/', import.meta.url);
const VERSIONS = ['redisson-3.16.8', 'redisson-3.46.0', 'redisson-4.7.0'];
const SCENARIOS = ['contention', 'two-clients', 'reentry', 'watchdog', 'lease', 'herd', 'trylock-gives-up'];
/** Stream time between two traces, so that time never goes backwards. */
const PAUSE_MICROS = 1_000_000;

/**
 * What one connection receives while Redisson clients of several versions lock and unlock: recorded traces, one after
 * another, repeated `times` times. Each repetition has other locks and later times, but the same clients.
 */
export function streamFromTraces(times: number): Buffer {
  const traces = VERSIONS.flatMap((version) => SCENARIOS.map((name) => readTrace(`${version}/${name}.trace`)));
  const pieces: Buffer[] = [];
  let clock = Number.parseInt(traces[0]?.lines[0] ?? '', 10) * 1_000_000;
  for (let repetition = 0; repetition < times; repetition++) {
    for (const [number, { lines, names }] of traces.entries()) {
      const renamed =
        names.length === 0 ? lines : lines.map((line) => line.replaceAll(namesIn(names), `$&-${number}-${repetition}`));
      const shift = clock - microsOf(lines[0] ?? '');
      for (const line of renamed) pieces.push(frameFrom(line, shift));
      clock +=
        microsOf(lines.findLast((line) => !line.startsWith('>')) ?? '') - microsOf(lines[0] ?? '') + PAUSE_MICROS;
    }
  }
  return Buffer.concat(pieces);
}

type Trace = { readonly lines: readonly string[]; readonly names: readonly string[] };

/** A trace without its key events except expiries, because level `monitor` subscribes only to expiries. */
function readTrace(path: string): Trace {
  const text = readFileSync(new URL(path, TRACES), 'latin1');
  const isWanted = (line: string) => !line.startsWith('> ["pmessage","__key') || line.endsWith('"expired"]');
  const names = new Set(eventsFromTrace(text, true).map((event) => event.lock));
  names.delete('');
  return { lines: text.split('\n').filter((line) => /^[\d>]/.test(line) && isWanted(line)), names: [...names] };
}

function namesIn(names: readonly string[]): RegExp {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((name) => name.replace(/[^\w]/g, '\\$&')).join('|'), 'g');
}

/** A line or a push as bytes on the wire, with its time `shift` µs later. */
function frameFrom(line: string, shift: number): Buffer {
  if (line.startsWith('> ')) {
    const words = JSON.parse(line.slice(2)) as string[]; // the recorder wrote it in this form
    return Buffer.from(encodeCommand(words).toString('latin1').replace('*', '>'), 'latin1');
  }
  const at = microsOf(line) + shift;
  const head = `${Math.floor(at / 1_000_000)}.${String(at % 1_000_000).padStart(6, '0')}`;
  return Buffer.from(`+${head}${line.slice(line.indexOf(' '))}\r\n`, 'latin1');
}

function microsOf(line: string): number {
  const [seconds = '', micros = ''] = line.slice(0, line.indexOf(' ')).split('.');
  return Number(seconds) * 1_000_000 + Number(micros);
}
