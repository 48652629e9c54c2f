import { use } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { useLive } from '../data/live/use-live.ts';
import { asCode, asPlain, utcText } from '../share/markdown.ts';
import { PictureMaker } from '../share/picture-maker.ts';
import { ShareMenu } from '../share/ShareMenu.tsx';
import type { Shareable } from '../share/shareable.ts';
import { EVENTS } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { eventTitle } from './event-title.ts';
import { detailFromEvent } from './event-words.ts';

/** The picture shows this long before and after the event. */
const PICTURE_MICROS = 15_000_000;

export function ShareEvent({ event }: { event: LockEvent }) {
  const words = useWords();
  const makePicture = use(PictureMaker);
  const names = useLive((state) => state.names);
  const { at, lock, source, seq } = event;
  const who = 'holder' in event && event.holder !== undefined ? nameOf(event.holder, names) : null;
  const take = (): Shareable => {
    const texts = words.share;
    const clock = utcText(at);
    const type = eventTitle(event, words);
    const what = who === null ? type : `${type}, ${who}`;
    const detail = asPlain(detailFromEvent(event, words));
    const sentences = [texts.event(clock, lock === '' ? asPlain(source) : asCode(lock), what, detail)];
    if (event.by !== undefined) sentences.push(texts.sentBy(asPlain(event.by)));
    if (event.certainty === 'inferred') sentences.push(texts.inferred);
    const span = { from: redisTime(at - PICTURE_MICROS), to: redisTime(at + PICTURE_MICROS) };
    return {
      route: { ...EVENTS, lock, at, selected: seq },
      at,
      name: lock === '' ? source : lock,
      sentences,
      range: { from: at, to: at },
      sources: [source],
      ...(makePicture && lock !== '' && { picture: () => makePicture({ lockId: lockIdOf(event), ...span }) }),
    };
  };
  return <ShareMenu take={take} className="link-button" />;
}

function nameOf(holder: string, names: ReadonlyMap<string, string>): string {
  const { client, thread } = splitHolder(holder);
  return asCode(personText(client, thread, names.get(client) ?? null));
}
