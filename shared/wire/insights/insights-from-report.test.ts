import { expect, test } from 'vitest';
import { reportAt } from '../../../testing/goldens/report-from-events.ts';
import { serverStory } from '../../../testing/stories/server-story.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { reportBody } from './insight.ts';
import { reportBodyFrom } from './insights-from-report.ts';

test('a list of texts in the values of an insight stays a list of texts', () => {
  const denied = {
    user: 'svc',
    reason: 'command',
    object: 'set',
    context: 'toplevel',
    by: '10.0.0.1:5',
    times: 1,
  } as const;
  const report = reportAt(serverStory({}, { s: 2, denied: [denied] }), seconds(3));
  const { insights } = reportBody.parse(JSON.parse(JSON.stringify(reportBodyFrom(report))));
  expect(insights.find(({ incident }) => incident === 'acl-denied')?.values).toEqual({
    ...{ user: 'svc', reasons: ['command'], objects: ['set'], inScript: false },
    ...{ command: null, address: '10.0.0.1:5', connection: null },
  });
});
