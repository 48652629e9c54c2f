import { useEffect, useRef } from 'react';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useLive } from '../data/live/use-live.ts';
import { visibleText } from '../ui/visible-text.ts';
import { OVERVIEW } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { insightTexts } from '../verdicts/insight-texts.ts';
import { useWords } from '../words/language.ts';
import { newCritical } from './new-critical.ts';

/**
 * Shows each new critical problem on the desktop while another window is in front. This code is loaded only if the user
 * has switched notifications on.
 */
export default function Notifications({ problems }: { problems: readonly WireInsight[] | null }): null {
  const words = useWords();
  const names = useLive((state) => state.names);
  const snapshotCount = useLive((state) => state.snapshotCount);
  const known = useRef<{ readonly snapshotCount: number; readonly ids: ReadonlySet<string> } | null>(null);
  useEffect(() => {
    if (problems === null) return;
    // problems that exist when the page opens, or connects again with a whole snapshot, are not new
    const before = known.current?.snapshotCount === snapshotCount ? known.current.ids : null;
    const { fresh, ids } = newCritical(problems, before);
    known.current = { snapshotCount, ids };
    if (document.hasFocus()) return;
    for (const insight of fresh) show(insight, insightTexts(insight, words, names));
  }, [problems, snapshotCount, words, names]);
  return null;
}

function show(insight: WireInsight, { title, advice }: { title: string; advice: string }): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { id, source, db, lock } = insight;
  const place = visibleText(lock ?? source);
  const shown = new Notification(`${place}: ${title}`, { body: advice, tag: id });
  shown.onclick = () => {
    window.focus();
    navigate(lock === undefined || db === undefined ? OVERVIEW : lockNow({ name: lock, source, db }));
    shown.close();
  };
}
