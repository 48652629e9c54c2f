import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import type { Draft, LockEvent } from '../../shared/events/event.ts';
import type { InsightDetail, NoteDetail } from '../../shared/events/types/insight-event.ts';
import { SEVERITIES } from '../../shared/insights/insight.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';

const DAY = 24 * 3600 * 1_000_000;
/** How many problems are kept: those that were reported last for the first time. */
const MOST = 2000;
/** How many notes on one problem are kept: the newest. */
const MOST_NOTES = 20;

type Opened = LockEvent & InsightDetail;
type Noted = LockEvent & NoteDetail;
type Kept = Draft<LoggedProblem>;

/** The problems of the newest 24 hours with the notes of people, from the events about them. Bounded. */
export class ProblemLog {
  readonly #problems = new Map<string, Kept>();
  #newest = 0;

  /** Takes the next events of any source, in order. */
  take(events: readonly LockEvent[]): void {
    for (const event of events) {
      if (!event.type.startsWith('insight.')) continue;
      this.#newest = Math.max(this.#newest, event.at);
      if (event.type === 'insight.opened') this.#open(event);
      else if (event.type === 'insight.closed') this.#close(event);
      else if (event.type === 'insight.noted') this.#note(event);
    }
    forgetOldest(this.#problems, MOST);
  }

  /** The problem with this id; undefined: it is not in the log. */
  find(insight: string): LoggedProblem | undefined {
    return this.#problems.get(insight);
  }

  /** The problems that are open, or ended within the 24 hours before `now` (Redis time), the newest first. */
  list(now: number): LoggedProblem[] {
    const oldest = Math.max(now, this.#newest) - DAY;
    return [...this.#problems.values()].filter(({ to }) => to === null || to >= oldest).reverse();
  }

  #open(event: Opened): void {
    const known = this.#problems.get(event.insight);
    if (known) {
      if (SEVERITIES.indexOf(event.severity) < SEVERITIES.indexOf(known.severity)) known.severity = event.severity;
      known.to = event.to ?? null;
      delete known.isUnknown;
      return;
    }
    const { insight, incident, severity, confidence, source, db, lock, holders = [], seq, at } = event;
    this.#problems.set(insight, {
      ...{
        insight,
        incident,
        severity,
        confidence,
        source,
        db,
        lock: lock === '' ? null : lock,
        holders: [...holders],
      },
      ...{ seq, reportedAt: at, from: event.from ?? at, to: event.to ?? null, notes: [] },
      ...(event.isAtLeast ? { isAtLeast: true as const } : {}),
    });
  }

  #close({ insight, to, at, isUnknown }: Opened): void {
    const known = this.#problems.get(insight);
    if (!known) return;
    known.to = to ?? at;
    if (isUnknown) known.isUnknown = true;
  }

  #note({ insight, at, text, author, isAcknowledged }: Noted): void {
    const known = this.#problems.get(insight);
    if (!known) return;
    const note = { at, text, author: author ?? null, isAcknowledged };
    known.notes = [...known.notes.slice(1 - MOST_NOTES), note];
  }
}
