import { z } from 'zod';
import { MEASURED_LEVELS } from '../../../../shared/doctor/level-costs.ts';
import { doctorBody, measurementBody, measureRequest } from '../../../../shared/wire/doctor.ts';
import { source as sourceParameter } from '../../../../shared/wire/query.ts';
import { DoctorRefusal } from '../../../doctor/doctor.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem, withoutServer } from '../../problems/problem.ts';
import { checkSource, sourcePath } from '../observe.ts';

export const doctorRoute = route({
  method: 'GET',
  path: '/doctor',
  operation: 'examineServers',
  tag: 'sources',
  summary: 'Examines the servers of all sources, or of one: what endangers locks there, and what can be seen.',
  refusals: { 404: ['unknown-source'], 409: ['recording', 'watched-elsewhere'] },
  query: z.object({ source: sourceParameter.optional() }),
  answer: doctorBody,
}).handledBy(({ observatory, doctor }: ApiContext, { query: { source } }) => {
  if (source !== undefined) checkSource(observatory, source, 'source');
  checkLive(observatory);
  const ids = source === undefined ? observatory.sources().map(({ id }) => id) : [source];
  return {
    inTurn: async (signal) => {
      const at = Date.now() * 1000;
      return { v: 1, at, sources: await doctor.reports(ids, signal) };
    },
  };
});

export const measureRoute = route({
  method: 'POST',
  path: '/sources/:id/measure',
  operation: 'measureCosts',
  tag: 'sources',
  summary: 'Begins to measure what each level costs a server: each of them is on for 2 s.',
  refusals: { 404: ['unknown-source'], 409: ['recording', 'watched-elsewhere', 'measuring-already', 'not-connected'] },
  params: sourcePath,
  body: measureRequest,
  answer: measurementBody,
  mayGoOn: true,
}).handledBy(async ({ observatory, doctor }: ApiContext, { params: { id }, body: { levels } }) => {
  checkSource(observatory, id);
  checkLive(observatory);
  try {
    const asked = MEASURED_LEVELS.filter((level) => levels === undefined || levels.includes(level));
    return { status: 202, body: { v: 1, measurement: await doctor.measure(id, asked) } };
  } catch (error) {
    throw error instanceof DoctorRefusal ? new HttpProblem(409, error.problem) : error;
  }
});

/** The measurement that runs, or the last measurement. */
export const measurementRoute = route({
  method: 'GET',
  path: '/measurement',
  operation: 'getMeasurement',
  tag: 'sources',
  summary: 'Shows how far the measurement is, and its result.',
  answer: measurementBody,
}).handledBy(({ doctor }: ApiContext) => ({ body: { v: 1, measurement: doctor.measurement } }));

export const cancelMeasurementRoute = route({
  method: 'DELETE',
  path: '/measurement',
  operation: 'cancelMeasurement',
  tag: 'sources',
  summary: 'Cancels the measurement, and answers once no level of it is on.',
  answer: measurementBody,
}).handledBy(async ({ doctor }: ApiContext) => {
  await doctor.cancel();
  return { body: { v: 1, measurement: doctor.measurement } };
});

/** Throws a 409 if the observatory has no server: it plays a recording, or it belongs to a viewer. */
function checkLive(observatory: ApiContext['observatory']): void {
  if (!observatory.serverOf) throw withoutServer(observatory);
}
