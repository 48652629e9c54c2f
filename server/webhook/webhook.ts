import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Observatory } from '../watch/observatory.ts';
import { Delivery, type DeliveryState } from './delivery.ts';
import { messageValues, type Opened, slackBody } from './message.ts';
import { bodyFromTemplate, type MessageBody, type Template } from './template.ts';

/** Where messages go, and what they look like. The path of the URL is a secret: never print it. */
export type WebhookConfig = { readonly url: string; readonly template?: Template };

/** How many verdicts are remembered, so that each is sent once. */
const MOST_TOLD = 10_000;

export type Webhook = { state(): DeliveryState; stop(): void };

type Of = {
  readonly observatory: Pick<Observatory, 'onBatch' | 'insights'>;
  /** The page's address. */
  readonly base: string;
  readonly warn: (message: string) => void;
  /** The pause after a first failure; for tests. */
  readonly firstPauseMs?: number;
};

/** Sends each new critical verdict once. It never delays the observatory: messages are written and sent in the background. */
export function startWebhook({ url, template }: WebhookConfig, { observatory, base, ...options }: Of): Webhook {
  const delivery = new Delivery({ url, ...options });
  const told = new Set<string>();
  const stopListening = observatory.onBatch(({ events }) => {
    for (const event of events) {
      if (!isNewCritical(event) || told.has(event.insight)) continue;
      told.add(event.insight);
      forgetOldest(told, MOST_TOLD);
      delivery.add(() => bodyOf(event));
    }
  });

  async function bodyOf(event: Opened): Promise<MessageBody> {
    const values = messageValues(event, await reportAbout(observatory, event), base);
    return template ? bodyFromTemplate(template, values) : slackBody(values);
  }

  return {
    state: () => delivery.state(),
    stop() {
      stopListening();
      delivery.stop();
    },
  };
}

function isNewCritical(event: LockEvent): event is Opened {
  return event.type === 'insight.opened' && event.severity === 'critical';
}

/** The verdicts about the lock of the event now; `undefined` if they cannot be determined. */
async function reportAbout({ insights }: Of['observatory'], { source, db, lock }: Opened): Promise<Report | undefined> {
  try {
    return await insights(lock === '' ? { source } : { source, db, lock });
  } catch {
    return undefined;
  }
}
