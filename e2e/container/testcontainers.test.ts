import { expect, inject, test } from 'vitest';
import { runExample } from '../support/clients/spring-boot-example.ts';
import { hasProgram } from '../support/servers/prometheus.ts';
import { docker } from './container.ts';

const image = inject('image') ?? '';
const MISSING = hasProgram('mvn') ? '' : ' (skipped: no mvn)';
/**
 * Testcontainers uses a second image to remove containers after a crash, which this test does not need. Inside a
 * container, Testcontainers uses a third image to find its gateway: here, the Redis image of the example.
 */
const ALONE = { TESTCONTAINERS_RYUK_DISABLED: 'true', TESTCONTAINERS_TINYIMAGE_CONTAINER_IMAGE: 'redis:8.0' };

/** Maven may have to download everything. */
const WITHIN_MS = 450_000;

test.skipIf(!image || MISSING)(
  `examples/spring-boot starts the image with Testcontainers, finds the lock that was left behind, and removes the container${MISSING}`,
  async (context) => {
    const servers = { REDIS_URL: '', LOCKSCOPE_URL: '', LOCKSCOPE_TOKEN: '', LOCKSCOPE_IMAGE: image };
    const { code, output, correct, faulty, unreachable } = await runExample({ ...servers, ...ALONE });
    if (correct === '' && unreachable) context.skip(`Maven cannot download what the example needs: ${unreachable}`);
    expect(correct, output).toMatch(/ tests="3" errors="0" skipped="0" failures="0"/);
    expect(faulty, output).toMatch(/ tests="1" errors="0" skipped="0" failures="1"/);
    expect(faulty).toMatch(/stock:coffee {2}held by [-\w]+:\d+ \(client orders\) since \d\d:\d\d:\d\d/);
    expect(code).toBe(1);
    expect(await docker('ps', '--all', '--quiet', '--filter', 'label=org.testcontainers=true')).toBe('');
  },
  WITHIN_MS,
);
