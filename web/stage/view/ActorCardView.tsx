import type { ReactNode } from 'react';
import { Letter } from '../../parts/Person.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { countdownText, unbroken } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { ActorCard, ThreadView } from '../playback/actors-at.ts';
import type { StagePicture } from '../playback/stage-at.ts';

type ActorCardProps = { actor: ActorCard; highlight: StagePicture['highlight']; children?: ReactNode };

const SIGN = { running: '', frozen: '❄', cut: '◐', dead: '✕' } as const;
const DOING = {
  idle: '○',
  works: '●',
  unseen: '?',
  believes: '◍',
  lost: '✕',
  asks: '?',
  asleep: '☾',
  stuck: '∞',
} as const;

/** One client of the stage: what its threads do, its watchdog, its own timer. `children` are its buttons. */
export function ActorCardView({ actor, highlight, children }: ActorCardProps) {
  const words = useWords().stage.card;
  const highlightClass = highlight?.client === actor.client ? `is-stressed-${highlight.emphasis}` : '';
  return (
    <article
      className={`stage-card stage-actor is-${actor.state} ${highlightClass}`}
      aria-label={words.client(actor.client, actor.name)}
      data-client={actor.client}
    >
      <h3>
        <Letter letter={actor.client} /> <NameText text={actor.name} most={24} isOneLine />
      </h3>
      {actor.state !== 'running' && (
        <p className="stage-card-state">
          <span aria-hidden="true">{SIGN[actor.state]}</span> {words[actor.state]}
        </p>
      )}
      {actor.state !== 'dead' &&
        actor.threads.map((thread) => (
          <ThreadLines
            key={thread.thread}
            thread={thread}
            among={actor.threads.length}
            isFrozen={actor.state === 'frozen'}
          />
        ))}
      {children}
    </article>
  );
}

/** One thread of a card; `among` is the number of threads. With three or more, the text is shorter. */
function ThreadLines({ thread, among, isFrozen }: { thread: ThreadView; among: number; isFrozen: boolean }) {
  const words = useWords().stage.card;
  return (
    <div className="stage-thread">
      <p className={`stage-doing is-${thread.doing}`}>
        <span aria-hidden="true">{DOING[thread.doing]}</span>{' '}
        {among > 1 && <span className="quiet">{words.thread(thread.thread)} </span>}
        {isFrozen && thread.doing === 'believes' ? words.believesFrozen : <DoingText thread={thread} />}
      </p>
      {thread.waitsFor !== null && thread.holds.length > 0 && (
        <p className="stage-doing is-works">
          <span aria-hidden="true">●</span> <HoldsText thread={thread} />
        </p>
      )}
      {thread.doing === 'asleep' && (
        <>
          {among < 3 && <ListensLine listens={thread.listens} />}
          {thread.wakesInMs !== null && (
            <p className="stage-own-timer">
              <span aria-hidden="true">◷</span> {words.ownTimer(unbroken(countdownText(thread.wakesInMs)))}
            </p>
          )}
        </>
      )}
      <KindLine thread={thread} />
      <WatchdogLine thread={thread} />
    </div>
  );
}

function ListensLine({ listens }: Pick<ThreadView, 'listens'>) {
  const { stage, stageKinds } = useWords();
  const { listensAlone, listensForPermits, listensForLatch } = stageKinds.card;
  const words = {
    unlock: stage.card.listening,
    alone: listensAlone,
    permits: listensForPermits,
    latch: listensForLatch,
  };
  return <p className="quiet">{words[listens]}</p>;
}

/** Facts of some kinds of lock: the place in a queue, attempts without sleep, the fencing token. */
function KindLine({ thread }: { thread: ThreadView }) {
  const words = useWords().stageKinds.card;
  const { doing, place, polls, token } = thread;
  const lines = [
    place === null ? null : words.place(place),
    polls === null ? null : words.spins(polls),
    token === null ? null : doing === 'believes' ? words.oldToken(token) : words.token(token),
  ].filter((line) => line !== null);
  return lines.map((line) => (
    <p key={line} className="stage-kind-line">
      {line}
    </p>
  ));
}

function DoingText({ thread }: { thread: ThreadView }) {
  const { stage, stageKinds } = useWords();
  const [words, kinds] = [stage.card, stageKinds.card];
  const count = thread.count === null ? '' : `×${thread.count}`;
  // it waits for a lock that it holds, which its card names already
  if (thread.doing === 'stuck') return words.stuck;
  if (thread.waitsFor !== null) {
    return (
      <NameText text={words.wants(words[thread.doing === 'asleep' ? 'asleep' : 'asks'], thread.waitsFor)} most={48} />
    );
  }
  if (thread.holds.length > 0) return <HoldsText thread={thread} />;
  const { doing, mode } = thread;
  if (mode === 'permit' && (doing === 'believes' || doing === 'lost')) return kinds.permit[doing];
  if (doing === 'unseen') return words.lastSeen(count);
  if (doing !== 'works') return words[doing];
  if (mode === 'permit') return kinds.hasPermits(thread.count ?? 1);
  if (thread.mode === 'read') return words.reads(count);
  if (thread.mode !== 'write') return words.works(count);
  const reads = thread.alsoReads === null ? '' : `${words.and}${words.reads(`×${thread.alsoReads}`)}`;
  return `${words.writes(count)}${reads}`;
}

/** The locks that a thread holds, if the stage has several. */
function HoldsText({ thread }: { thread: ThreadView }) {
  const words = useWords().stage.card;
  const held = thread.holds.map(({ lock, count }) => (count === null ? lock : `${lock}\u00a0×${count}`));
  return <NameText text={words.works(held.join(words.and))} most={80} />;
}

function WatchdogLine({ thread }: { thread: ThreadView }) {
  const words = useWords().stage.card;
  const { watchdog, renewalInMs, renewalEveryMs } = thread;
  if (watchdog === null) return null;
  if (watchdog === 'off') return <p className="quiet">{words.noWatchdog}</p>;
  if (renewalInMs === null || renewalEveryMs === null) return null;
  const share = Math.min(1, Math.max(0, 1 - renewalInMs / renewalEveryMs));
  const isSilent = watchdog === 'silent';
  const textOf = (ms: number) => unbroken(countdownText(Math.max(0, ms)));
  const renewal = !isSilent
    ? words.nextRenewal(textOf(renewalInMs))
    : renewalInMs > 0
      ? words.renewalDue(textOf(renewalInMs))
      : words.renewalOverdue(textOf(-renewalInMs));
  return (
    <p className={`stage-watchdog is-${watchdog}`}>
      <span className="stage-gauge" style={{ '--share': share } as React.CSSProperties} aria-hidden="true" />
      <span>{words.watchdogTo(isSilent ? words.watchdogSilent : words.watchdog, renewal)}</span>
    </p>
  );
}
