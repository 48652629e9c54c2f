import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

/* The health check of the image. Any answer counts, also that a token is needed, by HTTP or, with --tls-cert, by HTTPS. */

const path = '//127.0.0.1:4680/api/health';
const answers = (ask, url, options) =>
  new Promise((resolve) => {
    ask(url, { timeout: 2000, ...options }, ({ statusCode }) => resolve(statusCode < 500)).on('error', () =>
      resolve(false),
    );
  });
const isHealthy =
  (await answers(get, `http:${path}`)) || (await answers(getSecurely, `https:${path}`, { rejectUnauthorized: false }));
process.exit(isHealthy ? 0 : 1);
