import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { LockEvent } from '../../../shared/events/event.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import { RecordingReader } from '../../../shared/recording/read-recording.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import { type Demo, demoBody } from '../../../shared/wire/demo.ts';
import { stepsFromRecording } from '../../../testing/stories/record-and-replay.ts';
import type { Storyboard } from '../beats/beats-from-events.ts';
import { stageLocks } from '../playback/stage-locks.ts';
import { storyboardOf } from '../playback/storyboard-of.ts';
import { lockOfEvent } from '../script/run.ts';
import { SCENARIO_TABLE, type ScenarioId } from '../script/scenario-table.ts';

const FOLDER = new URL('../../../server/demo/recorded/', import.meta.url);

export const SCENARIO_IDS = Object.keys(SCENARIO_TABLE) as ScenarioId[]; // the keys of the table have this type

const storyboards = new Map<ScenarioId, Storyboard>();

/** The storyboard of the recorded run of a scenario, from real clients and servers. Throws if a file is damaged. */
export function recordedStoryboard(id: ScenarioId): Storyboard {
  const known = storyboards.get(id);
  if (known) return known;
  const demo = recordedDemo(id);
  const lock = demo.lock ?? '';
  const locks = stageLocks(demo, lock);
  const events = eventsOf(id).filter(
    (event) => lockOfEvent({ locks }, event) !== null || event.type.startsWith('blind'),
  );
  const storyboard = storyboardOf({ demo, lock, locks, events, cast: [] });
  storyboards.set(id, storyboard);
  return storyboard;
}

/** What the demo reported at the end of the recorded run. */
export function recordedDemo(id: ScenarioId): Demo {
  const views = gunzipSync(readFileSync(new URL(`${id}.stage.ndjson.gz`, FOLDER))).toString();
  return demoBody.parse(JSON.parse(views.trimEnd().split('\n').at(-1) ?? ''));
}

/** The events of all sources of a run, in order of time. */
function eventsOf(id: ScenarioId): LockEvent[] {
  const groups = new GroupFinder();
  const steps = Array.from({ length: 9 }, (_, n) => new URL(`${id}${n === 0 ? '' : `-${n + 1}`}.lockscope`, FOLDER))
    .filter((file) => existsSync(file))
    .flatMap(stepsOf)
    .sort((a, b) => timeOfStep(a.step) - timeOfStep(b.step));
  let seq = 0;
  const numbers = new Map<string, number>();
  return steps.flatMap(({ step, source, interpreter }) =>
    interpreter.interpret(step).map((event) => {
      numbers.set(`${source} ${event.seq}`, ++seq);
      const because = event.because?.flatMap((cause) => numbers.get(`${source} ${cause}`) ?? []);
      return groups.take({ ...event, seq, ...(because && { because }) });
    }),
  );
}

function stepsOf(file: URL) {
  const reader = new RecordingReader();
  const signals = gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const read = reader.add(line);
      if (!read.ok) throw new Error(`${file.pathname}: ${read.error.code}`);
      return read.value;
    });
  if (!reader.header || !reader.end) throw new Error(`${file.pathname} is not complete`);
  const source = reader.header.source.id;
  const interpreter = new Interpreter({ source });
  return stepsFromRecording(signals).map((step) => ({ step, source, interpreter }));
}
