import { expect, test } from 'vitest';
import { embedFrom } from './embed.ts';

test('the theme and the scenario of a link with `embed=1` are used, but an unknown theme is ignored', () => {
  expect(embedFrom('?embed=1&theme=dark&scenario=deadlock')).toEqual({
    isOn: true,
    theme: 'dark',
    scenario: 'deadlock',
  });
  expect(embedFrom('?embed=1')).toEqual({ isOn: true, theme: null, scenario: null });
  expect(embedFrom('?embed=1&theme=pink').theme).toBeNull();
});

test('without `embed=1`, theme and scenario of a link are ignored', () => {
  expect(embedFrom('?theme=dark&scenario=deadlock')).toEqual({ isOn: false, theme: null, scenario: null });
});
