import { describe, expect, test } from 'vitest';
import { reported, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../event.ts';

const LOCK = 'orders:42 lease 30s';
const presenceIn = (events: readonly LockEvent[]) => reported(events.filter(({ type }) => type.startsWith('client.')));
const report = (text: string) => presenceIn(story(`${LOCK}\n${text}`));

describe('connected', () => {
  test('[O1] a client is reported once, when CLIENT LIST first shows a connection that sent its lock scripts', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A=app other
      6.000  redis lists A=app other
    `);
    expect(presenceIn(events)).toEqual(['client.connected A']);
    expect(events[1]).toMatchObject({
      at: seconds(1),
      lock: '',
      addresses: ['10.0.0.1:A-commands'],
      name: 'app',
      library: 'redisson',
      since: seconds(0),
    });
  });

  test('[O1] a connection that sent no lock script is not a client', () => {
    expect(report('1.000 redis lists other')).toEqual([]);
  });

  test('[O1] a client that no list has shown is not reported, although it sent a command just before the first list', () => {
    expect(report('0.500 A attempts acquired\n1.000 redis lists other\n6.000 redis lists other')).toEqual([]);
  });

  test('[O5] a client that returns after it was gone is reported as connected before its own event', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A other
      6.000  redis lists other
      9.000  A renews
    `);
    expect(reported(events.slice(-3))).toEqual(['client.gone A (inferred)', 'client.connected A', 'lease.renewed A']);
  });
});

describe('idle', () => {
  test('[O2] a client with all connections silent for over 35 s is idle since its last command', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A
      41.000 redis lists A/40
      46.000 redis lists A/45
    `);
    expect(presenceIn(events)).toEqual(['client.connected A', 'client.idle A']);
    expect(events.at(-1)).toMatchObject({ type: 'client.idle', since: seconds(1), certainty: 'observed' });
  });

  test('[O2] an idle client that sends a command is connected again', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A
      41.000 redis lists A/40
      42.000 A attempts  acquired
    `;
    expect(report(text)).toEqual(['client.connected A', 'client.idle A', 'client.connected A']);
  });
});

describe('gone', () => {
  test('[O3] a client without any connection is gone since it was last seen', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A=app other
      6.000  redis lists A=app other
      11.000 redis lists other
      16.000 redis lists other
    `);
    expect(presenceIn(events)).toEqual(['client.connected A', 'client.gone A (inferred)']);
    expect(events.at(-1)).toMatchObject({
      at: seconds(11),
      since: seconds(6),
      addresses: ['10.0.0.1:A-commands'],
      name: 'app',
    });
  });

  test('[O3] a client that is gone was last seen at its last command, if that came after the last list with the client', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A other
      3.000  A renews
      6.000  redis lists other
    `);
    const renewal = events.find(({ type }) => type === 'lease.renewed');
    expect(events.at(-1)).toMatchObject({ type: 'client.gone', at: seconds(6), since: renewal?.at });
  });

  test('[O3] a client that sent a command 0.5 s before a list without it is not reported as gone until the next list', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A other
      5.500  A renews
      6.000  redis lists other
    `;
    expect(report(text)).toEqual(['client.connected A']);
    const events = story(`${LOCK}\n${text}\n11.000 redis lists other`);
    const renewal = events.find(({ type }) => type === 'lease.renewed');
    expect(events.at(-1)).toMatchObject({ type: 'client.gone', since: renewal?.at });
  });

  test('[O3] a client is not reported as gone if no list has ever shown one of its addresses', () => {
    expect(report('0.000 A attempts acquired\n5.000 redis lists other\n9.000 redis lists other')).toEqual([]);
  });
});

describe('unknown', () => {
  test('[O4] a new connection from the host of a missing client may belong to that client, until the connection ends', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A other
      6.000  redis lists new other
    `;
    expect(report(text)).toEqual(['client.connected A', 'client.unknown A (inferred)']);
    const events = story(`${LOCK}\n${text}\n11.000 redis lists other`);
    expect(presenceIn(events).at(-1)).toBe('client.gone A (inferred)');
    expect(events.at(-1)).toMatchObject({ since: seconds(1) });
  });

  test('[O4] a new connection that another client then uses does not belong to the missing client', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A other
      6.000  redis lists B other
      7.000  B attempts  refused
      11.000 redis lists B other
    `;
    expect(report(text)).toEqual([
      'client.connected A',
      'client.unknown A (inferred)',
      'client.gone A (inferred)',
      'client.connected B',
    ]);
  });

  test('[O4] a new connection with another name does not belong to the missing client', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A=app
      6.000  redis lists new=other
    `;
    expect(report(text)).toEqual(['client.connected A', 'client.gone A (inferred)']);
  });

  test('[O4] while Redis refuses the client list, a connected client is unknown', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A
      6.000  redis cannot list
      11.000 redis cannot list
      16.000 redis lists A
    `;
    expect(report(text)).toEqual(['client.connected A', 'client.unknown A (inferred)', 'client.connected A']);
  });

  test('[O4] after a failover a client is not reported as gone, and is connected once it uses the new server', () => {
    const text = `
      0.000  A attempts  acquired
      1.000  redis lists A
      2.000  redis loses sight
      3.000  redis fails over
      4.000  redis sees again
      6.000  redis lists other
      7.000  A renews
      11.000 redis lists A
    `;
    expect(report(text)).toEqual(['client.connected A', 'client.connected A']);
  });
});

describe('causes', () => {
  test('[O6] the expiry of a renewed lease names as its cause that the client is gone', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      10.000 A renews
      11.000 redis lists A other
      16.000 redis lists other
      41.000 redis lists other
      42.000 B attempts  acquired
    `);
    const gone = events.find(({ type }) => type === 'client.gone');
    expect(events.find(({ type }) => type === 'lease.expired')?.because).toEqual([1, gone?.seq]);
  });

  test.each([
    ['re-entered', 'A attempts  reentered'],
    ['re-entered and released once', 'A attempts  reentered\n      12.500 A releases partly'],
  ])('[O6] a lease that was renewed, and then %s, expired because the client is gone', (_, again) => {
    const events = story(
      `
      other lease 600s
      0.000  B attempts  acquired
    `,
      `
      ${LOCK}
      1.000  A attempts  acquired
      10.000 A renews
      11.000 redis lists A B
      12.000 ${again}
      16.000 redis lists B
      43.000 B attempts  acquired
    `,
    );
    const gone = events.find(({ type }) => type === 'client.gone');
    const acquired = events.find(({ type, lock }) => type === 'lock.acquired' && lock === 'orders:42');
    expect(events.find(({ type }) => type === 'lease.expired')?.because).toEqual([acquired?.seq, gone?.seq]);
  });

  test('[O6] if the caller set the lease, the absence of the client is not reported as the cause of the expiry', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  redis lists A other
      6.000  redis lists other
      42.000 B attempts  acquired
    `);
    expect(events.find(({ type }) => type === 'lease.expired')?.because).toEqual([1]);
  });

  test('[W7] a waiter is presumed gone with its client, and the client is reported first', () => {
    const events = story(`
      ${LOCK}
      0.000  A attempts  acquired
      1.000  B attempts  refused
      1.001  B subscribes
      1.002  B attempts  refused
      2.000  redis lists A B B-pubsub other
      7.000  redis lists A other
    `);
    const gone = events.find(({ type }) => type === 'client.gone');
    expect(reported(events.slice(-2))).toEqual([
      'client.gone B (inferred)',
      'waiter.dequeued B presumed-gone (inferred)',
    ]);
    expect(events.at(-1)?.because).toContain(gone?.seq);
  });
});
