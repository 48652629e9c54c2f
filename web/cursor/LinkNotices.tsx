import { useLive } from '../data/use-live.ts';
import { Notice } from '../ui/Notice.tsx';
import type { LinkTrouble } from '../url/route.ts';
import { useWords } from '../words/language.ts';

type LinkNoticesProps = {
  route: LinkTrouble;
  forgotten?: 'shown' | 'moment-forgotten' | 'mark-forgotten';
  onClose?: () => void;
  onLive?: () => void;
};

/** What could not be shown of a link, and the way out. */
export function LinkNotices({ route: { broken = [], elsewhere }, forgotten = 'shown', ...ways }: LinkNoticesProps) {
  const { moment: words, common } = useWords();
  const isConnected = useLive((state) => state.beginning > 0); // before that nobody knows what is open
  return (
    <>
      {broken.length > 0 && (
        <Notice tone="hint" title={words.brokenLink(broken.join(', '))}>
          {words.brokenLinkHint}
        </Notice>
      )}
      {isConnected && elsewhere !== undefined && (
        <Notice tone="hint" title={words.elsewhere(elsewhere)}>
          {words.elsewhereHint(elsewhere)}
        </Notice>
      )}
      {forgotten !== 'shown' && (
        <Notice
          tone="hint"
          title={forgotten === 'moment-forgotten' ? words.momentForgotten : words.markForgotten}
          actions={
            <>
              {ways.onLive && forgotten === 'moment-forgotten' && (
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
          {forgotten === 'moment-forgotten' ? words.momentForgottenHint : words.markForgottenHint}
        </Notice>
      )}
    </>
  );
}
