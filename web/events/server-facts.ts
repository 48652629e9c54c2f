import { assertNever } from '../../shared/base/assert-never.ts';
import { millisBetween } from '../../shared/base/time.ts';
import type { Counts, ServerDetail } from '../../shared/events/types/server-event.ts';
import { durationText } from '../ui/time-text.ts';
import type { Words } from '../words/words.ts';

const MOST_ERRORS = 5;
const MEGABYTE = 1024 * 1024;

/** What a server reported about itself, as short texts. */
export function serverFacts(event: ServerDetail, words: Words): string[] {
  const { server: say } = words.events;
  switch (event.type) {
    case 'server.reported': {
      const {
        role,
        replicas,
        replicaLagSeconds: lag,
        maxMemoryBytes: most,
        evictionPolicy,
        canSave,
        keyEvents,
      } = event;
      return [
        say.role[role],
        say.replicas(replicas),
        lag === null || lag === 0 ? '' : say.lag(lag),
        say.memory(most === null ? null : megabytes(most), evictionPolicy),
        canSave === false ? say.cannotSave : '',
        keyEvents === null ? '' : say.keyEvents(keyEvents),
      ];
    }
    case 'server.refused':
      return [
        ...errorTexts(event.errors),
        event.usedMemoryBytes === undefined ? '' : say.used(megabytes(event.usedMemoryBytes)),
      ];
    case 'server.denied':
      return [
        say.denied(event.user, event.reason, event.object),
        event.context === 'toplevel' ? '' : event.context,
        event.times > 1 ? say.times(event.times) : '',
      ];
    case 'server.stood-still':
      return [
        say.stood(durationText(millisBetween(event.from, event.to), words.time)),
        event.command ?? '',
        say.shownBy[event.shownBy],
      ];
    default:
      return assertNever(event);
  }
}

/** The most frequent errors, each with its number. */
function errorTexts(errors: Counts): string[] {
  const most = Object.entries(errors).sort(([, a], [, b]) => b - a);
  return most.slice(0, MOST_ERRORS).map(([name, count]) => `${name} ×${count}`);
}

function megabytes(bytes: number): string {
  return String(Math.round((bytes / MEGABYTE) * 10) / 10);
}
