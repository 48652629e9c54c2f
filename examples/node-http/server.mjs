// Two Lockscopes inside one plain node:http server, each with its own Redis and its own path.
import { createServer } from 'node:http';
import { createLockscope } from 'lockscope';

const { REDIS_URL = 'redis://127.0.0.1:6379', OTHER_REDIS_URL = REDIS_URL, PORT = '3000' } = process.env;

const orders = await createLockscope({ redis: REDIS_URL, basePath: '/locks/orders' });
const billing = await createLockscope({
  redis: OTHER_REDIS_URL,
  basePath: '/locks/billing',
  token: 'a-token-of-their-own',
});

/** Whether a URL is this path or below it. `/locks/ordersX` is not below `/locks/orders`. */
function isBelow(path, url) {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}

const server = createServer((req, res) => {
  if (isBelow('/locks/orders', req.url)) return orders.router(req, res);
  if (isBelow('/locks/billing', req.url)) return billing.router(req, res);
  res.end('Our own page');
});
orders.attach(server);
billing.attach(server);
await Promise.all([orders.start(), billing.start()]);
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`ready http://127.0.0.1:${server.address().port}/locks/orders`),
);

process.on('SIGTERM', async () => {
  server.close();
  await Promise.all([orders.close(), billing.close()]);
  server.closeAllConnections();
});
