import { describe, expect, test } from 'vitest';
import { groupedEventsFromTrace } from '../traces/grouped-trace.ts';
import { goldens, goldensOfSeveral } from '../traces/read-trace.ts';
import { textOfEvents } from './text-of-events.ts';

/**
 * The events of each trace are written beside it, one a line. If an event gets another meaning, the difference can be
 * read there: `npx vitest run --project unit golden-events -u` writes them again.
 */
describe.each([...goldens(), ...goldensOfSeveral()])('$folder', ({ folder, name, isPushFirst, trace }) => {
  test(`${name}: the events are those in ${name}.events.txt`, async () => {
    const text = textOfEvents(groupedEventsFromTrace(trace(), isPushFirst));
    await expect(text).toMatchFileSnapshot(`../traces/${folder}/${name}.events.txt`);
  });
});
