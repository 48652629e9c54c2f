import { describe, expect, test } from 'vitest';
import { expectRestored, rowWith, TopBed, topLines, UP_TO_DATE } from '../../support/top-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const HOSTILE = '\u001b]0;title\u0007\u001b[2J\u001b[31m\n锁\u202e';
const bed = new TopBed();

describe('lockscope top in a terminal', () => {
  test('shows a deadlock and locks; keys select, open, filter, pause and quit', async () => {
    const [a, b] = [await bed.client('svc-a'), await bed.client('svc-b')];
    const terminal = bed.top(['--observe', 'monitor']);
    await terminal.shows(UP_TO_DATE);
    expect(terminal.screen.modes).toEqual({ isOtherScreen: true, hasCursor: false, wraps: false });
    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    await bed.app.acquire('invoices:1');
    void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await terminal.shows(/orders:1 .* 1 +[\d.]+m?s$/m); // the lock with the oldest wait comes first
    void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    const rows = await terminal.shows(/CRITICAL {2}orders:[12] .*no known end[\s\S]*invoices:1/);
    expect(rowWith(rows, ' ! orders:1')).toMatch(/ A svc-a:1 +1 +\d+s +(?:\d+m\d\ds|\d+\.\ds) +\S+ +1 +\d+s$/);
    expect(rowWith(rows, 'invoices:1')).toMatch(/ 0$/);

    terminal.press('jj');
    await terminal.shows(/^>! orders:1/m);
    terminal.press('\u001b[B\r');
    await terminal.shows(/^Holders: 1\n {2}A svc-b:1: x1; held/m);
    await terminal.shows(/^ {2}To do: Restart one of the clients: this is the safest\./m);
    terminal.press('\u001b');
    await terminal.shows(/^>! orders:2/m);
    terminal.press('/inv');
    await terminal.shows(/^\/inv_ {2}1 held, 0 waited for, 1 match$/m);
    terminal.press('\r ');
    await terminal.shows(/PAUSED at/);
    terminal.press('q');
    await expectRestored(terminal, 0);
    expect(terminal.screen.unknown).toEqual([]);
  });

  test('is drawn again after a change of the window size', async () => {
    await bed.app.acquire('orders:42');
    const terminal = bed.top([]);
    await terminal.shows(/orders:42 .*hidden/);
    await terminal.resize(40, 12);
    const narrow = await terminal.shows(/^q quit {3}up\/down select {3}Enter open {3}…$/m);
    expect(narrow).toHaveLength(12);
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(rowWith(narrow, 'orders:42')).toMatch(/hidden$/);
    await terminal.resize(132, 40);
    expect(await terminal.shows(/HELD +LEASE WDOG/)).toHaveLength(40);
    terminal.press('\u0003');
    await expectRestored(terminal, 0);
  });

  test('cannot be controlled by a hostile name', async () => {
    await bed.app.acquire(HOSTILE);
    const terminal = bed.top([], { columns: 120 });
    const rows = await terminal.shows(/\\x1b\]0;title\\x07\\x1b\[2J\\x1b\[31m\\x0a锁\\u202e +A /);
    expect(rowWith(rows, 'title')).toMatch(/hidden$/);
    terminal.press('j\r');
    await terminal.shows(/^Newest events/m);
    expect(terminal.screen.unknown).toEqual([]);
    expect(terminal.output).not.toContain('\u001b]');
  });

  test.each([
    ['SIGTERM', 'SIGTERM', 0],
    ['an uncaught error', 'SIGUSR2', 1],
  ] as const)('%s restores the terminal', async (_, signal, exitCode) => {
    const fail = 'process.on("SIGUSR2",()=>{throw(new(Error)("uncaught"))})';
    const terminal = bed.top([], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fail)}` },
    });
    await waitFor('it to watch', () => UP_TO_DATE.test(terminal.output));
    await terminal.kill(signal);
    await expectRestored(terminal, exitCode);
    // The error is written after the screen is left, where it can be read.
    if (exitCode === 1) expect(terminal.output.split('\u001b[?1049l')[1]).toMatch(/Internal error[\s\S]*uncaught/);
  });
});

describe('lockscope top in a pipe', () => {
  test('a verdict has a line when it begins, and one when it ends', async () => {
    const command = bed.piped(bed.redis.url, '--observe', 'monitor', '--json');
    await waitFor('it to watch', () => /"isWatched":true/.test(command.out));
    await bed.app.acquire('orders:42', { leaseMs: 60_000 });
    await bed.app.command('PERSIST', 'orders:42');
    const verdict = (state: string) => () =>
      topLines(command).find((line) => line.event === 'verdict' && line.state === state);
    expect(await waitFor('a verdict', verdict('opened'))).toMatchObject({
      insight: { incident: 'no-ttl-lock', lock: 'orders:42' },
    });
    await bed.app.release('orders:42');
    expect(await waitFor('its end', verdict('closed'))).toMatchObject({ insight: { incident: 'no-ttl-lock' } });
  });

  test('ends when the reader of the pipe has gone', async () => {
    const command = bed.piped(bed.redis.url, '--observe', 'monitor');
    await waitFor('it to watch', () => /Watched: /.test(command.out));
    command.child.stdout?.destroy();
    await bed.app.acquire('orders:42');
    expect(await command.ended()).toBe(0);
  });
});
