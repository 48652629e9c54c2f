import { useState } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Popover } from '../ui/Popover.tsx';
import { clockText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { hrefOf } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { markdownOf } from './markdown.ts';
import { fileName, saveFile } from './save-file.ts';
import { type NotSaved, saveRecordings } from './save-recordings.ts';
import type { Shareable } from './shareable.ts';

/** A button that opens what can be shared: a link, sentences for a chat, a picture, a recording. */
export function ShareMenu({ take, className = 'button is-small' }: { take: () => Shareable; className?: string }) {
  const { share } = useWords();
  return (
    <Popover label={share.button} title={share.title} className={className}>
      {() => <ShareBody take={take} />}
    </Popover>
  );
}

function ShareBody({ take }: { take: () => Shareable }) {
  const { share } = useWords();
  const isRecording = useIsOpenRecording();
  const [shared] = useState(take);
  const url = window.location.origin + hrefOf(shared.route);
  const text = markdownOf(shared.sentences, share.linkText(shared.name), url);
  const { picture } = shared;
  const files = shared.sources.length;
  const linkHint = isRecording ? share.linkInRecording : isThisMachine() ? share.linkHere : share.linkHint;
  return (
    <div className="popover-body share">
      <h2>
        {share.title} <span className="quiet is-right">{share.of(clockText(shared.at))}</span>
      </h2>
      <p>
        <CopyButton text={url} label={share.copyLink} /> <span className="quiet">{linkHint}</span>
      </p>
      <WideBox label={share.textLabel} className="share-text">
        <pre>{text}</pre>
      </WideBox>
      <p>
        <CopyButton text={text} label={share.copyText} />
      </p>
      {picture && (
        <Save label={share.savePicture} hint={share.pictureHint}>
          {async () => {
            const file = await picture();
            if (file === null) return share.noPicture;
            saveFile(file, fileName(shared.name, shared.at, 'png'));
            return null;
          }}
        </Save>
      )}
      {files > 0 && (
        <Save
          label={share.saveRecording}
          hint={files === 1 ? share.recordingHint : `${share.recordingHint} ${share.recordingFiles(files)}`}
        >
          {async () => {
            const failed = await saveRecordings(shared);
            return failed.length === 0 ? null : failed.map(reasonOf).join(' ');
          }}
        </Save>
      )}
    </div>
  );
}

/** A button that saves a file. `children` saves it, and returns why that failed, or null. */
function Save({ label, hint, children }: { label: string; hint: string; children: () => Promise<string | null> }) {
  const { share } = useWords();
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | { reason: string }>('idle');
  const save = () => {
    setState('saving');
    children().then(
      (reason) => setState(reason === null ? 'saved' : { reason }),
      (error: unknown) => setState({ reason: reasonFrom(error) }),
    );
  };
  return (
    <p>
      <button type="button" className="button is-small" disabled={state === 'saving'} onClick={save}>
        {label}
      </button>{' '}
      <span className="quiet" role="status">
        {state === 'idle' ? hint : typeof state === 'string' ? share[state] : share.failed(state.reason)}
      </span>
    </p>
  );
}

function reasonFrom(error: unknown): string {
  const { message, hint } = problemFromError(error);
  return `${message} ${hint}`;
}

/** Why the recording of a source was not saved; with the source if there are several. */
function reasonOf({ source, error }: NotSaved): string {
  return source === null ? reasonFrom(error) : `${source}: ${reasonFrom(error)}`;
}

/**
 * Whether the page was opened by a name of this machine, such as `localhost`, which leads other users to their own
 * machines.
 */
function isThisMachine(): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(window.location.hostname);
}
