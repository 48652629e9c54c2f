import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import { beatsFromEvents, type Storyboard } from '../beats/beats-from-events.ts';
import { castWith } from '../script/cast.ts';
import { withReportedGroups } from '../script/reported-groups.ts';
import type { StageLock, StageRun } from '../script/run.ts';

/** The most events of a storyboard; no scenario has that many. In a long session by hand, the oldest are dropped. */
const MOST_EVENTS = 3000;

type StoryParts = {
  readonly demo: Demo;
  readonly lock: string;
  readonly locks: readonly StageLock[];
  /** The known events of these locks. */
  readonly events: readonly LockEvent[];
  /** The cast so far. */
  readonly cast: StageRun['cast'];
};

/** The storyboard of the demo's current run on a lock, from a response of the demo and the events of the page. */
export function storyboardOf({ demo, lock, locks, events, cast }: StoryParts): Storyboard {
  const from = redisTime(demo.startedAt ?? events[0]?.at ?? 0);
  const recent = events.filter((event) => event.at >= from).slice(-MOST_EVENTS);
  const newCast = castWith(cast, demo);
  const { groupOperations = [] } = demo;
  return beatsFromEvents({
    scenario: demo.scenario,
    lock,
    locks,
    servers: demo.servers ?? [],
    localLocks: demo.localLocks ?? [],
    clientReports: demo.tellings ?? [],
    serverFaults: demo.serverFaults ?? [],
    from,
    watchdogMs: demo.watchdogMs ?? null,
    groupOperations,
    cast: newCast,
    events: withReportedGroups({ cast: newCast, groupOperations }, recent),
    faults: demo.faults ?? [],
  });
}

/** A text that is equal for two responses of the demo if they give the same storyboard. */
export function storyKey(demo: Demo, lock: string, version: number): string {
  const { at: _at, step: _step, script: _script, state: _state, clients, ...story } = demo;
  return JSON.stringify([lock, version, story, clients.map(({ id, name, uuid, uuids }) => [id, name, uuid, uuids])]);
}
