import type { Source } from '../../shared/wire/source.ts';
import { Fact } from '../parts/Fact.tsx';
import { countText, durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

const BYTES_PER_MB = 1_048_576;

/** Uptime, memory, clients and role of a server, as it reported them in the last seconds. */
export function ServerFigures({ source, isObserving }: { source: Source; isObserving: boolean }) {
  const { health, servers } = useWords();
  const { server, role } = source;
  const known = isObserving ? server : undefined;
  const why = !isObserving ? health.unknownNow : server === undefined ? servers.notAsked : servers.notReported;
  const value = (text: string | null) => text ?? <span className="quiet">– {why}</span>;
  const megabytes = (bytes: number) => `${countText(bytes / BYTES_PER_MB)} MB`;
  const { uptimeSeconds = null, usedMemoryBytes = null, maxMemoryBytes = null, clients = null } = known ?? {};
  const used = usedMemoryBytes === null ? null : megabytes(usedMemoryBytes);
  return (
    <dl className="facts">
      <Fact name={servers.role}>{value(isObserving ? servers.roles[role] : null)}</Fact>
      <Fact name={servers.uptime}>{value(uptimeSeconds === null ? null : durationText(uptimeSeconds * 1000))}</Fact>
      <Fact name={servers.memory}>
        {value(used && maxMemoryBytes !== null ? servers.usedOf(used, megabytes(maxMemoryBytes)) : used)}
      </Fact>
      <Fact name={servers.clients}>{value(clients === null ? null : countText(clients))}</Fact>
    </dl>
  );
}
