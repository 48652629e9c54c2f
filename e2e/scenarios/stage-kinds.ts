import type { StagePage } from '../pages/stage-page.ts';
import type { Lockscope, ToldEvent } from '../support/clients/lockscope.ts';
import { expect } from './stage.ts';

/** One beat of a scenario as the stage showed it: what was said, and what stood on the cards then. */
export type Beat = { caption: string; redis: string; cards: Readonly<Record<'A' | 'B' | 'C', string>> };

/**
 * Plays a scenario to its end, where `last` is said, then goes through it beat by beat from its beginning. A caption that
 * stands for several beats is given once, with the cards as they were when it came.
 */
export async function beatsOf(stage: StagePage, scenario: string, last: RegExp): Promise<Beat[]> {
  await stage.page.getByRole('combobox', { name: 'Scenario' }).selectOption(scenario);
  await stage.start(scenario);
  await expect(stage.state).toContainText('Playing.');
  await expect(stage.state).toContainText('Done.', { timeout: 60_000 });
  await stage.page.keyboard.press('End');
  await expect(stage.caption).toHaveText(last);
  await expect(stage.button('Play again')).toBeVisible();
  await stage.button('From the start').click();
  await stage.button('Pause').click();
  while (await stage.button('One beat back').isEnabled()) await stage.button('One beat back').click();
  const beats: Beat[] = [];
  while (await stage.button('One beat on').isEnabled()) {
    await stage.button('One beat on').click();
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

/** What was said, without its times, and without the refills: both are another's every time. */
export function saidIn(beats: readonly Beat[]): string[] {
  const captions = beats.map(({ caption }) => caption.replace(/[\d.,]+ (ms|µs|s|seconds)\b/g, '… $1'));
  return captions.filter((caption) => !/watchdog refills/.test(caption));
}

/** The beat whose caption begins so. */
export function beatAt(beats: readonly Beat[], caption: string): Beat {
  const found = beats.find((beat) => beat.caption.startsWith(caption));
  if (!found) throw new Error(`nothing said "${caption}"; said: ${beats.map((beat) => beat.caption).join(' | ')}`);
  return found;
}

/** A time between two events as captions write it: `0.3 ms`, `12 ms`, `80 µs`. */
export function wakeText(from: number, to: number): string {
  const ms = (to - from) / 1000;
  if (ms < 0.095) return `${Math.round(ms * 1000)} µs`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** The events of a lock since a run began, as the demo's own API tells them. */
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
