import { millisBetween, redisTime } from '../../shared/base/time.ts';
import type { Source } from '../../shared/wire/source.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { NameText } from '../ui/NameText.tsx';
import { countText, durationText, secondsText } from '../ui/time-text.ts';
import { HOME_PATH, isOfRecording } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import { Chip } from './Chip.tsx';

type RecordingHealthProps = { source: Source; recording: NonNullable<Source['recording']> };

/**
 * The health row of an opened recording: its file, its length and whether it is complete. A recording has no
 * connection.
 */
export default function RecordingHealth({ source, recording }: RecordingHealthProps) {
  const words = useWords();
  const { health, levels, states } = words;
  const isLost = useLive(isCutOff);
  const { startedAt, endsAt, skipped, cutShort, badLines } = recording;
  const isWhole = !cutShort && badLines.count === 0;
  const length = durationText(millisBetween(redisTime(startedAt), redisTime(endsAt)));
  return (
    <div className="health-row">
      <Chip
        dot={isLost ? '○' : isWhole ? '●' : '◐'}
        title={states.recordingTitle}
        label={<b>{isLost ? health.notConnected : states.recording}</b>}
      >
        <p>
          <NameText text={recording.name} most={200} />
        </p>
        <p>{states.recordingSpan(secondsText(startedAt), secondsText(endsAt), length)}</p>
        <p>{states.recordingMeaning}</p>
        {skipped && <p>{problemText(words, skipped).message}</p>}
        {cutShort && <p>{states.recordingCutShort}</p>}
        {badLines.count > 0 && (
          <>
            <p>{states.recordingBadLines(badLines.count)}</p>
            <ul className="plain-list">
              {badLines.first.map(({ line, reason }) => (
                <li key={line}>{states.recordingLine(line, words.problems.badLine[reason])}</li>
              ))}
            </ul>
          </>
        )}
      </Chip>
      <span className="health-url">
        <NameText text={recording.name} most={48} /> <span className="quiet">{length}</span>
      </span>
      {isOfRecording && (
        <a className="chip is-plain" href={`${HOME_PATH}/`}>
          {words.recordingList.toLive}
        </a>
      )}
      <Chip
        dot={source.level === 'monitor' ? '●' : '◐'}
        title={health.levelTitle}
        label={states.recordedLevel[source.level]}
      >
        {source.unseen.length === 0 && <p>{levels.seesAll}</p>}
        <ul className="plain-list">
          {source.unseen.map((limit) => (
            <li key={limit.message}>{problemText(words, limit).message}</li>
          ))}
        </ul>
      </Chip>
      <Chip dot={source.drift > 0 ? '◐' : '●'} title={health.driftTitle} label={health.drift(countText(source.drift))}>
        <p>{health.driftMeaning(source.drift)}</p>
      </Chip>
    </div>
  );
}
