import { signalsBody, signalsPath } from '../../../../shared/wire/http.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem } from '../../problems/problem.ts';

export const signalsRoute = route({
  method: 'GET',
  path: '/events/:seq/signals',
  operation: 'listSignals',
  tag: 'events',
  summary: 'Shows the Redis lines behind an event.',
  refusals: { 404: ['event-not-in-memory', 'lines-not-in-memory'] },
  params: signalsPath,
  answer: signalsBody,
}).handledBy(async ({ observatory }: ApiContext, { params: { seq } }) => {
  const { history } = observatory;
  const signals = await history.signals(seq);
  if (!signals) {
    const isThere = seq >= history.oldestSeq() && seq < history.nextSeq();
    throw new HttpProblem(
      404,
      isThere ? problem('lines-not-in-memory', { seq }) : problem('event-not-in-memory', { seq }),
      'seq',
    );
  }
  return { body: { v: 1, seq, signals: [...signals] } };
});
