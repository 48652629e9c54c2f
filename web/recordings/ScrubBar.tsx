import { redisTime } from '../../shared/base/time.ts';
import { openRecordingOf } from '../data/live/open-recording.ts';
import { useLive } from '../data/live/use-live.ts';
import { useHealth } from '../data/queries/queries.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const ScrubControls = lazyPart(() => import('./ScrubControls.tsx'));
const RecordingContents = lazyPart(() => import('./RecordingContents.tsx'));

/**
 * The bar of an opened recording: plays it, and moves to any instant. `hasContents`: also lists its problems. Renders
 * nothing while live.
 */
export function ScrubBar({ isSmooth, hasContents }: { isSmooth: boolean; hasContents: boolean }) {
  const startedAt = useLive((state) => openRecordingOf(state.sources)?.startedAt ?? null);
  const endsAt = useLive((state) => openRecordingOf(state.sources)?.endsAt ?? null);
  // what was dropped from memory cannot be shown
  const { data } = useHealth(({ history, memory }) => ({
    droppedTo: history.capped ? (memory?.oldestAt ?? null) : null,
  }));
  if (startedAt === null || endsAt === null || !data) return null;
  const oldestAt = data.droppedTo ?? startedAt;
  const whole = { from: redisTime(Math.max(startedAt, oldestAt)), to: redisTime(endsAt) };
  return (
    <LatePart opening={<Opening />}>
      <ScrubControls whole={whole} isSmooth={isSmooth} />
      {hasContents && <RecordingContents {...whole} />}
    </LatePart>
  );
}

/** As high as the bar, so that the page below it does not move. */
function Opening() {
  return (
    <section className="scrub-bar" aria-busy="true">
      <div className="scrub-track" />
    </section>
  );
}
