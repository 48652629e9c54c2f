import type { LockEvent } from '../../../../shared/events/event.ts';
import { orderProblems } from '../../compare/compare-truth.ts';
import { compareLock } from '../../compare/demo-lock-story.ts';
import { compareWithTrace } from '../../compare/second-account.ts';
import { compareSteps } from '../../compare/step-story.ts';
import type { Strike } from '../../faults/fault.ts';
import type { Compared } from '../../faults/steps.ts';
import { compareChaos } from '../../faults/story.ts';
import type { ReportedEvent } from '../../lockscope/lockscope.ts';
import { compareCounter } from '../../random/random-counter-story.ts';
import { isCounting } from '../../random/random-lock.ts';
import type { RandomProgram } from '../../random/random-program.ts';
import type { Simulation } from '../simulation.ts';
import type { Trial } from '../trials.ts';
import { untrueHolds } from './observed-holds.ts';

type Story = {
  readonly trial: Trial;
  readonly simulation: Simulation;
  readonly program: RandomProgram;
  readonly strikes: readonly Strike[];
};

/** At most this part of the steps may be left out of a comparison because of faults. */
const MOST_LEFT_OUT = 0.7;
/**
 * Only a run of at least this many steps is checked for what was left out: in a shorter one, one fault could take most
 * of the time.
 */
const FEW_STEPS = 500;

/** The differences between the events of a run and what happened. */
export function storyProblems(story: Story): string[] {
  const { simulation } = story;
  const { source } = simulation.lockscope;
  const events = asReported(simulation.lockscope.events);
  return [
    ...(source?.drift ? [`drift is ${source.drift}`] : []),
    ...(source?.rejected ? [`${source.rejected} lines were rejected`] : []),
    ...(events.findLast(isOfBlindSpot)?.type === 'blind-spot.began' ? ['the last blind spot has not ended'] : []),
    ...orderProblems(events),
    ...(story.trial.level === 'events' ? untrueHolds(simulation.tap.text, events) : []),
    ...problemsOf(story, events),
  ];
}

function problemsOf({ trial, simulation, program, strikes }: Story, events: readonly ReportedEvent[]): string[] {
  const { clients } = program;
  const { atOtherLevel } = simulation.lockscope;
  const killed = new Map(
    [...program.killed].flatMap(([{ uuid, name }, at]) => [[uuid, at] as const, [name, at] as const]),
  );
  const happened = events.filter(({ type }) => !type.startsWith('server.'));
  const account = () => compareWithTrace(simulation.tap.text, happened, { isPushFirst: true, killed });
  switch (trial.compares) {
    case 'account':
      return account();
    case 'steps':
      return [
        ...account(),
        ...clients.flatMap((client) => compareSteps(client, happened)),
        ...trial.locks.flatMap((lock) => (isCounting(lock) ? compareCounter : compareLock)(lock, clients, happened)),
      ];
    case 'chaos': {
      const { late } = simulation.surroundings;
      return chaosProblems(
        compareChaos({ level: trial.level, clients, events: happened, strikes, atOtherLevel, late }),
      );
    }
  }
}

function isOfBlindSpot({ type }: ReportedEvent): boolean {
  return type.startsWith('blind-spot.');
}

function chaosProblems({ problems, steps, leftOut }: Compared): string[] {
  const isTooMuch = steps >= FEW_STEPS && leftOut > MOST_LEFT_OUT * steps;
  return isTooMuch ? [...problems, `${leftOut} of ${steps} steps were not compared`] : problems;
}

/** Events in the form of an HTTP response. */
function asReported(events: readonly LockEvent[]): ReportedEvent[] {
  return events as unknown as ReportedEvent[]; // the form of their JSON: `shared/wire/locks/lock-event.ts`
}
