import type { StagePage } from '../pages/stage-page.ts';
import type { Lockscope, ToldEvent } from '../support/clients/lockscope.ts';
import { expect } from './stage.ts';

/** One beat of a scenario as the stage showed it: the caption, and the texts of the cards. */
export type Beat = { caption: string; redis: string; cards: Readonly<Record<'A' | 'B' | 'C', string>> };

/**
 * Plays a scenario to its end, where the caption matches `last`, then steps through it from the start. A caption that stays
 * for several beats is returned once, with the cards at its first beat.
 */
export async function beatsOf(stage: StagePage, scenario: string, last: RegExp): Promise<Beat[]> {
  await stage.playToTheEnd(scenario);
  await stage.page.keyboard.press('End');
  await expect(stage.caption).toHaveText(last);
  await expect(stage.lesson).toBeVisible();
  await stage.button('From the start').click();
  await stage.button('Pause').click();
  await stage.stepBackToTheStart();
  const beats: Beat[] = [];
  while (await stage.button('Next').isEnabled()) {
    await stage.button('Next').click();
    await stage.settled();
    const caption = await stage.caption.innerText();
    if (caption !== beats.at(-1)?.caption) beats.push({ caption, ...(await cardsOf(stage)) });
  }
  return beats;
}

async function cardsOf(stage: StagePage): Promise<Omit<Beat, 'caption'>> {
  const textOf = async (letter: string) => {
    const card = stage.card(letter);
    return (await card.count()) === 0 ? '' : (await card.innerText()).replace(/\s+/g, ' ');
  };
  return {
    redis: (await stage.redis.innerText()).replace(/\s+/g, ' '),
    cards: { A: await textOf('A'), B: await textOf('B'), C: await textOf('C') },
  };
}

/**
 * The captions without their times, and without what differs in every run: the watchdogs' renewals, also one that was
 * sent just before its lock was released.
 */
export function saidIn(beats: readonly Beat[]): string[] {
  const captions = beats.map(({ caption }) => caption.replace(/[\d.,]+ (ms|µs|s|seconds)\b/g, '… $1'));
  return captions.filter((caption) => !/watchdog renews|renewal is refused/.test(caption));
}

/** The captions as in `saidIn`, without attempts of a waiter whose own timer ended first on a slow machine. */
export function saidOnceIn(beats: readonly Beat[]): string[] {
  return saidIn(beats).filter((caption) => !/ asks: busy/.test(caption));
}

/** The beat whose caption begins with this text. Throws if there is none. */
export function beatAt(beats: readonly Beat[], caption: string): Beat {
  const found = beats.find((beat) => beat.caption.startsWith(caption));
  if (!found) throw new Error(`nothing said "${caption}"; said: ${beats.map((beat) => beat.caption).join(' | ')}`);
  return found;
}

/** The time between two events as captions show it: `0.3 ms`, `12 ms`, `80 µs`. */
export function wakeText(from: number, to: number): string {
  const ms = (to - from) / 1000;
  if (ms < 0.095) return `${Math.round(ms * 1000)} µs`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** The events of a lock since the current run began, from the demo's API. */
export async function eventsOf(demo: Lockscope, lock: string) {
  const { startedAt } = (await (await fetch(`${demo.url}/api/demo`)).json()) as { startedAt: number };
  return (await demo.eventsAfter(0, { lock })).filter(({ at }) => at >= startedAt);
}

/** The events of one type. */
export function only<Type extends ToldEvent['type']>(
  events: readonly ToldEvent[],
  type: Type,
): (ToldEvent & { type: Type })[] {
  return events.filter((event): event is ToldEvent & { type: Type } => event.type === type);
}
