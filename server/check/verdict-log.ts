import type { CannotTell, Failure, Insight, Report, UnseenReason } from '../../shared/insights/insight.ts';
import { SEVERITIES } from '../../shared/insights/insight.ts';
import type { Observatory } from '../watch/observatory.ts';

/** How many verdicts are kept. As many further verdicts are only counted. */
const MOST = 1000;
/** Pause between two runs of the detectors. */
const EVERY_MS = 250;
/**
 * How long the last run waits for a Redis that does not answer. After a short standstill, detectors know again 3 s
 * later.
 */
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Every verdict that at least one run of the detectors reported, as it was reported last, with its worst severity.
 *
 *   report    A B     A     A C
 *   log       A B     A B   A B C
 */
export class VerdictLog {
  #last: Report | undefined;
  readonly #byId = new Map<string, Insight>();
  readonly #beyond = new Set<string>();
  readonly #unseen = new Map<string, CannotTell>();
  readonly #failed = new Map<string, Failure>();

  take(report: Report): void {
    this.#last = report;
    for (const each of report.cannotTell) {
      if (HIDES_FOR_EVER.has(each.reason)) this.#unseen.set(idOfUnseen(each), each);
    }
    for (const each of report.failed) this.#failed.set(each.incident, each);
    for (const insight of report.insights) {
      const before = this.#byId.get(insight.id);
      if (before || this.#byId.size < MOST) this.#byId.set(insight.id, withWorstSeverity(before, insight));
      else if (this.#beyond.size < MOST) this.#beyond.add(insight.id);
    }
  }

  /** Whether the newest report does not know something because a Redis does not answer. */
  get isUnanswered(): boolean {
    return this.#last?.cannotTell.some(({ reason }) => reason === 'unanswered') === true;
  }

  /**
   * The newest report, with the verdicts of all reports: the worst first. What a report could not know because of a
   * level or a blind spot, later reports do not know either. `undefined`: no report was taken.
   */
  report(): Report | undefined {
    const last = this.#last;
    if (!last) return undefined;
    const insights = [...this.#byId.values()].sort((a, b) => rank(a) - rank(b) || a.from - b.from);
    const unseen = new Map([...this.#unseen, ...last.cannotTell.map((each) => [idOfUnseen(each), each] as const)]);
    const more = Math.max(last.more, this.#beyond.size);
    return { ...last, insights, more, cannotTell: [...unseen.values()], failed: [...this.#failed.values()] };
  }
}

/**
 * If nothing could be seen for one of these reasons, it is never known what happened. What INFO or CLIENT LIST shows
 * can still be read later.
 */
const HIDES_FOR_EVER: ReadonlySet<UnseenReason> = new Set(['level', 'unwatched', 'blind-spot']);

function idOfUnseen({ incident, source, reason }: CannotTell): string {
  return `${incident} ${source} ${reason}`;
}

/**
 * Runs the detectors until `until` settles, and a last time after that. If a Redis does not answer then, the last run
 * comes when it answers again, after 10 s at the latest, or when the signal aborts.
 */
export async function logVerdicts(
  observatory: Pick<Observatory, 'insights'>,
  until: Promise<void>,
  signal: AbortSignal,
): Promise<VerdictLog> {
  const log = new VerdictLog();
  const take = async () => log.take(await observatory.insights({ isFresh: true }));
  let isOver = false;
  const end = until.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await take();
    await Promise.race([end, pause()]);
  }
  await take();
  const latest = performance.now() + ANSWERS_WITHIN_MS;
  while (log.isUnanswered && !signal.aborted && performance.now() < latest) {
    await pause();
    await take();
  }
  return log;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}

/** The insight as it is now, with the worst severity it had. */
function withWorstSeverity(before: Insight | undefined, now: Insight): Insight {
  return before && rank(before) < rank(now) ? { ...now, severity: before.severity } : now;
}

function rank({ severity }: Insight): number {
  return SEVERITIES.indexOf(severity);
}
