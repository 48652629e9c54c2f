import type { MarkBox } from '../draw/lanes/lane-mark.ts';
import { arrowsAt } from '../draw/layers/draw-arrow.ts';
import { boxesOfGroup } from '../draw/layers/draw-group.ts';
import type { ArrowItem, Scene } from '../layout/scene.ts';
import { groupOfMark, markById } from '../model/causes.ts';
import type { TimelineStore } from '../store/timeline-store.ts';

/** The boxes of all marks in the same multi lock or RedLock as the selected one. */
export function boxesTogether(scene: Scene, timeline: TimelineStore): MarkBox[] {
  const { selected, selectedLock } = timeline.get();
  const track = selectedLock === null ? null : timeline.tracks.get(selectedLock, Date.now());
  const mark = track && selected !== null ? markById(track, selected) : undefined;
  return track && mark ? boxesOfGroup(scene, groupOfMark(track, mark)) : [];
}

/** The wake-ups of the hovered and of the selected mark. */
export function shownArrows(
  { arrows }: Scene,
  timeline: TimelineStore,
  hovered: { readonly lockId: string; readonly markId: string } | null,
): ArrowItem[] {
  const { selectedLock, selected } = timeline.get();
  const marks = [{ lockId: selectedLock, markId: selected }, ...(hovered ? [hovered] : [])];
  return marks.flatMap(({ lockId, markId }) => {
    if (lockId === null || markId === null) return [];
    const track = timeline.tracks.get(lockId, Date.now());
    return track ? arrowsAt(arrows, lockId, markById(track, markId)) : [];
  });
}
