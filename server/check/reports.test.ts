import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import type { Report } from '../../shared/insights/insight.ts';
import { reportAt } from '../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { openRecording } from '../recordings/replay-observatory.ts';
import { checkBodyFrom, textOfCheck } from './check-report.ts';
import { junitOfRun, type RunResult, runReportFrom, textOfRun } from './run-report.ts';
import { logVerdicts, VerdictLog } from './verdict-log.ts';
import { watchedOf, withBlindSpots } from './watched.ts';

const UNSEEN_DEADLOCK = {
  incident: 'abba-deadlock',
  reason: 'level',
  source: 'redis-1',
  effect: 'stuck',
  locks: 0,
} as const;
const HOSTILE = 'a\n::error::b\u2028\u202ec\u001b[31m';
const SOURCE = {
  ...{ id: 'redis-1', url: 'redis://127.0.0.1:6379', redisVersion: '7.0.0', role: 'master', level: 'monitor' },
  ...{ status: 'observing', guard: { state: 'ok' }, cannotSee: [] },
} as const;

/** What is wrong after the client of a holder is gone; the lock has a hostile name. */
function crash(): Report {
  const report = reportAt(
    story('orders:42 lease 30s\n0.000 A attempts acquired\n1.000 redis lists A other\n6.000 redis lists other'),
    seconds(7),
  );
  return { ...report, insights: report.insights.map((insight) => ({ ...insight, lock: HOSTILE })) };
}

function watched(report: Report) {
  const source = SOURCE as unknown as Parameters<typeof watchedOf>[0][number]; // a result has only these fields
  return watchedOf([source], 1, [], report);
}

function runOf(of: Partial<RunResult> = {}): RunResult {
  const report = of.report ?? crash();
  return {
    ...{ from: seconds(0), at: seconds(7), programExitCode: 0, seen: [], more: 0, report, watched: watched(report) },
    sight: { levels: new Set(['monitor']), seesNewLocks: true, hasReadLocks: true },
    ...of,
  };
}

describe('a hostile name', () => {
  test('adds no line to the result of a check', () => {
    const report = crash();
    const text = textOfCheck(checkBodyFrom(report, seconds(0), watched(report)));
    expect(text).toContain('a\\x0a::error::b\\u2028\\u202ec\\x1b[31m');
    expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
  });

  test('adds no line to the result of a run', () => {
    const lines = textOfRun(runReportFrom(runOf(), [])).trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('lockscope: '))).toEqual([]);
    expect(lines[0]).toBe('lockscope: 1 fault of locks while the program ran. Exit code 4.');
  });

  test('does not turn allowed faults into the claim that no fault was seen', () => {
    const { faults } = runReportFrom(runOf(), []);
    const allowed = textOfRun(
      runReportFrom(
        runOf(),
        faults.map(({ kind, incident }) => incident ?? kind),
      ),
    );
    expect(allowed).toContain('lockscope: Only allowed faults of locks were seen while the program ran. Exit code 0');
  });
});

test('a problem whose beginning was not seen is marked as older than its time', () => {
  const { insights, ...report } = crash();
  const since = (isAtLeast: object) => {
    const older = { ...report, insights: insights.map((insight) => ({ ...insight, ...isAtLeast })) };
    return /Since: .*Z(?: or earlier)?\. /.exec(textOfCheck(checkBodyFrom(older, seconds(0), watched(older))))?.[0];
  };
  expect(since({})).toMatch(/^Since: 2026\S+Z\. /);
  expect(since({ isAtLeast: true })).toMatch(/^Since: 2026\S+Z or earlier\. /);
});

describe('what was not seen does not count as checked', () => {
  const calm = { ...crash(), insights: [] };

  test('a run with a blind spot: checks that need events are skipped', () => {
    const blind = [{ source: 'redis-1', from: seconds(2), to: seconds(3), reason: 'connection-lost' }] as const;
    const result = runOf({ report: calm });
    const report = runReportFrom({ ...result, watched: { ...result.watched, blindSpots: [...blind] } }, []);
    expect(report.exitCode).toBe(0);
    expect(report.notChecked.map(({ kind }) => kind)).toEqual(['deadlock', 'lease-ended', 'unlock-refused']);
    expect(junitOfRun(report)).toContain('failures="0" errors="0" skipped="3"');
  });

  test('a check with a blind spot: only what a read shows at any time is listed as checked', () => {
    const blind = [{ source: 'redis-1', from: seconds(2), to: seconds(3), reason: 'connection-lost' }] as const;
    const { checked } = watched(withBlindSpots({ ...calm, cannotTell: [] }, blind));
    expect(checked).toContain('no-ttl-lock');
    expect(checked).not.toContain('unlock-by-non-owner');
  });

  test('a level that the guard has ended is not advised again', () => {
    const report: Report = { ...calm, cannotTell: [UNSEEN_DEADLOCK] };
    const text = (state: 'ok' | 'tripped') => {
      const result = watched(report);
      const sources = result.sources.map((source) => ({ ...source, guard: { state } }));
      return textOfCheck(checkBodyFrom(report, seconds(0), { ...result, sources }));
    };
    expect(text('ok')).toContain('Not known (not at this level, use --observe monitor): abba-deadlock.');
    expect(text('tripped')).toContain('Not known (not at this level): abba-deadlock.');
  });

  test('a time at a lower level: what it hid is not listed as checked; presence may become known later', () => {
    const log = new VerdictLog();
    const unseen = (incident: 'abba-deadlock' | 'no-ttl-lock', reason: 'level' | 'presence') =>
      ({ incident, reason, source: 'redis-1', effect: 'stuck', locks: 0 }) as const;
    log.take({ ...calm, cannotTell: [unseen('abba-deadlock', 'level'), unseen('no-ttl-lock', 'presence')] });
    log.take({ ...calm, cannotTell: [] });
    const { checked } = watched(log.report() ?? calm);
    expect(checked).not.toContain('abba-deadlock');
    expect(checked).toContain('no-ttl-lock');
  });

  test('if Redis does not answer at the end, the last look waits until it answers again', async () => {
    const unanswered: Report = { ...calm, cannotTell: [{ ...UNSEEN_DEADLOCK, reason: 'unanswered' }] };
    const reports = [calm, unanswered, unanswered, calm];
    let looks = 0;
    const observatory = { insights: async () => reports[looks++] ?? calm };
    const log = await logVerdicts(observatory, Promise.resolve(), new AbortController().signal);
    expect(looks).toBe(4);
    expect(log.report()?.cannotTell).toEqual(calm.cannotTell);
  });

  test('if Redis still does not answer when the signal aborts, that is reported', async () => {
    const unanswered: Report = { ...calm, cannotTell: [{ ...UNSEEN_DEADLOCK, reason: 'unanswered' }] };
    const observatory = { insights: async () => unanswered };
    const log = await logVerdicts(observatory, Promise.resolve(), AbortSignal.abort());
    expect(log.report()?.cannotTell).toMatchObject([{ reason: 'unanswered' }]);
  });

  test('in a text of MONITOR, only incidents of the whole source are listed as checked; without the lines of scripts, no incident is', async () => {
    const checkedIn = async (name: string) => {
      const path = fileURLToPath(new URL(`../../shared/traces/texts/monitor.${name}.txt`, import.meta.url));
      const { observatory } = await openRecording(path, { memory: 512 * 1024 * 1024 });
      return watchedOf(observatory.sources(), 0, [], await observatory.insights({})).checked;
    };
    expect(await checkedIn('without-lua')).toEqual([]);
    const ofSource = DETECTORS.filter((detector) => detector.of === 'source').map(({ incident }) => incident);
    expect(ofSource).toEqual(expect.arrayContaining(await checkedIn('terminal')));
  });

  test('a detector that threw: the check fails, and the incident is listed as not checked', () => {
    const failed = { ...calm, failed: [{ incident: 'abba-deadlock' as const, message: 'broken' }] };
    expect(checkBodyFrom(failed, seconds(0), watched(failed)).exitCode).toBe(1);
    const report = runReportFrom(runOf({ report: failed }), []);
    expect(report).toMatchObject({ exitCode: 1, notChecked: [{ kind: 'deadlock' }] });
  });
});
