import { expect, test } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { EN } from '../../words/en.ts';
import { beatsFromEvents, type Storyboard } from '../beats/beats-from-events.ts';
import { LENS_MS } from '../beats/moves-of.ts';
import { captionText } from '../captions/caption.ts';
import { RELEASE, runOf, SHOW } from '../testing/runs.ts';
import { advanced, atEdge, type Pace, type Playback, READ_MS, stepped } from './playback.ts';
import { startOf } from './position.ts';
import { stageAt } from './stage-at.ts';

const FRAME_MS = 16;
const SHOW_STORYBOARD = beatsFromEvents(SHOW());
const END = redisTime((SHOW_STORYBOARD.beats.at(-1)?.at ?? 0) + 5_000_000);

function begin(storyboard: Storyboard): Playback {
  return { position: startOf(storyboard), isPlaying: true, readMs: 0 };
}

const paceAt = (edge: RedisTime, part: Partial<Pace> = {}): Pace => ({ edge, speed: 1, isFree: false, ...part });

/** Plays for 120 s of screen time; returns each caption with the screen time it was shown. */
function play(
  storyboard: Storyboard,
  pace: (ms: number) => Pace,
  storyboardAt: (ms: number) => Storyboard = () => storyboard,
) {
  let playback = begin(storyboard);
  const captions: { text: string; ms: number }[] = [];
  const seen: string[] = [];
  for (let ms = 0; ms < 120_000; ms += FRAME_MS) {
    playback = advanced(playback, FRAME_MS, storyboardAt(ms), pace(ms));
    const picture = stageAt(storyboardAt(ms), playback.position);
    const beat = playback.position.beat;
    if (beat !== null && seen.at(-1) !== beat) seen.push(beat);
    const text = picture.caption ? captionText(picture.caption, EN) : '';
    if (captions.at(-1)?.text === text) captions[captions.length - 1]!.ms += FRAME_MS;
    else captions.push({ text, ms: FRAME_MS });
  }
  return { playback, captions: captions.filter(({ text }) => text !== ''), seen };
}

test('played from the start, every beat is shown once, and every caption for long enough', () => {
  const { captions, seen, playback } = play(SHOW_STORYBOARD, () => paceAt(END));
  expect(seen).toEqual(SHOW_STORYBOARD.beats.map(({ id }) => id));
  const expected = SHOW_STORYBOARD.beats.flatMap(({ caption }) => (caption ? [captionText(caption, EN)] : []));
  expect(captions.map(({ text }) => text)).toEqual(expected);
  for (const { text, ms } of captions) expect(ms, text).toBeGreaterThanOrEqual(READ_MS - 2 * FRAME_MS);
  expect(playback.position.at).toBeLessThan(END);
});

test('a long frame does not skip a renewal, even if the next beat follows at once', () => {
  const storyboard = beatsFromEvents(
    runOf('orders:42 lease 6s\n0.000 A attempts acquired\n2.000 A renews\n4.000 A renews\n4.010 A releases'),
  );
  const [, , second] = storyboard.beats;
  let playback = { ...begin(storyboard), readMs: READ_MS };
  const seen = new Set<string | null>();
  for (let frames = 0; frames < 100; frames++) {
    playback = advanced(playback, 250, storyboard, paceAt(seconds(10)));
    seen.add(playback.position.beat);
  }
  expect(second?.animation.holdMs).toBe(0);
  expect([...seen].filter((id) => id !== null)).toEqual(storyboard.beats.map(({ id }) => id));
});

test('a caption that counts sleeping threads shows the next count without a pause', () => {
  const threads = ['B', 'C', 'D', 'E', 'F', 'G'];
  const asleep = threads.map((who, n) => {
    const s = (part: number) => (1 + n * 0.4 + part).toFixed(4);
    return `${s(0)} ${who} attempts refused\n${s(0.001)} ${who} subscribes\n${s(0.002)} ${who} attempts refused`;
  });
  const storyboard = beatsFromEvents(runOf(`orders:42 lease 6s\n0.000 A attempts acquired\n${asleep.join('\n')}`));
  const counts = play(storyboard, () => paceAt(seconds(5))).captions.filter(({ text }) =>
    /threads sleep now/.test(text),
  );
  expect(counts.map(({ text }) => text.slice(0, 1))).toEqual(['3', '4', '5', '6']);
  for (const { ms, text } of counts.slice(0, -1)) expect(ms, text).toBeLessThan(READ_MS);
});

test('while live, events that arrive late are still shown, one beat after the other', () => {
  const whole = SHOW();
  const begun = whole.events[0]!.at;
  // the page receives everything 900 ms late, but plays only 700 ms behind Redis's clock
  const clockAt = (ms: number) => plusMillis(begun, ms);
  const storyboards = new Map<number, Storyboard>();
  const storyboardAt = (ms: number) => {
    const events = whole.events.filter(({ at }) => at <= plusMillis(clockAt(ms), -900));
    const faults = whole.faults.filter(({ at }) => at <= plusMillis(clockAt(ms), -900));
    const key = events.length * 10 + faults.length;
    const known = storyboards.get(key) ?? beatsFromEvents({ ...whole, events, faults });
    storyboards.set(key, known);
    return known;
  };
  const { seen } = play(storyboardAt(0), (ms) => paceAt(plusMillis(clockAt(ms), -700)), storyboardAt);
  expect(seen).toEqual(SHOW_STORYBOARD.beats.map(({ id }) => id));
});

test('the clock of the stage stops at the last known instant, or after the last beat if nothing follows', () => {
  const edge = plusMillis(SHOW_STORYBOARD.run.events[0]!.at, 3000);
  const { playback } = play(SHOW_STORYBOARD, () => paceAt(edge));
  expect(playback.position.at).toBe(edge);
  const done = play(SHOW_STORYBOARD, () => paceAt(redisTime(END + 60_000_000))).playback.position;
  expect(done.at).toBe(plusMillis(SHOW_STORYBOARD.reported.at(-1)!.moment.at, 1200));
});

test('at double speed the show takes half as long, at half speed twice as long', () => {
  const until = (speed: number) => {
    let playback = begin(SHOW_STORYBOARD);
    let frames = 0;
    while (playback.position.beat !== SHOW_STORYBOARD.beats.at(-1)?.id) {
      playback = advanced(playback, FRAME_MS, SHOW_STORYBOARD, paceAt(END, { speed }));
      frames++;
    }
    return frames;
  };
  expect(until(2) / until(1)).toBeCloseTo(0.5, 1);
  expect(until(0.5) / until(1)).toBeCloseTo(2, 1);
});

test('stepping forward and back shows the same pictures', () => {
  let playback = begin(SHOW_STORYBOARD);
  const there = SHOW_STORYBOARD.beats.map(() => {
    playback = stepped(playback, SHOW_STORYBOARD, 1, END);
    return stageAt(SHOW_STORYBOARD, playback.position);
  });
  expect(there.map(({ beat }) => beat?.id)).toEqual(SHOW_STORYBOARD.beats.map(({ id }) => id));
  expect(stepped(playback, SHOW_STORYBOARD, 1, END).position).toEqual(playback.position);
  const back = [...there.keys()].map(() => {
    const picture = stageAt(SHOW_STORYBOARD, playback.position);
    playback = stepped(playback, SHOW_STORYBOARD, -1, END);
    return picture;
  });
  expect(back.reverse()).toEqual(there);
  expect(playback.position).toEqual(startOf(SHOW_STORYBOARD));
});

test('between two beats, one step back leads to the earlier beat', () => {
  const playback = {
    ...begin(SHOW_STORYBOARD),
    position: {
      ...startOf(SHOW_STORYBOARD),
      at: plusMillis(SHOW_STORYBOARD.beats[1]!.at, 200),
      beat: SHOW_STORYBOARD.beats[1]!.id,
    },
  };
  expect(stepped(playback, SHOW_STORYBOARD, -1, END).position.beat).toBe(SHOW_STORYBOARD.beats[1]!.id);
});

test('steps do not lead beyond the last known instant', () => {
  const edge = plusMillis(SHOW_STORYBOARD.beats[1]!.at, 100);
  let playback = begin(SHOW_STORYBOARD);
  for (let i = 0; i < 5; i++) playback = stepped(playback, SHOW_STORYBOARD, 1, edge);
  expect(playback.position.beat).toBe(SHOW_STORYBOARD.beats[1]!.id);
  expect(atEdge(SHOW_STORYBOARD, edge).beat).toBe(SHOW_STORYBOARD.beats[1]!.id);
});

test('while paused, nothing moves', () => {
  const paused = { ...begin(SHOW_STORYBOARD), isPlaying: false };
  expect(advanced(paused, 10_000, SHOW_STORYBOARD, paceAt(END))).toBe(paused);
});

test('the lens stops the clock for `LENS_MS`', () => {
  const storyboard = beatsFromEvents(runOf(RELEASE));
  const beat = storyboard.beats.find(({ lens }) => lens)!;
  let held = 0;
  let playback = begin(storyboard);
  for (let ms = 0; ms < 60_000; ms += FRAME_MS) {
    playback = advanced(playback, FRAME_MS, storyboard, paceAt(END));
    if (stageAt(storyboard, playback.position).lensMs !== null) {
      expect(playback.position.at).toBe(beat.at);
      held += FRAME_MS;
    }
  }
  expect(Math.abs(held - LENS_MS)).toBeLessThanOrEqual(2 * FRAME_MS);
});
