import { useLive } from '../data/live/use-live.ts';
import { Notice } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import type { LinkTrouble } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

type LinkNoticesProps = {
  route: LinkTrouble;
  forgotten?: 'shown' | 'moment-forgotten' | 'moment-unseen' | 'mark-forgotten';
  /** How far the server's memory goes back. */
  memoryFrom?: number | null;
  onClose?: () => void;
  /** Dismisses the notices about unreadable parameters and about another recording. */
  onRead?: () => void;
  onLive?: () => void;
};

/** Notices about parts of a link that could not be shown, each with a way to continue. */
export function LinkNotices({ route: { broken = [], elsewhere }, ...ways }: LinkNoticesProps) {
  const { forgotten = 'shown', memoryFrom = null } = ways;
  const since = memoryFrom === null ? '' : secondsText(memoryFrom);
  const { moment: words, common } = useWords();
  // before the first snapshot it is unknown whether a recording is open
  const isConnected = useLive((state) => state.snapshotCount > 0);
  const close = ways.onRead && (
    <button type="button" className="button is-small" onClick={ways.onRead}>
      {common.close}
    </button>
  );
  return (
    <>
      {broken.length > 0 && (
        <Notice tone="hint" title={words.brokenLink(broken.join(', '))} actions={close}>
          {words.brokenLinkHint}
        </Notice>
      )}
      {isConnected && elsewhere !== undefined && (
        <Notice tone="hint" title={words.elsewhere(elsewhere)} actions={close}>
          {words.elsewhereHint(elsewhere)}
        </Notice>
      )}
      {forgotten !== 'shown' && (
        <Notice
          tone="hint"
          title={titleOf(forgotten, since, words)}
          actions={
            <>
              {ways.onLive && forgotten !== 'mark-forgotten' && (
                <button type="button" className="button is-small is-primary" onClick={ways.onLive}>
                  {words.goLive}
                </button>
              )}
              <button type="button" className="button is-small" onClick={ways.onClose}>
                {common.close}
              </button>
            </>
          }
        >
          {forgotten === 'mark-forgotten' ? words.markForgottenHint : words.momentForgottenHint}
        </Notice>
      )}
    </>
  );
}

function titleOf(forgotten: NonNullable<LinkNoticesProps['forgotten']>, since: string, words: Words['moment']): string {
  if (forgotten === 'mark-forgotten') return words.markForgotten;
  if (forgotten === 'moment-unseen') return words.momentUnseen(since);
  return words.momentForgotten(since);
}
