import type { Words } from '../../words/words.ts';
import type { MarkBox } from '../draw/lanes/lane-mark.ts';
import { arrowsAt } from '../draw/layers/draw-arrow.ts';
import { boxesOfGroup } from '../draw/layers/draw-group.ts';
import { type ArrowItem, arrowItems } from '../layout/arrow-items.ts';
import type { Scene } from '../layout/scene.ts';
import { groupOfMark, markById } from '../model/causes.ts';
import type { TimelineStore } from '../store/timeline-store.ts';

/** The boxes of the visible holds and waits in the same multi lock or RedLock operation as the selected mark. */
export function boxesTogether(scene: Scene, timeline: TimelineStore): MarkBox[] {
  const { selected, selectedLock } = timeline.get();
  const track = selectedLock === null ? null : timeline.tracks.get(selectedLock, Date.now());
  const mark = track && selected !== null ? markById(track, selected) : undefined;
  return track && mark ? boxesOfGroup(scene, groupOfMark(track, mark)) : [];
}

/** The wake-ups of the hovered and of the selected mark. Each has its words, however many others are near. */
export function shownArrows(
  scene: Scene,
  timeline: TimelineStore,
  hovered: { readonly lockId: string; readonly markId: string } | null,
  words: Words,
): ArrowItem[] {
  const { selectedLock, selected } = timeline.get();
  const marks = [{ lockId: selectedLock, markId: selected }, ...(hovered ? [hovered] : [])];
  return marks.flatMap(({ lockId, markId }) => {
    const track = lockId === null ? null : timeline.tracks.get(lockId, Date.now());
    const mark = track && markId !== null ? markById(track, markId) : undefined;
    if (!track || !mark) return [];
    return arrowsAt(track.arrows, mark).flatMap((arrow) => arrowItems(track, scene, words, [arrow]));
  });
}
