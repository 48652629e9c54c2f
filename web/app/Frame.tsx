import { CircleHelp, Settings } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { notify } from '../choices/notify.ts';
import { useChoice } from '../choices/use-choice.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { usePressingProblems } from '../data/queries/insights.ts';
import { useIsDemo } from '../data/queries/queries.ts';
import { saveNow } from '../data/queries/recording-work.ts';
import { OpenDumpDialog } from '../dumps/OpenDumpDialog.tsx';
import { PasteTarget } from '../dumps/PasteTarget.tsx';
import { HealthStrip } from '../health/HealthStrip.tsx';
import { SourceHints } from '../health/SourceHints.tsx';
import { keyOf } from '../keys/key-map.ts';
import { RangeControl } from '../range/RangeControl.tsx';
import { isRanged } from '../range/ranged-route.ts';
import { DropTarget } from '../recordings/DropTarget.tsx';
import { RecordingNotice } from '../recordings/RecordingNotice.tsx';
import { SaveButton } from '../recordings/SaveButton.tsx';
import { ScrubBar } from '../recordings/ScrubBar.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { FLEET_PATH, isFleetHome } from '../url/base-path.ts';
import { OVERVIEW, type Route } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { FindBox } from './find/FindBox.tsx';
import { PageLinks } from './navigation/PageLinks.tsx';
import { pageRow } from './navigation/pages.tsx';
import { type FrameDialog, usePageKeys } from './navigation/use-page-keys.ts';
import { Problems } from './Problems.tsx';
import type { ConnectionProblem } from './use-connection.ts';
import { useDocumentTitle } from './use-document-title.ts';

const Notifications = lazyPart(() => import('./Notifications.tsx'));

const DIALOGS = {
  help: lazyPart(() => import('./HelpDialog.tsx')),
  settings: lazyPart(() => import('./SettingsDialog.tsx')),
};

type FrameProps = { route: Route; problem: ConnectionProblem | null; children: ReactNode };

/**
 * Focuses the row of the table of locks that Tab reaches, at first the first one. Without rows, focuses the content.
 */
function toFirstLock(): void {
  const content = document.querySelector<HTMLElement>('#content');
  (content?.querySelector<HTMLElement>('[data-row-focus][tabindex="0"]') ?? content)?.focus();
}

/**
 * The frame of every page: brand, page links, range, find box, settings, help, health strip, problems. A viewer's page
 * of its fleet has no find box and no health strip.
 */
export function Frame({ route, problem, children }: FrameProps) {
  const { common, frame } = useWords();
  const isDemo = useIsDemo();
  const [dialog, setDialog] = useState<FrameDialog | null>(null);
  const page = pageRow(route.page);
  const find = useRef<HTMLInputElement>(null);
  const isRecording = useIsOpenRecording();
  // an opened recording is saved already, and a viewer of a fleet has no recordings
  const isSavable = !isRecording && FLEET_PATH === undefined;
  const onSave = useCallback(() => void (isSavable && saveNow()), [isSavable]);
  usePageKeys({ route, isDemo, find, onSave, onDialog: setDialog });
  const problems = usePressingProblems(useDismissed(dismissedProblems));
  useDocumentTitle(route, problems?.length ?? 0);
  const isNotified = useChoice(notify) === 'on';
  // A dialog closes a moment after Escape. Another dialog may be open by then, so only the closed one is removed.
  const close = (closed: FrameDialog) => setDialog((open) => (open === closed ? null : open));
  const Dialog = DIALOGS[dialog ?? 'help'];

  return (
    <div className={page.isFilling ? 'frame is-filling' : 'frame'}>
      <a className="skip-link" href="#content">
        {frame.skip}
      </a>
      {route.page === 'overview' && (
        <button type="button" className="skip-link" onClick={toFirstLock}>
          {frame.skipToLocks}
        </button>
      )}
      <header className="frame-head">
        <Link to={OVERVIEW} className="brand">
          <span aria-hidden="true">◈</span> Lockscope
        </Link>
        <nav aria-label={frame.pages}>
          <PageLinks shown={route.page} isDemo={isDemo} />
        </nav>
        {isRanged(route) && <RangeControl route={route} />}
        {!isFleetHome && <FindBox route={route} isDemo={isDemo} ref={find} onDialog={setDialog} />}
        <span className="frame-buttons">
          {isSavable && <SaveButton />}
          <button
            type="button"
            className="button is-quiet"
            aria-label={frame.settings}
            title={common.withKey(frame.settings, keyOf('settings'))}
            onClick={() => setDialog('settings')}
          >
            <Icon of={Settings} />
          </button>
          <button
            type="button"
            className="button is-quiet"
            aria-label={frame.help}
            title={common.withKey(frame.help, keyOf('help'))}
            onClick={() => setDialog('help')}
          >
            <Icon of={CircleHelp} />
          </button>
        </span>
      </header>
      {!isFleetHome && <HealthStrip />}
      <Problems problem={problem} />
      <RecordingNotice />
      <ScrubBar isSmooth={route.page === 'timeline'} hasContents={route.page === 'overview'} />
      {page.hasHints && <SourceHints hasVerdicts={route.page === 'overview'} />}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <DropTarget />
      <PasteTarget />
      <OpenDumpDialog />
      {isNotified && (
        <LatePart>
          <Notifications problems={problems} />
        </LatePart>
      )}
      {dialog !== null && (
        <LatePart key={dialog}>
          <Dialog onClose={() => close(dialog)} />
        </LatePart>
      )}
    </div>
  );
}
