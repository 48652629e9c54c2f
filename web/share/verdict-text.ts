import type { WrittenInsight } from '../../shared/insights/words.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Words } from '../words/words.ts';
import { asCode, asPlain, utcText } from './markdown.ts';

/** The texts of a verdict in the user's language. Their times are in UTC (`utcText`), because others read them too. */
type Texts = WrittenInsight;

const MOST_NAMED = 5;

/** A verdict in Markdown: what, where, since when and until when, who, why, and what to do. */
export function verdictSentences(insight: WireInsight, texts: Texts, at: number, words: Words): string[] {
  const { share, verdicts } = words;
  const phrases = share.verdict;
  const { severity, confidence, source, db, lock } = insight;
  const clock = utcText(at);
  return [
    phrases.head(`**${asPlain(texts.title)}**`, verdicts.severity[severity], verdicts.confidence[confidence]),
    lock === undefined || db === undefined
      ? phrases.ofSource(clock, asPlain(source))
      : phrases.ofLock(clock, asCode(lock), asPlain(source), db),
    ...timesOf(insight, words),
    ...threadsOf(insight, words),
    asPlain(texts.explanation),
    `${verdicts.now} ${asPlain(texts.advice)}`,
    ...(texts.later === undefined ? [] : [`${verdicts.later} ${asPlain(texts.later)}`]),
  ];
}

function timesOf({ from, to, isAtLeast, selfHealsAt }: WireInsight, { share: { verdict: phrases } }: Words): string[] {
  if (to !== null) return [to === from ? phrases.happened(utcText(from)) : phrases.fromTo(utcText(from), utcText(to))];
  const since = isAtLeast ? phrases.sinceBefore : phrases.since;
  return [since(utcText(from)), selfHealsAt === null ? phrases.noEnd : phrases.endsAt(utcText(selfHealsAt))];
}

function threadsOf({ holders }: WireInsight, { share }: Words): string[] {
  if (holders.length === 0) return [];
  const names = holders.slice(0, MOST_NAMED).map(asCode).join(', ');
  const more = holders.length - MOST_NAMED;
  return [share.verdict.threads(more > 0 ? share.lock.andMore(names, more) : names)];
}
