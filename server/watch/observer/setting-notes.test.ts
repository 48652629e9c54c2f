import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive, type SettingNote, SettingNotes, stateDir, thisUser } from './setting-notes.ts';

let folder: string;
let notes: SettingNotes;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  notes = new SettingNotes(join(folder, 'state', 'lockscope'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOTE: SettingNote = { v: 1, server: '127.0.0.1:6379', before: '', set: 'Eghxe', users: [thisUser()] };

test('a note is read as it was written, and only its owner can read it', () => {
  expect(notes.isEmpty()).toBe(true);
  notes.write('run', NOTE);
  expect(notes.read('run')).toEqual(NOTE);
  expect(notes.read('another run')).toBeUndefined();
  expect(statSync(notes.dir).mode & 0o777).toBe(0o700);
  expect(readdirSync(notes.dir).map((name) => statSync(join(notes.dir, name)).mode & 0o777)).toEqual([0o600]);
  notes.remove('run');
  expect(notes.isEmpty()).toBe(true);
});

test.each([
  ['', 'empty'],
  ['{', 'cut'],
  [JSON.stringify({ ...NOTE, before: 'x\r\nFLUSHALL' }), 'other flags'],
  ['9'.repeat(70_000), 'large'],
])('a file that is not a note is ignored: %#', (text) => {
  notes.write('run', NOTE);
  writeFileSync(join(notes.dir, readdirSync(notes.dir)[0] ?? ''), text);
  expect(notes.read('run')).toBeUndefined();
});

test('a server name with `../` leads to a file inside the folder', () => {
  notes.write('../../../etc/x', NOTE);
  expect(readdirSync(notes.dir)).toEqual([expect.stringMatching(/^notifications-[0-9a-f]{32}\.json$/)]);
});

test('with more than 1,000 notes, another one is refused', () => {
  notes.write('run', NOTE);
  for (let n = 0; n < 1000; n++) writeFileSync(join(notes.dir, `${n}.json`), '');
  expect(() => notes.write('one more', NOTE)).toThrow(/1000 notes/);
});

test('a process that ended, whose id was reused, or that is this one is not another running Lockscope', () => {
  expect(isAlive({ pid: process.ppid, began: 'another time' })).toBe(false);
  expect(isAlive({ pid: 2 ** 22 - 1, began: '' })).toBe(false);
  expect(isAlive(thisUser())).toBe(false);
});

test('a relative state folder is ignored', () => {
  expect(stateDir({ XDG_STATE_HOME: '/var/state' })).toBe('/var/state/lockscope');
  expect(stateDir({ XDG_STATE_HOME: 'here' })).toMatch(/\.local\/state\/lockscope$/);
});
