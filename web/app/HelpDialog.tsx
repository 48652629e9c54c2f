import { useHealth } from '../data/queries.ts';
import { EventGlyph } from '../inspector/EventGlyph.tsx';
import { EVENT_WORDS } from '../inspector/event-words.ts';
import { Modal } from '../ui/Modal.tsx';
import { KEY_MAP, LOCAL_KEYS, TIMELINE_KEYS } from './key-map.ts';

/** The sheet of keys and signs. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const version = useHealth().data?.version;
  return (
    <Modal title="Keys and signs" onClose={onClose}>
      <div className="modal-body">
        <h3>Keys</h3>
        <KeyList keys={[...KEY_MAP, ...LOCAL_KEYS]} />
        <h3>Keys of the timeline</h3>
        <KeyList keys={TIMELINE_KEYS} />
        <h3>Signs of events</h3>
        <ul className="sign-list">
          {Object.entries(EVENT_WORDS).map(([type, { word, glyph }]) => (
            <li key={type}>
              <EventGlyph shape={glyph} /> {word}
            </li>
          ))}
        </ul>
        <h3>How sure it is</h3>
        <p>
          <span className="certainty is-observed">observed</span>: Redis said so.{' '}
          <span className="certainty is-inferred">inferred</span>: concluded from what Redis said. Times are Redis’s own
          clock, shown in your time zone.
        </p>
        {version !== undefined && <p className="quiet">Lockscope {version}</p>}
      </div>
    </Modal>
  );
}

function KeyList({ keys }: { keys: readonly { keys: readonly string[]; does: string }[] }) {
  return (
    <dl className="key-list">
      {keys.map(({ keys: names, does }) => (
        <div key={does}>
          <dt>
            {names.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
