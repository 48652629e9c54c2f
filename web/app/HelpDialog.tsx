import { EVENT_TYPES } from '../../shared/events/event.ts';
import { useHealth } from '../data/queries/queries.ts';
import { EventGlyph } from '../events/EventGlyph.tsx';
import { EVENT_GLYPHS } from '../events/event-glyphs.ts';
import { KEY_MAP, LOCAL_KEYS, TIMELINE_KEYS, TIMELINE_TASKS } from '../keys/key-map.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { STAGE_KEYS } from '../stage/playback/stage-keys.ts';
import { Modal } from '../ui/Modal.tsx';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { PAGE_KEYS } from './navigation/pages.tsx';

/** Reasons why a part of the timeline has no marks. */
const RANGES = ['nothing', 'blind', 'dropped', 'unloaded'] as const;

/** The help dialog: shortcuts and symbols. It is loaded when first opened. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const { common, events, frame, keys, stage } = useWords();
  const { groups } = keys;
  const version = useHealth(({ version }) => version).data;
  return (
    <Modal title={keys.title} onClose={onClose}>
      <div className="modal-body">
        <div className="key-groups">
          <KeyGroup title={groups.everywhere} rows={KEY_MAP} does={keys.does} />
          <KeyGroup title={groups.pages} rows={PAGE_KEYS} does={{ ...frame.page, ...keys.openPage }} />
          <KeyGroup title={groups.focused} rows={LOCAL_KEYS} does={keys.does} />
          {TIMELINE_TASKS.map((task) => (
            <KeyGroup
              key={task}
              title={groups[task]}
              rows={TIMELINE_KEYS.filter((row) => row.task === task)}
              does={keys.does}
            />
          ))}
          <KeyGroup title={stage.keys.title} rows={STAGE_KEYS} does={stage.keys} />
        </div>
        <h3>{groups.signs}</h3>
        <ul className="sign-list">
          {EVENT_TYPES.map((type) => (
            <li key={type}>
              <EventGlyph shape={EVENT_GLYPHS[type]} /> {events.type[type]}
            </li>
          ))}
        </ul>
        <h3>{groups.ranges}</h3>
        <ul className="range-list">
          {RANGES.map((range) => (
            <li key={range}>
              <i className={`range-sign is-${range}`} aria-hidden="true" /> {keys.range[range]}
            </li>
          ))}
        </ul>
        <h3>{groups.certainty}</h3>
        {(['observed', 'inferred'] as const).map((certainty) => (
          <p key={certainty}>
            <CertaintyMark certainty={certainty} /> {common.certaintyMeaning[certainty]}
          </p>
        ))}
        <p>{keys.clock}</p>
        <p>
          <Link to={{ page: 'incident-help', incident: null }} onClick={onClose}>
            {keys.problems}
          </Link>
        </p>
        {version !== undefined && <p className="quiet">Lockscope {version}</p>}
      </div>
    </Modal>
  );
}

type KeyGroupProps<Id extends string> = {
  title: string;
  rows: readonly { id: Id; keys: readonly string[] }[];
  does: Readonly<Record<Id, string>>;
};

function KeyGroup<Id extends string>({ title, rows, does }: KeyGroupProps<Id>) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="key-list">
        {rows.map(({ id, keys }) => (
          <div key={id}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does[id]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
