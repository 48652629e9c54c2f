import { loginOf, type RedisUrl } from '../../shared/base/redis-url.ts';
import type { Measurement, ServerReport, SourceReport } from '../../shared/wire/doctor.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { problemFromError } from '../redis/connection/problem.ts';
import type { Observatory } from '../watch/observatory.ts';
import { type Examination, examineServer } from './examine.ts';
import { measureCosts, stepsOf, unavailableCost } from './measure.ts';

type Watched = Pick<Observatory, 'sources' | 'serverOf'>;

/** A server is examined again only after this time, however often its report is requested. */
const FRESH_MS = 2000;
/** How many servers are examined at once. */
const AT_ONCE = 4;

/** Thrown if no measurement can begin. */
export class DoctorRefusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Examines the servers of an observatory, and measures what the levels cost one of them at a time. */
export class Doctor {
  readonly #observatory: Watched;
  readonly #reports = new Map<
    string,
    { readonly url: RedisUrl; readonly report: Promise<ServerReport>; until: number }
  >();
  #running: { readonly source: string; readonly end: AbortController; readonly ended: Promise<void> } | undefined;
  #measurement: Measurement | null = null;

  constructor(observatory: Watched) {
    this.#observatory = observatory;
  }

  /** Examines the servers of these sources. A report that is younger than 2 s is used again. */
  async reports(ids: readonly string[], signal?: AbortSignal): Promise<SourceReport[]> {
    const reports: SourceReport[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      signal?.throwIfAborted();
      reports.push(...(await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.#reportOf(id)))));
    }
    const known = new Set(this.#observatory.sources().map(({ id }) => id));
    for (const id of this.#reports.keys()) if (!known.has(id)) this.#reports.delete(id);
    return reports;
  }

  /** The measurement that runs, or the last measurement; null before the first. */
  get measurement(): Measurement | null {
    return this.#measurement;
  }

  /** Begins to measure the server of a source. Throws a `DoctorRefusal` if that is not possible. */
  async measure(source: string, levels: readonly ObserveLevel[]): Promise<Measurement> {
    if (this.#running) throw new DoctorRefusal(problem('measuring-already'));
    const url = this.#observatory.serverOf?.(source);
    if (!url) throw new DoctorRefusal(problem('not-connected'));
    const end = new AbortController();
    const begun: Measurement = { source, state: 'running', level: null, step: 0, steps: stepsOf(levels.length) };
    this.#measurement = begun;
    this.#running = { source, end, ended: this.#run(source, url, levels, end.signal) };
    return begun;
  }

  /** Cancels the measurement that runs, and waits until no level is on. */
  async cancel(): Promise<void> {
    this.#running?.end.abort();
    await this.#running?.ended;
  }

  async #run(source: string, url: RedisUrl, levels: readonly ObserveLevel[], signal: AbortSignal): Promise<void> {
    const set = (change: Partial<Measurement>) => {
      const before = this.#measurement ?? { source, state: 'running', level: null, step: 0, steps: 0 };
      this.#measurement = { ...before, ...change };
    };
    try {
      const { levels: reported, problem: failed } = await this.#reportOf(source);
      if (failed) return set({ state: 'failed', problem: failed });
      const missing = reported.filter(({ level, works }) => levels.includes(level) && !works);
      const possible = levels.filter((level) => !missing.some((each) => each.level === level));
      const costs = await measureCosts(url, { levels: possible, signal, onStep: set });
      const absent = missing.map(({ level, why }) => unavailableCost(level, why));
      const inOrder = levels.flatMap((level) => [...costs.levels, ...absent].filter((cost) => cost.level === level));
      set({ state: 'done', level: null, costs: { ...costs, levels: inOrder } });
    } catch (error) {
      if (signal.aborted) set({ state: 'cancelled', level: null });
      else set({ state: 'failed', level: null, problem: problemFromError(error, url.displayUrl, loginOf(url)) });
    } finally {
      this.#running = undefined;
    }
  }

  async #reportOf(id: string): Promise<SourceReport> {
    const source = this.#observatory.sources().find((each) => each.id === id);
    const about = { source: id, url: source?.url ?? '' };
    const url = this.#observatory.serverOf?.(id);
    if (!url) return { ...about, ...failed(source?.problem ?? problem('not-connected')) };
    const known = this.#reports.get(id);
    if (known && known.url === url && performance.now() < known.until) return { ...about, ...(await known.report) };
    const report = examineServer(url, (error) => problemFromError(error, url.displayUrl, loginOf(url))).then(reportOf);
    const entry = { url, report, until: Number.POSITIVE_INFINITY };
    this.#reports.set(id, entry);
    void report.then(() => {
      entry.until = performance.now() + FRESH_MS;
    });
    return { ...about, ...(await report) };
  }
}

/** The parts of an examination that everyone may read. They contain no login. */
export function reportOf(of: Examination): ServerReport {
  const { canObserve, problem: failure, bestLevel, levels, unseen, findings } = of;
  const hidden = unseen ? { unseen: [...unseen] } : {};
  return { canObserve, problem: failure, bestLevel, levels: [...levels], ...hidden, findings: [...findings] };
}

function failed(why: ServerReport['problem']): ServerReport {
  return { canObserve: false, problem: why, bestLevel: null, levels: [], findings: [] };
}
