import { Router } from 'express';
import { redisTime } from '../../../shared/base/time.ts';
import { type Trends, trendsQuery } from '../../../shared/wire/trends.ts';
import type { ApiContext } from '../app-context.ts';
import { checked } from '../problem.ts';
import { notAfter } from './past-instant.ts';

const USUAL_MICROS = 300_000_000;

/** `GET /api/trends`: figures over time, counted since this process started. */
export function trendsRoute({ observatory }: ApiContext): Router {
  return Router().get('/trends', (req, res) => {
    const query = checked(trendsQuery, req.query, 'query');
    const now = observatory.now();
    const to = Math.min(query.to ?? now, now);
    const from = query.from ?? Math.max(0, to - USUAL_MICROS);
    notAfter(now, 'from', from);
    const asked = { from: redisTime(Math.min(from, to)), to: redisTime(to), bins: query.bins };
    const { micros, bins, since } = observatory.trends(asked);
    const body: Trends = { v: 1, from: asked.from, to: asked.to, binMs: micros / 1000, oldestAt: since, bins };
    res.json(body);
  });
}
