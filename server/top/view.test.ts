import { describe, expect, test } from 'vitest';
import { story } from '../../testing/stories/story.ts';
import { screenOf } from './screen/screen.ts';
import { type Key, keyOf } from './terminal/keys.ts';
import { look } from './testing/shown.ts';
import { observeStory } from './testing/story-observatory.ts';
import { FIRST_VIEW, pressed, type View } from './view.ts';

const key = (name: string): Key => ([...name].length === 1 ? { name: 'text', text: name } : ({ name } as Key)); // tests name keys that exist

async function threeLocks() {
  const names = ['a', 'b', 'c'];
  const observatory = observeStory(names.flatMap((name) => story(`${name} lease 30s\n0.000 A attempts acquired`)));
  observatory.passTo(1);
  return look(observatory);
}

/** The view after some keys. */
async function after(...names: string[]): Promise<View | 'quit'> {
  const sight = await threeLocks();
  let view = FIRST_VIEW;
  for (const name of names) {
    const next = pressed(view, key(name), screenOf(sight, view, { columns: 80, rows: 24 }));
    if (next === 'quit') return next;
    view = next;
  }
  return view;
}

describe('keys', () => {
  test('the selection moves and stays on its lock', async () => {
    expect(await after('down')).toMatchObject({ selected: 'lock story/0/a' });
    expect(await after('down', 'j')).toMatchObject({ selected: 'lock story/0/b' });
    expect(await after('j', 'j', 'k')).toMatchObject({ selected: 'lock story/0/a' });
    expect(await after('end', 'down')).toMatchObject({ selected: 'lock story/0/c' });
    expect(await after('end', 'home')).toMatchObject({ selected: 'lock story/0/a' });
    expect(await after('page-down', 'page-up')).toMatchObject({ selected: 'lock story/0/a' });
  });

  test('Enter opens the selected lock, or the first one; Esc goes back', async () => {
    const a = { lockId: 'story/0/a', verdictId: null };
    expect(await after('enter')).toMatchObject({ page: a });
    expect(await after('down', 'down', 'enter')).toMatchObject({ page: { ...a, lockId: 'story/0/b' } });
    expect(await after('enter', 'escape')).toMatchObject({ page: 'list', selected: 'lock story/0/a' });
    expect(await after('?', 'escape')).toMatchObject({ page: 'list' });
  });

  test('a filter is typed, and q and space are part of it', async () => {
    expect(await after('/', 'q', ' ', 'x', 'backspace')).toMatchObject({
      filter: 'q ',
      isTyping: true,
      isPaused: false,
    });
    expect(await after('/', 'q', 'enter')).toMatchObject({ filter: 'q', isTyping: false });
    expect(await after('/', 'q', 'escape')).toMatchObject({ filter: '', isTyping: false });
    expect(await after('/', 'q', 'enter', 'escape')).toMatchObject({ filter: '' });
  });

  test('space pauses or goes on, and typing a filter ends a pause', async () => {
    expect(await after(' ')).toMatchObject({ isPaused: true });
    expect(await after(' ', ' ')).toMatchObject({ isPaused: false });
    expect(await after(' ', '/')).toMatchObject({ isPaused: false, isTyping: true });
  });

  test('q quits on the list and on the help page, Ctrl-C while a filter is typed', async () => {
    expect(await after('q')).toBe('quit');
    expect(await after('?', 'q')).toBe('quit');
    expect(await after('/', 'interrupt')).toBe('quit');
  });

  test('a page scrolls to its end and no further', async () => {
    const end = await after('?', 'end');
    expect(await after('?', 'end', 'down')).toEqual(end);
    expect(end).not.toMatchObject({ scroll: 0 });
    expect(await after('?', 'end', 'home')).toMatchObject({ scroll: 0 });
  });
});

test.each([
  ['q', { name: 'q' }, { name: 'text', text: 'q' }],
  ['锁', {}, { name: 'text', text: '锁' }],
  [undefined, { name: 'up' }, { name: 'up' }],
  [undefined, { name: 'escape', meta: true }, { name: 'escape' }],
  ['\r', { name: 'return' }, { name: 'enter' }],
  ['\u0003', { name: 'c', ctrl: true }, { name: 'interrupt' }],
  ['\u001a', { name: 'z', ctrl: true }, { name: 'suspend' }],
  [undefined, { name: 'f5' }, undefined],
  ['x', { name: 'x', meta: true }, undefined],
])('the keypress %j %j is the key %j', (text, press, wanted) => {
  expect(keyOf(text, press)).toEqual(wanted);
});
