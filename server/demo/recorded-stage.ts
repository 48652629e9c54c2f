import { shiftedTimes } from '../../shared/recording/shifted-times.ts';
import { type Demo, demoBody } from '../../shared/wire/demo.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { DemoProblem, type DemoStage } from './demo-stage.ts';
import { SCENARIOS } from './scenarios/all.ts';

/** What the stage showed at one instant of a recorded run: an answer of `GET /api/demo`, one for each change. */
const stageViewSchema = demoBody.required({ at: true, startedAt: true });
type StageView = ReturnType<typeof stageViewSchema.parse>;

/** What the stage showed during a whole recorded run, oldest first. */
export type StageRun = readonly [StageView, ...StageView[]];

/** A recorded run that can be played. */
export type RecordedRun = {
  readonly views: StageRun;
  /** Plays the run from its beginning. Returns the time of playback minus the time of recording, in µs. */
  play(): number;
};

type StagePlayer = {
  stop(): void;
  /** The position in the recording's own time (µs); `undefined` if nothing is played. */
  readonly position: number | undefined;
};

/**
 * Parses the views of a run: one line of JSON each. Throws if the text has no line, or a line that breaks the contract.
 */
export function parseStageRun(text: string): StageRun {
  const lines = text.split('\n').filter((line) => line !== '');
  const [first, ...later] = lines.map((line) => stageViewSchema.parse(JSON.parse(line)));
  if (!first) throw new Error('a recorded run has at least one view');
  return [first, ...later];
}

/** The stage for a machine without Redis: plays the recorded run of each scenario. Its clients cannot be controlled. */
export function createRecordedStage(
  first: RecordedRun,
  open: (id: string) => Promise<RecordedRun>,
  player: StagePlayer,
): DemoStage {
  let { views } = first;
  let shift = first.play();

  return {
    redisUrl: '',
    view: () => {
      const { position } = player;
      const view = position === undefined ? stopped(views) : viewAt(views, position);
      return { ...shiftedTimes(view, views[0].startedAt, shift), recorded: true, at: ourMicros() };
    },
    scenarios: () =>
      SCENARIOS.map(({ id, title, summary, steps, lock }) => ({ id, title, summary, steps: steps.length, lock })),
    async startScenario(id) {
      const known = SCENARIOS.map((script) => script.id);
      if (!known.includes(id)) throw new DemoProblem(404, problem('no-such-scenario', { scenario: id, known }), 'id');
      const run = await open(id);
      views = run.views;
      shift = run.play();
    },
    stopScenario: async () => player.stop(),
    clientAction: async () => {
      throw onlyRecordedProblem();
    },
    threadAction: () => {
      throw onlyRecordedProblem();
    },
    close: async () => player.stop(),
  };
}

/**
 * The view at an instant of the recording. When it was recorded, the stage was asked every few ms, so a view may be
 * late. Entries that have their own time are therefore taken from the last view, which has all of them.
 */
function viewAt(run: StageRun, position: number): Demo {
  const last = run.at(-1) ?? run[0];
  const { state, clients } = run.findLast(({ at }) => at <= position) ?? run[0];
  const untilThen = <T>(all: readonly T[] | undefined, timeOf: (entry: T) => number) =>
    (all ?? []).filter((entry) => timeOf(entry) <= position);
  const script = last.script.map(({ at, ...step }) => (at === undefined || at > position ? step : { ...step, at }));
  const step = script.findIndex((each) => !('at' in each));
  return {
    ...last,
    state,
    clients,
    script,
    step: step === -1 ? script.length : step,
    faults: untilThen(last.faults, ({ at }) => at),
    tellings: untilThen(last.tellings, ({ at }) => at),
    serverFaults: untilThen(last.serverFaults, ({ at }) => at),
    groupOperations: untilThen(last.groupOperations, ({ from }) => from).map((call) =>
      call.until !== null && call.until <= position ? call : { ...call, until: null },
    ),
  };
}

/** The view of a run that was stopped: no step has happened, and its servers are gone. */
function stopped(run: StageRun): Demo {
  const { servers: _, ...view } = viewAt(run, 0);
  return { ...view, state: 'idle' };
}

function ourMicros(): number {
  return Date.now() * 1000;
}

function onlyRecordedProblem(): DemoProblem {
  return new DemoProblem(409, problem('recorded-demo'));
}
