import { millisBetween, redisTime } from '../../../shared/base/time.ts';
import { sourceInId } from '../../../shared/state/lock-state.ts';
import { hasDroppedIn } from '../../data/window/drops.ts';
import { asCode, asPlain, utcText } from '../../share/markdown.ts';
import { ShareMenu } from '../../share/ShareMenu.tsx';
import type { Shareable } from '../../share/shareable.ts';
import { durationText } from '../../ui/time-text.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { TIMELINE } from '../../url/route.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { useNameOf } from '../model/people-names.ts';
import { hasBlindSpot } from '../model/range-totals.ts';
import { sentenceOf } from '../model/sentence.ts';
import { pictureFile } from '../picture/picture-file.ts';
import { footOf } from '../picture/picture-of-lock.ts';
import { exactLinkOf } from '../store/use-timeline-link.ts';
import { useHasSeveralLocks, useWorkspace, type Workspace } from '../store/workspace.ts';

/** Shares exactly this view of the timeline: the range and locks on screen, and the selected mark. */
export function ShareTimeline() {
  const words = useWords();
  const workspace = useWorkspace();
  const nameOf = useNameOf(useHasSeveralLocks());
  const take = (): Shareable => {
    const { timeline, rows, actions } = workspace;
    const view = timeline.view();
    const { onlyLock } = timeline.get();
    const chosen = actions.selection();
    const sentences = [rangeText(workspace, words)];
    if (chosen) sentences.push(asPlain(sentenceOf(chosen.track, chosen.mark, timeline.now(), nameOf, words)));
    const title = onlyLock === '' ? words.frame.page.timeline : visibleText(onlyLock);
    const ids = new Set(rows.get().rows.flatMap((row) => ('lockId' in row ? [row.lockId] : [])));
    const shown = new Set([...ids].map(sourceInId));
    if (hasBlindSpot(timeline.blindSpots(), view, shown)) sentences.push(words.share.timeline.notWatched);
    const isDropped = hasDroppedIn(timeline.window, ids, view, timeline.now());
    if (isDropped || timeline.unknownIn(view).length > 0) sentences.push(words.share.timeline.notLoaded);
    return {
      route: { ...TIMELINE, link: exactLinkOf(workspace) },
      at: redisTime(Math.round(timeline.cursorAt())),
      name: title,
      sentences,
      range: view,
      sources: shown.size > 0 ? [...shown] : timeline.live.get().sources.map(({ id }) => id),
      picture: () => pictureFile(timeline, rows.get().rows, view, { title, foot: footOf(view), nameOf }),
    };
  };
  return <ShareMenu take={take} />;
}

function rangeText({ timeline }: Workspace, { share, time }: Words): string {
  const { from, to } = timeline.view();
  const { onlyLock } = timeline.get();
  const length = durationText(millisBetween(from, to), time);
  const texts = share.timeline;
  if (onlyLock === '') return texts.ofAll(utcText(from), utcText(to), length);
  return texts.ofLock(asCode(onlyLock), utcText(from), utcText(to), length);
}
