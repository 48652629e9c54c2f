import { constants, gunzipSync } from 'node:zlib';
import { asked } from '../server/http/asked.ts';
import { clientRoute, clientsRoute } from '../server/http/routes/clients.ts';
import { graphRoute } from '../server/http/routes/insights/graph.ts';
import { insightsRoute } from '../server/http/routes/insights/insights.ts';
import { waitsRoute } from '../server/http/routes/insights/waits.ts';
import { namedLockRoute } from '../server/http/routes/locks/lock.ts';
import { locksRoute } from '../server/http/routes/locks/locks.ts';
import { signalsRoute } from '../server/http/routes/locks/signals.ts';
import { spansRoute } from '../server/http/routes/locks/spans.ts';
import { trendsRoute } from '../server/http/routes/locks/trends.ts';
import { VERSION } from '../server/package-info.ts';
import { LineReader } from '../server/recordings/read-file.ts';
import { Opening, type RecordingSummary } from '../server/recordings/replay-observatory.ts';
import type { Observatory } from '../server/watch/observatory.ts';
import { DEFAULT_MEMORY } from '../server/watch/terms/memory-shares.ts';
import { textOfBytes } from '../shared/unwrap/text-bytes.ts';
import type { LockEvent, LockscopeClient } from './client.ts';

export type * from './client/answers.ts';
export type { LockEvent } from './client.ts';

/** The text of `redis-cli monitor` or of a recording (gzipped or not), whole or line by line. */
export type Input = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

export type InterpretOptions = {
  /** The name of the input in messages. */
  readonly name?: string;
  /** The memory limit in bytes; 512 MB if absent. */
  readonly memory?: number;
};

/**
 * What a recording means, as of its end, or with `at` as of any instant in it. The functions answer as the API does: an
 * instant is a Redis time in microseconds.
 */
export type Interpretation = Pick<
  LockscopeClient,
  'locks' | 'lock' | 'signals' | 'spans' | 'insights' | 'graph' | 'clients' | 'client' | 'trends' | 'waits'
> & {
  /** Every event, in order. If there were more than the memory has room for, `seq` does not begin with 1. */
  readonly events: readonly LockEvent[];
  readonly summary: RecordingSummary;
};

/**
 * Interprets what Redis sent, without a Redis: the same code that runs live.
 *
 *   const night = await interpret(readFileSync('night.lockscope'));
 *   const { insights } = await night.insights();
 *   const { locks } = await night.locks({ at: night.summary.startedAt + 5_000_000 });
 *
 * Rejects with an error that says why if it is not a recording. Lines that cannot be read are counted in `summary.badLines`.
 */
export async function interpret(input: Input, options: InterpretOptions = {}): Promise<Interpretation> {
  const { name = 'the input', memory = DEFAULT_MEMORY } = options;
  const opening = new Opening({ name, memory });
  const lines = new LineReader(name, (signal, reader) => opening.take(signal, reader));
  for await (const line of linesOf(input)) lines.add(line);
  const { observatory, summary } = opening.finish(lines.finished());
  const ask = asked(observatory, VERSION);
  return {
    summary,
    events: [...eventsOf(observatory)],
    locks: (query) => ask(locksRoute, { query }),
    lock: (lock, query) => ask(namedLockRoute, { query: { ...query, name: lock } }),
    signals: (seq) => ask(signalsRoute, { params: { seq } }),
    spans: (query) => ask(spansRoute, { query }),
    insights: (query) => ask(insightsRoute, { query }),
    graph: (query) => ask(graphRoute, { query }),
    clients: (query) => ask(clientsRoute, { query }),
    client: (uuid, query) => ask(clientRoute, { params: { uuid }, query }),
    trends: (query) => ask(trendsRoute, { query }),
    waits: (query) => ask(waitsRoute, { query }),
  };
}

const PAGE = 5000;

function* eventsOf({ history }: Observatory): Generator<LockEvent> {
  for (let after = history.oldestSeq() - 1; ; ) {
    const page = history.after(after, PAGE) ?? [];
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

/** The lines of an input; a text without a line break at its end may have been cut short there. */
function linesOf(input: Input): Iterable<string> | AsyncIterable<string> {
  if (typeof input === 'string') return input.split('\n');
  return input instanceof Uint8Array ? textOf(input).split('\n') : input;
}

function textOf(bytes: Uint8Array): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // A file that was cut short is read as far as it goes.
  return textOfBytes(isPacked ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes).text;
}
