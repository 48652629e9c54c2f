import { z } from 'zod';
import { type Demo, demoBody } from '../../shared/wire/demo.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { DemoProblem, type DemoStage } from './demo-stage.ts';
import type { ScenarioScript } from './scenario.ts';
import { SCENARIOS } from './scenarios/all.ts';

/** The state of the stage from `at` on, in the recording's own time (µs). */
const stageViewSchema = demoBody
  .pick({ step: true, state: true, clients: true, startedAt: true, watchdogMs: true, faults: true })
  .extend({ at: z.number() });
export type StageView = z.infer<typeof stageViewSchema>;

/** Plays recorded runs. `position` is in the recording's own time (µs); `undefined` if nothing has been played. */
export type StagePlayer = { play(id: string): void; stop(): void; readonly position: number | undefined };

/** Parses the states of the stage during a recorded run: one line of JSON per change, oldest first. */
export function parseStageViews(text: string): StageView[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => stageViewSchema.parse(JSON.parse(line)));
}

/** The stage for a machine without Redis: plays recorded runs, by scenario. Its clients cannot be controlled. */
export function createRecordedStage(runs: ReadonlyMap<string, readonly StageView[]>, player: StagePlayer): DemoStage {
  let lastId: string | null = null;
  /** Time of playback minus time of recording, in µs. */
  let shift = 0;
  const scripts = SCENARIOS.filter(({ id }) => runs.has(id));

  const stands = (): Partial<Demo> & Pick<Demo, 'step' | 'state' | 'clients'> => {
    const views = runs.get(lastId ?? scripts[0]?.id ?? '') ?? [];
    const { position } = player;
    const view = views.findLast(({ at }) => position !== undefined && at <= position);
    const { step, state, clients } = view ?? { step: 0, state: 'idle', clients: views[0]?.clients ?? [] };
    const begun = views.find(({ startedAt, state }) => startedAt !== undefined && state !== 'idle');
    const faults = (view?.faults ?? []).filter(({ at }) => at >= (begun?.startedAt ?? 0));
    return {
      step,
      state,
      clients: clients.map((client) => ({ ...client, pid: null })),
      at: nowOfUs(),
      ...(begun?.startedAt === undefined ? {} : { startedAt: begun.startedAt + shift }),
      ...(begun?.watchdogMs === undefined ? {} : { watchdogMs: begun.watchdogMs }),
      faults: faults.map((fault) => ({ ...fault, at: fault.at + shift })),
    };
  };

  /** The time at which a step happened; empty if it has not happened yet. */
  const happened = (step: number): { at?: number } => {
    const { position = 0 } = player;
    const views = runs.get(lastId ?? '') ?? [];
    const at = views.find((view) => view.step >= step)?.at;
    return at === undefined || at > position ? {} : { at: at + shift };
  };

  const view = (): Demo => {
    const script = scripts.find(({ id }) => id === lastId);
    const steps = script?.steps ?? [];
    return {
      v: 1,
      recorded: true,
      scenario: lastId,
      lock: script?.lock ?? null,
      steps: steps.length,
      script: steps.map(({ title, who }, index) => ({ n: index + 1, title, who, ...happened(index + 1) })),
      ...stands(),
    };
  };

  return {
    redisUrl: '',
    view,
    scenarios: () =>
      scripts.map(({ id, title, summary, steps, lock }) => ({ id, title, summary, steps: steps.length, lock })),
    async startScenario(id) {
      if (!runs.has(id)) throw notRecorded(id, scripts);
      lastId = id;
      player.play(id);
      shift = nowOfUs() - (player.position ?? 0);
    },
    stopScenario: async () => player.stop(),
    clientAction: async () => {
      throw onlyRecorded();
    },
    threadAction: () => {
      throw onlyRecorded();
    },
    close: async () => player.stop(),
  };
}

function nowOfUs(): number {
  return Date.now() * 1000;
}

function notRecorded(id: string, scripts: readonly ScenarioScript[]): DemoProblem {
  const known = scripts.map((script) => script.id);
  const isScenario = SCENARIOS.some((script) => script.id === id);
  return isScenario
    ? new DemoProblem(409, problem('scenario-not-recorded', { scenario: id, known }), 'id')
    : new DemoProblem(404, problem('no-such-scenario', { scenario: id, known }), 'id');
}

function onlyRecorded(): DemoProblem {
  return new DemoProblem(409, problem('recorded-demo'));
}
