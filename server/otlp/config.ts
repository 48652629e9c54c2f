import { ok, type Result } from '../../shared/base/result.ts';
import { isExportUrl } from '../cli/export-url.ts';
import type { Flags } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import type { QueueLimits } from './export-queue.ts';

/** Where each signal is sent to; undefined: nowhere. The URLs may contain secrets: never print them. */
export type SignalUrls = {
  readonly traces?: string | undefined;
  readonly logs?: string | undefined;
  readonly metrics?: string | undefined;
};

/** What is exported, where to, and in which portions. */
export type OtlpConfig = {
  readonly urls: SignalUrls;
  /** Whether only the environment asks for the export: then a missing SDK causes a warning, not an error. */
  readonly isFromEnv: boolean;
  readonly spans: QueueLimits;
  readonly logs: QueueLimits;
  readonly metricsEveryMs: number;
};

/** The configuration cannot be used: nothing is exported, and the reason is logged. */
export type OtlpProblem = { readonly warning: string };

const SIGNALS = ['traces', 'logs', 'metrics'] as const;
const URL_TEXT = 'an http:// or https:// URL without user and password';
const MOST_WAITING = 100_000;
const MOST_MS = 3_600_000;

/**
 * Where to export to: `--otlp`, else the standard variables. No message contains a URL. A wrong flag is refused; a
 * wrong variable may be meant for other programs, so it is a warning.
 */
export function otlpConfig(
  flags: Pick<Flags, 'otlp'>,
  env: NodeJS.ProcessEnv,
): Result<OtlpConfig | OtlpProblem | undefined, Refusal> {
  if (flags.otlp !== undefined) {
    if (!isExportUrl(flags.otlp)) return wrongUsage(`--otlp takes ${URL_TEXT}, such as http://127.0.0.1:4318.`);
    return ok(
      configFor(
        signalUrls(() => flags.otlp, env),
        false,
        env,
      ),
    );
  }
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return ok(undefined);
  const urls = signalUrls(() => env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined, env, true);
  const given = Object.values(urls).filter((url) => url !== undefined);
  if (given.length === 0) return ok(undefined);
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol !== 'http/protobuf') {
    return ok({ warning: 'OTEL_EXPORTER_OTLP_PROTOCOL is not http/protobuf, so nothing is exported. Use --otlp URL.' });
  }
  if (!given.every(isExportUrl)) {
    return ok({ warning: `OTEL_EXPORTER_OTLP_ENDPOINT is not ${URL_TEXT}, so nothing is exported.` });
  }
  return ok(configFor(urls, true, env));
}

/** The configuration of an option: its URL, and the standard variables for everything else. */
export function otlpConfigOf(url: string, env: NodeJS.ProcessEnv): OtlpConfig {
  return configFor(
    signalUrls(() => url, env),
    false,
    env,
  );
}

/** `isOwn`: a signal may have its own URL, which is taken as it is. */
function signalUrls(base: () => string | undefined, env: NodeJS.ProcessEnv, isOwn = false): SignalUrls {
  return Object.fromEntries(
    SIGNALS.map((signal) => {
      const name = signal.toUpperCase();
      const isOff = (env[`OTEL_${name}_EXPORTER`] || 'otlp') !== 'otlp';
      const own = isOwn ? env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] || undefined : undefined;
      return [signal, isOff ? undefined : (own ?? below(base(), `v1/${signal}`))];
    }),
  );
}

function below(base: string | undefined, path: string): string | undefined {
  if (base === undefined || !URL.canParse(base)) return base;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url.href;
}

function configFor(urls: SignalUrls, isFromEnv: boolean, env: NodeJS.ProcessEnv): OtlpConfig {
  const limits = (prefix: string, delayMs: number): QueueLimits => {
    const waiting = number(env[`${prefix}_MAX_QUEUE_SIZE`], 2048, MOST_WAITING);
    return {
      waiting,
      batch: Math.min(waiting, number(env[`${prefix}_MAX_EXPORT_BATCH_SIZE`], 512, MOST_WAITING)),
      delayMs: number(env[`${prefix}_SCHEDULE_DELAY`], delayMs, MOST_MS),
    };
  };
  return {
    urls,
    isFromEnv,
    spans: limits('OTEL_BSP', 5000),
    logs: limits('OTEL_BLRP', 1000),
    metricsEveryMs: number(env.OTEL_METRIC_EXPORT_INTERVAL, 60_000, MOST_MS),
  };
}

/** The number in a variable; the default if it is not a number from 1 to `most`. */
function number(text: string | undefined, usual: number, most: number): number {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  return value >= 1 && value <= most ? value : usual;
}
