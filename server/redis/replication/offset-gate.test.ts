import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import { OffsetGate } from './offset-gate.ts';

function gateWith() {
  const passed: string[] = [];
  const gate = new OffsetGate({
    moment: (micros) => redisTime(micros),
    emit: (signal) => passed.push(signal.kind === 'effects' ? String(signal.offset) : `read at ${signal.at}`),
    onLost: () => passed.push('lost'),
    onFull: () => passed.push('full'),
  });
  return { gate, passed };
}

function effects(offset: number): EffectGroup {
  return { kind: 'effects', at: redisTime(offset), offset, effects: [] };
}

test('a read is placed at its offset among the effects, although its reply arrives later', () => {
  const { gate, passed } = gateWith();
  gate.pass(effects(100));
  gate.expect('t', () => passed.push('done'));
  gate.pass(effects(140));
  gate.pass(effects(180));
  gate.reach(180);
  expect(passed).toEqual(['100']);
  gate.reply('t', () => [], 140, 500);
  expect(passed).toEqual(['100', '140', 'read at 180', '180', 'done']);
  gate.pass(effects(220));
  expect(passed.at(-1)).toBe('220');
});

test('a reply that arrives before the effects up to its offset waits for them', () => {
  const { gate, passed } = gateWith();
  gate.expect('t', () => passed.push('done'));
  gate.reply('t', () => [], 140, 130);
  gate.pass(effects(120));
  gate.reach(120);
  expect(passed).toEqual([]);
  gate.pass(effects(140));
  gate.reach(140);
  expect(passed).toEqual(['120', '140', 'read at 140', 'done']);
});

test('the offset of a read may be within commands that do not concern locks', () => {
  const { gate, passed } = gateWith();
  gate.expect('t', () => {});
  gate.pass(effects(120));
  gate.reply('t', () => [], 134, 130);
  gate.reach(134);
  expect(passed).toEqual(['120', 'read at 130']);
});

test('a refused read no longer holds the effects back', () => {
  const { gate, passed } = gateWith();
  gate.expect('t', () => passed.push('done'));
  gate.pass(effects(120));
  gate.reply('another', () => [], 0, 0);
  gate.settle();
  expect(passed).toEqual(['120', 'done']);
});
