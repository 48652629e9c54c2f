import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

const URL_OF_RECEIVER = 'https://collector.example/T0KEN';
const parse = (words: string, env: NodeJS.ProcessEnv = {}) => parseConfig(words.split(' ').filter(Boolean), env);

test('a flag or the standard variable names the receiver of all signals', () => {
  const urls = {
    traces: `${URL_OF_RECEIVER}/v1/traces`,
    logs: `${URL_OF_RECEIVER}/v1/logs`,
    metrics: `${URL_OF_RECEIVER}/v1/metrics`,
  };
  expect(parse(`--otlp ${URL_OF_RECEIVER}/`)).toMatchObject({ value: { otlp: { urls, isFromEnv: false } } });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: URL_OF_RECEIVER };
  expect(parse('demo', env)).toMatchObject({ value: { otlp: { urls, isFromEnv: true } } });
  expect(parse('check', env)).not.toHaveProperty('value.otlp');
  expect(parse('', { ...env, OTEL_SDK_DISABLED: 'true' })).not.toHaveProperty('value.otlp');
});

test('a signal can be switched off, or have its own URL', () => {
  const own = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://logs:1/x' };
  expect(parse('', own)).toMatchObject({
    value: { otlp: { urls: { traces: undefined, logs: 'http://logs:1/x', metrics: undefined } } },
  });
  expect(parse('--otlp http://all:1', { ...own, OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({
    value: { otlp: { urls: { traces: undefined, logs: 'http://all:1/v1/logs', metrics: 'http://all:1/v1/metrics' } } },
  });
});

test('queues and intervals are set by the standard variables, within limits', () => {
  const env = { OTEL_BSP_MAX_QUEUE_SIZE: '100', OTEL_METRIC_EXPORT_INTERVAL: '1e9', OTEL_BLRP_SCHEDULE_DELAY: '7' };
  expect(parse('--otlp http://x', env)).toMatchObject({
    value: {
      otlp: {
        spans: { waiting: 100, batch: 100, delayMs: 5000 },
        logs: { waiting: 2048, batch: 512, delayMs: 7 },
        metricsEveryMs: 60_000,
      },
    },
  });
});

test.each([
  ['--otlp ftp://x/T0KEN', 'takes an http:// or https:// URL'],
  ['--otlp https://T0KEN:T0KEN@x/', 'without user and password'],
  ['--otlp T0KEN:4317', 'takes an http:// or https:// URL'],
  [`check --otlp ${URL_OF_RECEIVER}`, 'only while Lockscope watches a Redis'],
  [`open x --otlp ${URL_OF_RECEIVER}`, 'only while Lockscope watches a Redis'],
])('%s is refused, and the error does not contain the address', (words, message) => {
  const result = parse(words);
  expect(result).toMatchObject({ ok: false, error: { exitCode: 2, message: expect.stringContaining(message) } });
  expect(JSON.stringify(result)).not.toContain('T0KEN');
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'T0KEN:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x/T0KEN', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'is not http/protobuf'],
])('the variables %j, which may be meant for other programs, cause a warning', (env, warning) => {
  const result = parse('', env);
  expect(result).toMatchObject({ value: { otlp: { warning: expect.stringContaining(warning) } } });
  expect(JSON.stringify(result)).not.toContain('T0KEN');
});
