import type { LockEvent } from '../../shared/events/event.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { ObservedBatch } from '../watch/terms/observed-batch.ts';

/**
 * One line of a block: an event, or something that no event reports.
 *
 *   {"seq":7,"at":…,"type":"lock.acquired",…}   an event, with its letters and groups
 *   {"gone":["redis/0/orders:42"]}              nothing is known about these locks any longer
 *   {"at":…,"sources":[{"id":"redis",…}]}       the sources, after one of them changed
 */
type StreamLine =
  | LockEvent
  | { readonly gone: readonly string[] }
  | { readonly at: number; readonly sources: readonly Source[] };

/** The lines of a batch, each with its line end. */
export function linesOfBatch({ events, gone }: Pick<ObservedBatch, 'events' | 'gone'>): string {
  let lines = '';
  for (const event of events) lines += `${JSON.stringify(event)}\n`;
  return gone.length === 0 ? lines : `${lines}${JSON.stringify({ gone })}\n`;
}

/** The line about all sources. */
export function lineOfSources(sources: readonly Source[], at: number): string {
  return `${JSON.stringify({ at, sources })}\n`;
}

/** Reads one line that `linesOfBatch` or `lineOfSources` wrote. */
export function parseStreamLine(line: string): StreamLine {
  return JSON.parse(line) as StreamLine; // this file wrote this form
}
