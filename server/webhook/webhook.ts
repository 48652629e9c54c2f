import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Observatory } from '../watch/observatory.ts';
import { Delivery, type DeliveryState } from './delivery.ts';
import { joinedValues, messageValues, type Opened, slackBody } from './message.ts';
import { bodyFromTemplate, type MessageBody, type MessageValues, type Template } from './template.ts';

/** The address and the form of messages. The path of the URL is a secret: never print it. */
export type WebhookConfig = { readonly url: string; readonly template?: Template };

/** How many verdicts are remembered, so that each is sent once. */
const MOST_REPORTED = 10_000;
/** One cause often leads to several verdicts within a short time: they go into one message. */
const GATHER_MS = 1000;
/** Between the beginnings of two messages. */
const EVERY_MS = 10_000;
/** A message takes up at most this many verdicts; further verdicts are only counted. */
const MOST_GATHERED = 1000;

/** `waiting`: messages that are not delivered yet. */
export type Webhook = { state(): DeliveryState & { readonly waiting: number }; stop(): void };

type WebhookOptions = {
  readonly observatory: Pick<Observatory, 'onBatch' | 'insights'>;
  /** The page's address. */
  readonly base: string;
  readonly warn: (message: string) => void;
  /** For tests: the pause after a first failure, before a message, and between the beginnings of two messages. */
  readonly firstPauseMs?: number;
  readonly gatherMs?: number;
  readonly everyMs?: number;
};

/**
 * Sends each new critical verdict once. Verdicts that open within a second, or while a message is sent and in the pause
 * after it, go into one message. The observatory is never delayed: messages are written and sent in the background, one
 * after the other.
 */
export function startWebhook({ url, template }: WebhookConfig, options: WebhookOptions): Webhook {
  const { observatory, base, warn, gatherMs = GATHER_MS, everyMs = EVERY_MS } = options;
  const delivery = new Delivery({ url, ...options });
  const reported = new Set<string>();
  let gathered: Opened[] = [];
  let more = 0;
  let notBefore = 0;
  let isSending = false;
  let timer: NodeJS.Timeout | undefined;

  const stopListening = observatory.onBatch(({ events }) => {
    for (const event of events) {
      if (!isNewCritical(event) || reported.has(event.insight)) continue;
      reported.add(event.insight);
      forgetOldest(reported, MOST_REPORTED);
      if (gathered.length < MOST_GATHERED) gathered.push(event);
      else more++;
    }
    schedule();
  });

  function schedule(): void {
    if (gathered.length === 0 || isSending || timer) return;
    timer = setTimeout(send, Math.max(gatherMs, notBefore - performance.now()));
    timer.unref();
  }

  async function send(): Promise<void> {
    timer = undefined;
    isSending = true;
    notBefore = performance.now() + everyMs;
    const [events, others] = [gathered, more];
    gathered = [];
    more = 0;
    await delivery.deliver(() => bodyOf(events, others));
    isSending = false;
    schedule();
  }

  async function bodyOf(events: readonly Opened[], others: number): Promise<MessageBody> {
    const values = await valuesOf(events, others);
    return template ? bodyFromTemplate(template, values) : slackBody(values);
  }

  async function valuesOf([first, ...rest]: readonly Opened[], others: number): Promise<MessageValues> {
    if (!first) throw new Error('a message has a verdict');
    if (rest.length > 0) return joinedValues([first, ...rest], others, base);
    return messageValues(first, await reportAbout(observatory, first), base);
  }

  const waiting = () => (isSending ? 1 : 0) + (gathered.length > 0 ? 1 : 0);
  return {
    state: () => ({ waiting: waiting(), ...delivery.state() }),
    stop() {
      stopListening();
      clearTimeout(timer);
      timer = undefined;
      if (waiting() > 0) warn('Lockscope ends: the newest verdicts were not sent to the webhook.');
      gathered = [];
      delivery.stop();
    },
  };
}

function isNewCritical(event: LockEvent): event is Opened {
  return event.type === 'insight.opened' && event.severity === 'critical';
}

/** The verdicts about the lock of the event now; `undefined` if they cannot be determined. */
async function reportAbout(
  { insights }: WebhookOptions['observatory'],
  { source, db, lock }: Opened,
): Promise<Report | undefined> {
  try {
    return await insights(lock === '' ? { source } : { source, db, lock });
  } catch {
    return undefined;
  }
}
