import { EffectsToSignals } from '../../../shared/replication/effect-signals.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import type { BookmarkSignal } from '../../../shared/signals/signal.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { patternFromGlob } from '../reads/glob.ts';
import type { KeyReader } from '../reads/key-reader.ts';
import type { Pipeline } from './pipeline.ts';
import type { SourceReports } from './source-reports.ts';
import type { SourceStream } from './source-stream.ts';
import type { SourceOptions } from './worker-messages.ts';

type Parts = { readonly stream: SourceStream; readonly options: SourceOptions; readonly reports: SourceReports };

/**
 * Takes the effects of one connection at level `replication`, and requests reads of keys whose content they do not
 * show.
 */
export class EffectReader {
  readonly #translator: EffectsToSignals;
  readonly #pipeline: Pipeline;
  readonly #reader: KeyReader;
  readonly #reports: SourceReports;

  constructor({ stream: { pipeline }, options, reports }: Parts, feed: OrderedFeed, reader: KeyReader) {
    const globs = options.match.map(patternFromGlob);
    this.#pipeline = pipeline;
    this.#reader = reader;
    this.#reports = reports;
    this.#translator = new EffectsToSignals({
      keys: pipeline.interpreter.keys,
      isNamed: globs.length > 0,
      isWanted: (name) => globs.length === 0 || globs.some((glob) => glob.test(name)),
      isAbsent: (db, name) => reader.hasLookedFor(db, name),
      mayEvict: () => feed.mayEvict,
      clockErrorMs: () => feed.clockErrorMs,
    });
  }

  /** Takes the effects of one command or script. */
  take(group: EffectGroup): void {
    const { signals, unknown } = this.#translator.take(group);
    for (const signal of signals) this.#pipeline.add(signal);
    for (const { db, name, push, isWrite } of unknown) {
      if (isWrite) this.#reader.heard(push);
      else this.#reader.changed(db, name);
    }
  }

  /** Takes a read at its place among the effects, before it is interpreted. */
  read(bookmark: BookmarkSignal): void {
    this.#reports.status.countDrift(this.#translator.read(bookmark).length);
  }
}
