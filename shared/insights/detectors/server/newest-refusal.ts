import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import type { SourceView } from '../../detector.ts';

/** For how long refusals are looked at. */
export const REFUSED_WITHIN_MS: Millis = 600_000;
/** Errors that continue are reported every 10 s. After this time without a report, they have ended. */
const OVER_AFTER_MS: Millis = 15_000;

type Refusal = LockEvent & DetailOf<'server.refused'>;

/** Errors within this time of the beginning of watching may have begun before it. */
const AT_THE_BEGINNING: Millis = 1000;

type Newest<Name> = {
  readonly event: Refusal;
  readonly error: Name;
  readonly refusals: number;
  readonly from: RedisTime;
  readonly isAtLeast?: true;
  readonly to: RedisTime | null;
  readonly seqs: readonly number[];
};

/**
 * The newest report that counts one of these errors:
 *
 * - `error`: the error that the report counts most often.
 * - `from`, `to`: since when and until when this error repeats; `to` null: it still does.
 * - `refusals`, `seqs`: how often this error was counted since `from`, and the newest of these reports.
 */
export function newestRefusal<Name extends string>(
  { events, isPast, watched }: Pick<SourceView, 'events' | 'isPast' | 'watched'>,
  names: readonly Name[],
): Newest<Name> | undefined {
  const refusals = events.filter((event): event is Refusal => event.type === 'server.refused');
  const ofNames = refusals.filter(({ errors }) => names.some((name) => errors[name] !== undefined));
  const event = ofNames.at(-1);
  if (!event) return undefined;
  const [error] = [...names].sort((a, b) => (event.errors[b] ?? 0) - (event.errors[a] ?? 0));
  if (error === undefined) return undefined;
  const from = event.began[error] ?? event.since;
  const same = ofNames.filter(({ at, errors }) => at >= from && errors[error] !== undefined);
  return {
    event,
    error,
    refusals: same.reduce((sum, { errors }) => sum + (errors[error] ?? 0), 0),
    from,
    ...(from <= plusMillis(watched.watchedSince, AT_THE_BEGINNING) ? { isAtLeast: true } : undefined),
    to: isPast(plusMillis(event.at, OVER_AFTER_MS)) ? event.at : null,
    seqs: same.slice(-20).map(({ seq }) => seq),
  };
}
