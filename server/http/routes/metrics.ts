import { Router } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { oneAtATime } from '../limits/one-at-a-time.ts';
import type { Bounds } from '../limits/room.ts';
import { HttpProblem } from '../problems/problem.ts';

/** Serves `/metrics`: as OpenMetrics if the client prefers that to text, as Prometheus does, otherwise as text. */
export function metricsRoutes(metrics: Metrics | undefined, connections: Bounds | undefined): Router {
  const turns = oneAtATime(connections);
  return Router().get('/metrics', (req, res) => {
    if (!metrics) throw new HttpProblem(404, problem('no-metrics'));
    const { accept = '' } = req.headers;
    const isOpen = preferenceFor('application/openmetrics-text', accept) > preferenceFor('text/plain', accept);
    return turns.answer(
      res,
      (signal) => metrics.text(isOpen ? 'openmetrics' : 'text', signal),
      ({ contentType, text }) => {
        res.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' }).send(text);
      },
    );
  });
}

/**
 * How much a media type is preferred, from 0 (not named) to 1. Its version is ignored: Express would refuse a type with
 * parameters that it does not know, and Prometheus adds some.
 */
function preferenceFor(type: string, accept: string): number {
  const preferences = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return name === type ? Number(quality) || 0 : 0;
  });
  return Math.max(...preferences);
}
