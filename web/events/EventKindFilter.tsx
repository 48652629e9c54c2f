import { EVENT_TYPES, type EventType } from '../../shared/events/event.ts';
import { TOPICS, type Topic, typesOf } from '../../shared/events/topics.ts';
import { useWords } from '../words/language.ts';

type Kind = { readonly type: EventType | null; readonly topic: Topic | null };

/** The filter for one type of event or for a topic, and a button for the topic that matters in an incident. */
export function EventKindFilter({ type, topic, onChange }: Kind & { onChange: (kind: Kind) => void }) {
  const { common, eventList, events } = useWords();
  const choose = (value: string) =>
    onChange({
      type: EVENT_TYPES.find((type) => type === value) ?? null,
      topic: TOPICS.find((topic) => topic === value) ?? null,
    });
  const isTrouble = topic === 'trouble';
  return (
    <>
      <label className="field">
        <span>{eventList.filter.event}</span>
        <select value={type ?? topic ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{common.any}</option>
          {TOPICS.map((topic) => (
            <optgroup key={topic} label={eventList.topic[topic]}>
              <option value={topic}>{eventList.wholeTopic(eventList.topic[topic])}</option>
              {typesOf(topic).map((type) => (
                <option key={type} value={type}>
                  {events.type[type]}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="button is-small"
        aria-pressed={isTrouble}
        onClick={() => choose(isTrouble ? '' : 'trouble')}
      >
        {eventList.onlyTrouble}
      </button>
    </>
  );
}
