import { numbersFrom } from '../../testing/stories/numbers-from.ts';

/** The commands of an ordinary application without locks; the same commands for the same `seed`. */
export function* ordinaryCommands(seed: number): Generator<string[], never> {
  const random = numbersFrom(seed);
  for (;;) {
    const percent = random(100);
    const id = String(random(100_000));
    const score = String(random(10_000));
    if (percent < 35) yield ['GET', `session:${id}`];
    else if (percent < 50) yield ['SET', `session:${id}`, session(id, score), 'EX', '1800'];
    else if (percent < 62) yield ['HGET', `user:${id}:profile`, 'displayName'];
    else if (percent < 68) yield ['HSET', `user:${id}:profile`, 'displayName', `Customer ${score}`, 'city', 'Köln'];
    else if (percent < 78) yield ['INCR', `rate-limit:api:${id}`];
    else if (percent < 84) yield ['ZADD', 'leaderboard:weekly', score, `user:${id}`];
    else if (percent < 88) yield ['LPUSH', 'queue:mail', session(id, score)];
    else if (percent < 92) yield ['RPOP', 'queue:mail'];
    else if (percent < 95) yield ['EXPIRE', `rate-limit:api:${id}`, '60'];
    else if (percent < 97) yield ['DEL', `cart:${id}`];
    else yield ['MGET', `product:${id}`, `product:${score}`, `price:${id}`];
  }
}

/** A session as JSON. MONITOR has to escape its quotes. */
function session(id: string, score: string): string {
  const page = `/products/${score}?from=search`;
  return JSON.stringify({ user: `user:${id}`, cart: [score, id], lastPage: page, token: `t-${id}-${score}` });
}
