import { isoText } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { InsightDetail } from '../../shared/events/types/insight-event.ts';
import { titleOf } from '../../shared/insights/english.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import { printable } from '../cli/printable.ts';
import type { MessageBody, MessageValues } from './template.ts';

/** An event that reports a new verdict. */
export type Opened = LockEvent & InsightDetail;

/** A value with more characters is cut. */
const LONGEST = 1500;
const LONGEST_NAME = 200;

/**
 * The values of a message. `report`: where the verdict is looked up; it may no longer be listed. `base`: the page's
 * address.
 */
export function messageValues(event: Opened, report: Report | undefined, base: string): MessageValues {
  const found = report && reportBodyFrom(report).insights.find(({ id }) => id === event.insight);
  const holders = found?.holders ?? event.holders ?? [];
  return {
    ...{ severity: event.severity, confidence: event.confidence, incident: event.incident, insight: event.insight },
    title: cut(found?.title ?? titleOf(event.incident)),
    explanation: cut(found?.explanation ?? 'It was no longer listed when this message was written.'),
    advice: cut(found?.advice ?? ''),
    lock: cut(event.lock, LONGEST_NAME),
    source: event.source,
    db: event.lock === '' ? '' : String(event.db),
    holders: cut(holders.join(', ')),
    since: isoText(found?.from ?? event.at),
    sinceBefore: found?.isAtLeast ? isoText(found.from) : '',
    endsAt: endText(found),
    page: pageOf(event, base),
  };
}

/** How many verdicts a message about several verdicts lists at most, each in a line. */
const MOST_LISTED = 20;

/**
 * The values of a message about several verdicts. Most values are those of all verdicts, or empty; `since` is the
 * earliest, and `explanation` lists the first verdicts. `others`: the number of verdicts that are only counted.
 */
export function joinedValues(events: readonly Opened[], others: number, base: string): MessageValues {
  const each = events.map((event) => messageValues(event, undefined, base));
  const all = (name: keyof MessageValues) => cut([...new Set(each.map((values) => values[name]))].join(', '));
  const lines = each.slice(0, MOST_LISTED).map(({ title, lock, source }) => `${title}: ${lock === '' ? source : lock}`);
  const unlisted = others + each.length - lines.length;
  return {
    ...{ severity: all('severity'), confidence: all('confidence'), incident: all('incident'), insight: all('insight') },
    title: `${each.length + others} verdicts`,
    explanation: [...lines, ...(unlisted > 0 ? [`… and ${unlisted} more`] : [])].join('\n'),
    advice: '',
    ...{ lock: all('lock'), source: all('source'), db: all('db'), holders: all('holders') },
    since: each.map(({ since }) => since).sort()[0] ?? '',
    sinceBefore: '',
    endsAt: '',
    page: `${base}/`,
  };
}

/** A message in the form that Slack accepts: `{"text": …}`. */
export function slackBody(values: MessageValues): MessageBody {
  const quote = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, slackText(value)]),
  ) as MessageValues; // both have the same names
  const { severity, title, lock, source, db, explanation, advice, holders, since, sinceBefore, endsAt, page } = quote;
  const place = lock === '' ? source : `${asCode(lock)} (${source}, database ${db})`;
  const text = [
    `*${severity}: ${plain(title)}*`,
    place,
    ...(holders === '' ? [] : [`Who: ${asCode(holders)}`]),
    `Since ${sinceBefore === '' ? since : `${sinceBefore} or earlier`}.${endsAt === '' ? '' : ` Ends by itself at ${endsAt}.`}`,
    ...[explanation, advice].filter((line) => line !== '').map(plain),
    page,
  ].join('\n');
  return { contentType: 'application/json', body: JSON.stringify({ text }) };
}

/** Slack reads `<!channel>` and links in angle brackets: they are escaped. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** In code neither Slack nor Mattermost looks for markup or mentions. */
function asCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/**
 * A space without width breaks mentions, links, images and addresses: a sentence may contain names from Redis, and
 * Mattermost reads Markdown.
 */
function plain(text: string): string {
  return text.replace(/@|\](?=\()|:(?=\/\/)|www(?=\.)/gi, '$&\u200b').replaceAll('`', "'");
}

function endText(found: WireInsight | undefined): string {
  return found?.selfHealsAt == null ? '' : isoText(found.selfHealsAt);
}

/** The lock's page; the overview if its name is too long for a URL, or no URL can contain it. */
function pageOf({ lock, source, db }: Opened, base: string): string {
  if (lock === '' || lock === '.' || lock === '..' || lock.length > LONGEST_NAME || /\p{Surrogate}/u.test(lock))
    return `${base}/`;
  return `${base}/locks/${encodeURIComponent(lock)}?${new URLSearchParams({ source, db: String(db) })}`;
}

function cut(text: string, most = LONGEST): string {
  const shown = printable(text);
  return shown.length > most ? `${shown.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : shown;
}
