import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { ENGLISH, textOf } from '../../shared/doctor/english.ts';
import { findingsFrom } from '../../shared/doctor/examine.ts';
import { type Finding, INCIDENTS, REFERENCES } from '../../shared/doctor/finding.ts';
import type { FindingView } from '../../shared/wire/doctor.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import { capabilitiesOf, type Diagnosis } from '../redis/connection/capabilities.ts';
import { RawConnection } from '../redis/connection/raw-connection.ts';
import { failedDiagnosis, tryLevels } from '../redis/levels/try-levels.ts';
import { readServer, refusalOf } from './read-server.ts';

/** The diagnosis of one server with everything that endangers locks there. */
export type Examination = Diagnosis & { readonly findings: readonly FindingView[] };

/** Connects, reads what is permitted, disconnects. Changes nothing. Never rejects: a failure is part of the result. */
export async function examineServer(url: RedisUrl, toProblem: (error: unknown) => Problem): Promise<Examination> {
  let connection: RawConnection | undefined;
  try {
    connection = await RawConnection.open(url);
    const hello = await connection.greet(url);
    const capabilities = await capabilitiesOf(connection, hello, url);
    const readings = await readServer(connection, capabilities, String(hello.get('server') ?? 'redis'));
    const { diagnosis, monitor } = await tryLevels(url, connection, capabilities);
    const tried = monitor === null ? { value: true as const } : refusalOf('MONITOR', monitor);
    const findings = findingsFrom({ ...readings, monitor: tried }, capabilities.outputLimitBytes);
    return { ...diagnosis, findings: findings.map(viewOf) };
  } catch (error) {
    return { ...failedDiagnosis(toProblem(error)), findings: [] };
  } finally {
    connection?.close();
  }
}

/** A finding with its English text, in the form for JSON. */
function viewOf(finding: Finding): FindingView {
  const { id, state, code, values, read, fix } = finding;
  const incident = INCIDENTS[id];
  return {
    ...{ id, state, code, values, read: [...read], ...textOf(finding, ENGLISH), fix: [...fix] },
    reference: REFERENCES[id],
    ...(incident === undefined ? {} : { incident }),
  };
}
