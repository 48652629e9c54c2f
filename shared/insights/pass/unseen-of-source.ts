import type { ServerFacts } from '../../events/types/server-event.ts';
import type { Detector, SourceSight } from '../detector.ts';
import type { UnseenReason } from '../insight.ts';
import { lacksOf } from '../lacks.ts';
import type { Unseen } from './unseen-counts.ts';

/** Why a detector cannot know about any lock of a source: the source is not watched, or its level shows too little. */
export function unwatchedReason({ levels }: Detector, sight: SourceSight | undefined): UnseenReason | undefined {
  if (!sight) return 'unwatched';
  return levels.includes(sight.level) ? undefined : 'level';
}

/** What the detectors cannot know about a source, whatever its locks are. `isHeldUp`: Redis does not answer. */
export function unseenOfSource(
  detectors: readonly Detector[],
  sight: SourceSight | undefined,
  server: ServerFacts | undefined,
  isHeldUp: boolean,
): readonly Unseen[] {
  return detectors.flatMap((detector): Unseen[] => {
    const reason = unwatchedReason(detector, sight) ?? (isHintOnly(detector, sight) ? 'level' : undefined);
    if (reason) return [{ detector, reason }];
    if (isHeldUp) return [{ detector, reason: 'unanswered' }];
    return sight ? lacksOf(detector, sight, server).map((lack) => ({ detector, reason: lack })) : [];
  });
}

/** Whether the detector sees only a part of these incidents at this level. If so, finding nothing proves nothing. */
function isHintOnly({ withoutCommands }: Detector, sight: SourceSight | undefined): boolean {
  return withoutCommands === 'hint' && sight !== undefined && sight.level !== 'monitor';
}
