import type { DemoServerFault } from '../../../shared/wire/demo.ts';
import type { Words } from '../../words/words.ts';

/** A thread and a lock; `server` is set if the scenario has its own servers. */
type WhoAndWhere = { readonly who: string; readonly lock: string; readonly server: string | null };
type NamedWord = 'taken' | 'asleep' | 'released' | 'released-to-waiter' | 'rolled-back' | 'never-held';

/** A caption about many threads or several locks: letters of threads, and measured numbers. */
export type SeveralCaption =
  | ({ readonly is: NamedWord } & WhoAndWhere)
  | ({ readonly is: 'refused'; readonly leftMs: number | null } & WhoAndWhere)
  | ({ readonly is: 'group-refused'; readonly of: number } & WhoAndWhere)
  | ({ readonly is: 'group-took' | 'group-complete'; readonly have: number; readonly of: number } & WhoAndWhere)
  | { readonly is: 'majority' | 'no-majority'; readonly who: string; readonly have: number; readonly of: number }
  | { readonly is: `server-${DemoServerFault['name']}`; readonly server: string }
  | {
      readonly is: 'local-taken' | 'local-waits' | 'local-waits-for-itself' | 'local-freed';
      readonly who: string;
      readonly lock: string;
    }
  | { readonly is: 'local-gave-up' | 'local-let-go'; readonly who: string; readonly afterMs: number }
  | { readonly is: 'circle'; readonly who: readonly string[] }
  | { readonly is: 'circle-broken'; readonly who: string; readonly afterMs: number }
  | { readonly is: 'lost' | 'lost-unlock'; readonly who: string; readonly server: string }
  | { readonly is: 'crowd-asleep'; readonly asleep: number }
  | { readonly is: 'crowd-message' | 'crowd-message-again'; readonly who: string; readonly listeners: number | null }
  | { readonly is: 'crowd-won'; readonly who: string; readonly afterMs: number | null }
  | { readonly is: 'crowd-lost'; readonly who: string };

/** The texts of numbers in captions. */
export type CaptionNumbers = { readonly seconds: (ms: number) => string; readonly wake: (ms: number) => string };

/** The text of a caption, in the language of `all`. */
export function severalText(caption: SeveralCaption, all: Words, numbers: CaptionNumbers): string {
  const words = all.several.captions;
  switch (caption.is) {
    case 'taken':
    case 'asleep':
    case 'released':
    case 'released-to-waiter':
    case 'rolled-back':
    case 'never-held':
      return words.named[caption.is](caption.who, where(caption, all));
    case 'local-taken':
    case 'local-waits':
    case 'local-waits-for-itself':
    case 'local-freed':
      return words.named[caption.is](caption.who, caption.lock);
    case 'refused':
      return words.refused(caption.who, where(caption, all), caption.leftMs === null ? null : leftText(caption.leftMs));
    case 'group-refused':
      return words.groupRefused(caption.who, where(caption, all), String(caption.of));
    case 'group-took':
    case 'group-complete':
      return words.group[caption.is](caption.who, where(caption, all), String(caption.have), String(caption.of));
    case 'majority':
    case 'no-majority':
      return words.votes[caption.is](caption.who, String(caption.have), String(caption.of));
    case 'server-killed':
    case 'server-link-cut':
    case 'server-promoted':
      return words.server[caption.is](caption.server);
    case 'local-gave-up':
    case 'local-let-go':
      return words.after[caption.is](caption.who, numbers.seconds(caption.afterMs));
    case 'circle':
      return words.circle(caption.who.join(' → '));
    case 'circle-broken':
      return words.circleBroken(caption.who, numbers.seconds(caption.afterMs));
    case 'lost':
    case 'lost-unlock':
      return words.failover[caption.is](caption.who, caption.server);
    case 'crowd-asleep':
      return words.crowdAsleep(String(caption.asleep));
    case 'crowd-message':
    case 'crowd-message-again':
      return words.crowdReported(caption.who, caption.listeners === null ? null : String(caption.listeners));
    case 'crowd-won':
      return words.crowdWon(caption.who, caption.afterMs === null ? null : numbers.wake(caption.afterMs));
    case 'crowd-lost':
      return words.crowdLost(caption.who);
  }
}

function where({ lock, server }: WhoAndWhere, words: Words): string {
  return server === null ? lock : words.several.on(lock, server);
}

/** Seconds with one decimal: `5.5`, `5.0`. */
function leftText(ms: number): string {
  return (ms / 1000).toFixed(1);
}
