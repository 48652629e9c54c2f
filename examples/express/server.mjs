// Lockscope inside an Express application (4 or 5), behind the application's own login.
import { createServer } from 'node:http';
import express from 'express';
import { createLockscope } from 'lockscope';

const {
  REDIS_URL = 'redis://127.0.0.1:6379',
  PORT = '3000',
  ADMIN_PASSWORD = 'change-me',
  OPTIONS = '{ "observe": "events" }',
} = process.env;

const app = express();
app.get('/', (_req, res) => res.send('Our own page'));

/** The application's own login, here with a name and a password that the browser asks for. */
function onlyAdmins(req, res, next) {
  const [, given = ''] = /^Basic (\S+)$/.exec(req.headers.authorization ?? '') ?? [];
  if (Buffer.from(given, 'base64').toString() === `admin:${ADMIN_PASSWORD}`) return next();
  res.set('WWW-Authenticate', 'Basic realm="admin"').status(401).send('Only for admins');
}

const lockscope = await createLockscope({ redis: REDIS_URL, basePath: '/ops/locks', ...JSON.parse(OPTIONS) });
app.use('/ops/locks', onlyAdmins, lockscope.router);

const server = createServer(app);
lockscope.attach(server);
await lockscope.start();
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`ready http://127.0.0.1:${server.address().port}/ops/locks`),
);

process.on('SIGTERM', async () => {
  server.close();
  await lockscope.close();
  server.closeAllConnections();
});
