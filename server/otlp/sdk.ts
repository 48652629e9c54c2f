import type { Attributes } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import type { OtlpConfig, OtlpProblem, SignalUrls } from './config.ts';

/** What Lockscope uses of the SDK of OpenTelemetry. It is optional, and loaded only if data are exported. */
export type Sdk = {
  open(urls: SignalUrls): Exporters;
  /** The resource of all exported data. `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` have precedence. */
  resource(attributes: Attributes): Resource;
};

/**
 * Each function sends items to the receiver. The SDK retries; then the function rejects if the receiver did not accept
 * the items. If a function is missing, its signal is switched off.
 */
type Exporters = {
  readonly spans?: (spans: ReadableSpan[]) => Promise<void>;
  readonly logs?: (records: ReadableLogRecord[]) => Promise<void>;
  readonly metrics?: (metrics: ResourceMetrics) => Promise<void>;
};

const VERSION = '0.223';
/** The line that installs what `loadSdk` needs. */
const INSTALL_SDK = `npm install ${['trace', 'logs', 'metrics']
  .map((signal) => `@opentelemetry/exporter-${signal}-otlp-proto@${VERSION}`)
  .join(' ')} @opentelemetry/resources@2`;

/** Loads the SDK. Fails with the line that installs it if a package is missing. */
export async function loadSdk(): Promise<Result<Sdk, string>> {
  try {
    const [{ OTLPTraceExporter }, { OTLPLogExporter }, { OTLPMetricExporter }, resources] = await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-logs-otlp-proto'),
      import('@opentelemetry/exporter-metrics-otlp-proto'),
      import('@opentelemetry/resources'),
    ]);
    return ok({
      open: ({ traces, logs, metrics }) => ({
        ...(traces === undefined ? {} : { spans: sender(new OTLPTraceExporter({ url: traces })) }),
        ...(logs === undefined ? {} : { logs: sender(new OTLPLogExporter({ url: logs })) }),
        ...(metrics === undefined ? {} : { metrics: sender(new OTLPMetricExporter({ url: metrics })) }),
      }),
      resource: (attributes) =>
        resources
          .defaultResource()
          .merge(resources.resourceFromAttributes(attributes))
          .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error; // what import() rejects with
    return fail(`OpenTelemetry needs packages that are not installed. Install them beside Lockscope: ${INSTALL_SDK}`);
  }
}

/**
 * The SDK, if it is needed. Fails if the command line asks for it and it is not installed. If only the environment
 * does, that may be meant for other programs, so it is a warning and nothing is exported.
 */
export async function sdkFor(
  config: OtlpConfig | OtlpProblem | undefined,
  { warn, info }: Readonly<Record<'warn' | 'info', (line: string) => void>>,
): Promise<Result<{ readonly config: OtlpConfig; readonly sdk: Sdk } | undefined, string>> {
  if (config === undefined) return ok(undefined);
  if ('warning' in config) {
    warn(config.warning);
    return ok(undefined);
  }
  const sdk = await loadSdk();
  if (sdk.ok && config.isFromEnv) info('exporting to OpenTelemetry, because the environment names a receiver');
  if (sdk.ok) return ok({ config, sdk: sdk.value });
  if (!config.isFromEnv) return sdk;
  warn(`Nothing is exported: ${sdk.error}`);
  return ok(undefined);
}

type Exporter<T> = {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
};

function sender<T>(exporter: Exporter<T>): (items: T) => Promise<void> {
  return (items) =>
    new Promise((resolve, reject) => {
      exporter.export(items, ({ code, error }) => (code === 0 ? resolve() : reject(error)));
    });
}

/** Why an export failed. The texts of errors may contain the address, so only known ones are reported. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }; // the error comes from the SDK, or from Node
  if (typeof code === 'number') return `the receiver answered ${code}`;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return `the receiver cannot be reached (${code})`;
  if (message === 'Export failed with retryable status') return 'the receiver answered 429, 502, 503 or 504 each time';
  return message === 'Request timed out' ? 'the receiver did not answer in time' : 'the export failed';
}
