import type { Demo } from '../../../shared/wire/demo.ts';
import { durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';

/** Redisson's default lease, which the demo shortens. */
const USUAL_LEASE_MS = 30_000;
/** Scenarios without a lease that a watchdog renews. */
const WITHOUT_LEASE: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

/** What differs from Redisson on this stage, and what cannot be seen at this level, in one line. */
export function StageNotes({ demo, seesAsking }: { demo: Demo; seesAsking: boolean }) {
  const { stage, stageKinds } = useWords();
  const scenario = demo.scenario ?? '';
  const isShortened = demo.watchdogMs !== undefined && !WITHOUT_LEASE.has(scenario);
  const notes = [
    seesAsking ? undefined : stage.noMonitor,
    isShortened ? stage.shortened(durationText(USUAL_LEASE_MS)) : undefined,
    stageKinds.notes[scenario],
  ].filter((note) => note !== undefined);
  const text = notes.join(' ');
  return (
    <p title={text} className={`stage-note ${seesAsking ? 'quiet' : ''}`}>
      {text}
    </p>
  );
}
