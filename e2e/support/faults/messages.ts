import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { DemoProcess, Reported } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { type Compared, overlaps, type Range, SLACK_US, type Step, stepsOf } from './steps.ts';

/**
 * How late messages may be. `late`: a message that was sent in one of these ranges may have arrived only at the end of
 * that range. `withinUs`: beyond that, each message may be late by this much.
 */
export type Arrival = { readonly late: readonly Range[]; readonly withinUs: number };

type Release = Step & { readonly client: string };

/**
 * The releases of plain and fenced locks without a message; each message belongs to one release. At level events,
 * changes between two reads are seen as one, so acquisitions may be unseen, but every message is seen. A message is
 * dated when it arrives, because nothing at this level shows when it was sent. So it may be as late as anything else
 * that Redis sent at that time.
 */
export function missingMessages(
  clients: readonly DemoProcess[],
  events: readonly ReportedEvent[],
  excused: readonly Range[],
  { late, withinUs }: Arrival,
): Compared {
  const messages = groupedBy(
    events.filter(({ type }) => type === 'wakeup.published'),
    ({ lock }) => lock,
  );
  const releases = clients.flatMap(({ name, reported }) =>
    releasesOf(reported).map((step) => ({ ...step, client: name })),
  );
  const compared = releases.filter(({ from, at }) => !overlaps(excused, from, at));
  const latest = ({ from, at }: Release) => {
    const own = late.filter((range) => from <= range.to && at >= range.from);
    return Math.max(at, ...own.map(({ to }) => to)) + withinUs;
  };
  const problems = [...groupedBy(compared, ({ lock }) => lock ?? '')].flatMap(([lock, own]) => {
    const windows = own.map((release) => ({ release, from: release.from - SLACK_US, to: latest(release) }));
    const missing = withoutMessage(
      windows,
      (messages.get(lock) ?? []).map(({ at }) => at),
    );
    return missing.map(({ client, thread, at }) => `${client}:${thread} released ${lock} at ${at}: no message`);
  });
  return { problems, steps: releases.length, leftOut: releases.length - compared.length };
}

type Window = Range & { readonly release: Release };

/** The releases that are left if each message is matched with the release whose window ends first. */
function withoutMessage(windows: readonly Window[], sentAt: readonly number[]): Release[] {
  const unopened = windows.toSorted((a, b) => b.from - a.from);
  const missing: Release[] = [];
  let open: Window[] = [];
  for (const at of [...sentAt.toSorted((a, b) => a - b), Number.POSITIVE_INFINITY]) {
    for (let next = unopened.at(-1); next && next.from <= at; next = unopened.at(-1)) {
      open.push(next);
      unopened.pop();
    }
    missing.push(...open.filter(({ to }) => to < at).map(({ release }) => release));
    open = open.filter(({ to }) => to >= at).toSorted((a, b) => a.to - b.to);
    open.shift();
  }
  return missing;
}

/** The last releases of plain and fenced locks, each of which publishes a message. */
function releasesOf(reported: readonly Reported[]): Step[] {
  const isPlain = ({ kind = 'lock' }: { kind?: string }) => kind === 'lock' || kind === 'fenced-lock';
  const plain = new Set(
    reported.flatMap((message) => (message.type === 'truth' && isPlain(message) ? [message.op] : [])),
  );
  return stepsOf(reported).filter(({ name, op }) => name === 'released' && op !== undefined && plain.has(op));
}
