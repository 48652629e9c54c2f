import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';

type Traffic = { readonly bytes: number; readonly commands: number };

/** What `INFO stats` and `INFO cpu` report at one instant. */
export type LoadSample = {
  /** This machine's time, ms. */
  readonly at: number;
  readonly inputBytes: number;
  readonly commands: number;
  /** What we sent on this connection so far. The counters above include it, although it is not the application's. */
  readonly own: Traffic;
  /** CPU time of the main thread, or of the whole process before Redis 6.2. Null if INFO leaves it out. */
  readonly cpuSeconds: number | null;
  /** Connections that Redis closed because their output limit was reached. Null before Redis 7.4. */
  readonly limitCuts: number | null;
  /** What Redis itself reports about the last 1.6 s: the only rates at the first sample. */
  readonly atOnce: { readonly inputBytesPerSecond: number; readonly opsPerSecond: number };
};

/** What a Redis does in a second. Our own commands are left out, except in its CPU time. */
export type Load = {
  readonly inputBytesPerSecond: number;
  readonly opsPerSecond: number;
  /** 1 is one core. Null while unknown. */
  readonly redisCpuShare: number | null;
};

/** Reads the text of `INFO stats` and `INFO cpu`; undefined unless the server reports both bytes and commands. */
export function sampleFromInfo(text: string, at: number, own: Traffic): LoadSample | undefined {
  const fields = fieldsFromInfo(text);
  const field = (name: string): number | null => {
    const value = Number.parseFloat(fields.get(name) ?? '');
    return Number.isNaN(value) ? null : value;
  };
  const inputBytes = field('total_net_input_bytes');
  const commands = field('total_commands_processed');
  if (inputBytes === null || commands === null) return undefined;
  const cpu = (suffix: string): number | null => {
    const [user, sys] = [field(`used_cpu_user${suffix}`), field(`used_cpu_sys${suffix}`)];
    return user === null || sys === null ? null : user + sys;
  };
  return {
    at,
    inputBytes,
    commands,
    own,
    cpuSeconds: cpu('_main_thread') ?? cpu(''),
    limitCuts: field('client_output_buffer_limit_disconnections'),
    atOnce: {
      inputBytesPerSecond: (field('instantaneous_input_kbps') ?? 0) * 1024,
      opsPerSecond: field('instantaneous_ops_per_sec') ?? 0,
    },
  };
}

/** The load between two samples; undefined across a restart or another connection. */
export function loadBetween(before: LoadSample, now: LoadSample): Load | undefined {
  const seconds = (now.at - before.at) / 1000;
  const bytes = now.inputBytes - before.inputBytes - (now.own.bytes - before.own.bytes);
  const commands = now.commands - before.commands - (now.own.commands - before.own.commands);
  if (seconds <= 0 || now.commands < before.commands || now.own.commands < before.own.commands) return undefined;
  const isCpuKnown = now.cpuSeconds !== null && before.cpuSeconds !== null && now.cpuSeconds >= before.cpuSeconds;
  return {
    inputBytesPerSecond: Math.max(0, bytes) / seconds,
    opsPerSecond: Math.max(0, commands) / seconds,
    redisCpuShare: isCpuKnown ? ((now.cpuSeconds ?? 0) - (before.cpuSeconds ?? 0)) / seconds : null,
  };
}
