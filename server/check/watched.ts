import { isoText } from '../../shared/base/time.ts';
import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import type { Report, UnseenReason } from '../../shared/insights/insight.ts';
import type { CheckBody, Watched } from '../../shared/wire/check.ts';
import { BLIND } from '../../shared/wire/problems/english/reasons.ts';
import type { Source } from '../../shared/wire/source.ts';
import { lacksRights } from '../../shared/wire/watched.ts';
import type { BlindRange } from './blind-log.ts';

/** What was watched and checked, at the end of a command for scripts. */
export function watchedOf(
  sources: readonly Source[],
  busyLocks: number,
  blindSpots: readonly BlindRange[],
  { cannotTell, failed }: Pick<Report, 'cannotTell' | 'failed'>,
): Watched {
  const unknown = new Set([...cannotTell, ...failed].map(({ incident }) => incident));
  return {
    sources: sources.map(({ id, url, redisVersion, role, status, level, guard, cannotSee, missing, problem }) => ({
      ...{ id, url, redisVersion, role, status, level, guard, cannotSee },
      ...(missing ? { missing } : {}),
      ...(problem ? { problem } : {}),
    })),
    busyLocks,
    blindSpots: [...blindSpots],
    checked: DETECTORS.map(({ incident }) => incident).filter((incident) => !unknown.has(incident)),
  };
}

/**
 * A report that does not rule out what may have happened in blind spots: only what a read shows at any time is still
 * known. A blind spot may be shorter than the pause between two runs of the detectors.
 */
export function withBlindSpots(report: Report, blindSpots: readonly BlindRange[]): Report {
  const hidden = DETECTORS.filter(({ levels }) => !levels.includes('snapshot'));
  const known = new Set(report.cannotTell.map(({ incident, source, reason }) => `${incident} ${source} ${reason}`));
  const added = [...new Set(blindSpots.map(({ source }) => source))].flatMap((source) =>
    hidden
      .map(({ incident, effect }) => ({ incident, effect, source, reason: 'blind-spot' as const, locks: 0 }))
      .filter(({ incident, reason }) => !known.has(`${incident} ${source} ${reason}`)),
  );
  return { ...report, cannotTell: [...report.cannotTell, ...added] };
}

/** Whether every source was watched at the end, with all rights that reading locks needs. */
export function isWhole({ sources }: Pick<Watched, 'sources'>): boolean {
  return sources.length > 0 && sources.every((source) => source.status === 'observing' && !lacksRights(source));
}

const BECAUSE: Readonly<Record<UnseenReason, string>> = {
  level: 'not at this level, use --observe monitor',
  unwatched: 'the source was not watched',
  server: 'INFO is not read yet, or not permitted',
  'blind-spot': 'part of the time was not watched',
  unanswered: 'Redis did not answer at the end',
  presence: 'it is not known whether a client is connected',
  'key-events': 'Redis does not publish it as a key event',
  locks: 'some locks are not seen, see above',
  memory: 'older events are no longer in memory',
};

/** What was watched, what was checked and what could not be seen, in lines of English. */
export function linesOfWatched(of: Watched & Pick<CheckBody, 'cannotTell' | 'failed'>): string[] {
  const { sources, busyLocks, blindSpots, checked, cannotTell, failed } = of;
  const reasons = [...new Set(cannotTell.map(({ reason }) => reason))];
  return [
    ...sources.flatMap(linesOfSource),
    ...(sources.some(({ status }) => status === 'observing') ? [`Locks held or waited for: ${busyLocks}.`] : []),
    ...(checked.length > 0 ? [`Checked: ${checked.join(', ')}.`] : []),
    ...reasons.map((reason) => {
      const incidents = new Set(cannotTell.filter((each) => each.reason === reason).map(({ incident }) => incident));
      const isLowered = reason === 'level' && sources.some(({ guard }) => guard.state === 'tripped');
      return `Not known (${isLowered ? 'not at this level' : BECAUSE[reason]}): ${[...incidents].join(', ')}.`;
    }),
    ...failed.map(({ incident, message }) => `Not checked because of an internal error: ${incident} (${message}).`),
    ...blindSpots.map(
      ({ source, from, to, reason }) =>
        `Not watched: ${source} from ${isoText(from)} to ${to === null ? 'the end' : isoText(to)} (${BLIND[reason]}).`,
    ),
  ];
}

function linesOfSource({
  url,
  redisVersion,
  status,
  level,
  guard,
  cannotSee,
  problem,
}: Watched['sources'][number]): string[] {
  if (status !== 'observing')
    return [`Not watched: ${url}. ${problem ? `${problem.message} ${problem.hint}` : ''}`.trim()];
  return [
    `Watched: ${url}, Redis ${redisVersion}, level ${level}.`,
    ...(guard.reason === undefined ? [] : [guard.reason]),
    ...cannotSee.map((what) => `Cannot see: ${what}`),
  ];
}
