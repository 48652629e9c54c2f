import type { Ask, Looker } from './look.ts';
import { type Screen, screenOf } from './screen/screen.ts';
import { nowOf, type Sight } from './sight.ts';
import type { Notices } from './terminal/notices.ts';
import type { Terminal } from './terminal/terminal.ts';
import { FIRST_VIEW, pressed, type View } from './view.ts';

/** How often the screen is drawn, and how often the locks are read from memory at most. */
const EVERY_MS = 500;
/**
 * A look at very many locks takes long: for 20,000 it takes half a second. At most this part of the time is spent on
 * looks.
 */
const PART_OF_TIME = 0.2;
/** How many locks can be selected. A filter finds the others. */
const MOST_LOCKS = 1000;

type Parts = {
  readonly looker: Pick<Looker, 'look' | 'refreshed'>;
  readonly terminal: Pick<Terminal, 'open' | 'draw' | 'size'>;
  readonly notices: Notices;
};

/** Shows what is observed, twice a second and after each key, until the user quits or the signal aborts. */
export async function showScreen({ looker, terminal, notices }: Parts, signal: AbortSignal): Promise<void> {
  let view = FIRST_VIEW;
  let sight: Sight | undefined;
  let screen: Screen | undefined;
  let hasQuit = false;
  let wake = (): void => undefined;

  const draw = () => {
    if (sight === undefined || hasQuit) return;
    if (!view.isPaused) sight = looker.refreshed(sight);
    screen = screenOf(sight, view, terminal.size(), notices.shownAt(performance.now()));
    terminal.draw(screen.lines);
  };
  terminal.open({
    onResize: draw,
    onKey(key) {
      const shown = screen ?? { items: [], rows: 1, mostScroll: 0 };
      const next = pressed(view, key, shown);
      if (next === 'quit') {
        hasQuit = true;
        return wake();
      }
      const before = view;
      view = next;
      draw();
      if (!isSameAsk(askOf(before), askOf(view)) || before.isPaused !== view.isPaused) wake();
    },
  });
  signal.addEventListener('abort', () => wake());
  const ticks = setInterval(draw, EVERY_MS);
  try {
    while (!hasQuit && !signal.aborted) await lookAndWait();
  } finally {
    clearInterval(ticks);
  }

  async function lookAndWait(): Promise<void> {
    const began = performance.now();
    let ask: Ask | undefined;
    if (!view.isPaused || !sight) {
      ask = askOf(view);
      sight = await looker.look(ask, signal);
    } else if (needsLock(view, sight)) {
      sight = withOpened(sight, await looker.look(askOf(view), signal));
    }
    draw();
    if (ask && !isSameAsk(ask, askOf(view))) return; // a key was pressed meanwhile
    const took = performance.now() - began;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(EVERY_MS - took, took / PART_OF_TIME));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (hasQuit || signal.aborted) wake();
    });
  }
}

function askOf({ filter, page }: View): Ask {
  return { filter, most: MOST_LOCKS, opened: typeof page === 'string' ? null : page.lockId };
}

function isSameAsk(a: Ask, b: Ask): boolean {
  return a.filter === b.filter && a.opened === b.opened;
}

/**
 * The content of a paused screen, with a lock that was opened after the pause began. The lock is as it was when the
 * pause began, if the list had it, else as it is now. Its events end when the pause began.
 */
function withOpened(paused: Sight, { opened }: Sight): Sight {
  if (opened === null) return paused;
  const lock = paused.locks.find(({ id }) => id === opened.lock.id) ?? opened.lock;
  const now = nowOf(paused, lock);
  return { ...paused, opened: { lock, events: opened.events.filter(({ at }) => at <= now) } };
}

function needsLock(view: View, { opened }: Sight): boolean {
  const wanted = askOf(view).opened;
  return wanted !== null && opened?.lock.id !== wanted;
}
