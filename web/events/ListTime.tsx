import { millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { listTimes } from '../choices/list-times.ts';
import { useChoice } from '../choices/use-choice.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useFromRedisNow } from '../data/live/use-live.ts';
import { agoText, clockText, instantText, stepText } from '../ui/time-text.ts';
import { zoneText } from '../ui/zone.ts';
import { useWords } from '../words/language.ts';

/** The instant of an event in a list: the time of day or, if the user chose ages, the distance to the instant on screen. */
export function ListTime({ at, source }: { at: RedisTime; source: string }) {
  const isAge = useChoice(listTimes) === 'age';
  useWords(); // the time zone
  const clock = clockText(at);
  return (
    <time title={isAge ? `${clock} ${zoneText(at)}` : instantText(at)}>
      {isAge ? <Age at={at} source={source} /> : clock}
    </time>
  );
}

function Age({ at, source }: { at: RedisTime; source: string }) {
  const cursor = useCursor();
  const age = useFromRedisNow(source, (now) => (now === null ? '' : agoText(Math.max(0, (now - at) / 1000))));
  return cursor.mode === 'paused' ? stepText(millisBetween(redisTime(cursor.at), at)) : age;
}
