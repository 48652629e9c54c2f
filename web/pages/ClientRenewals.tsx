import { redisTime } from '../../shared/base/time.ts';
import type { RenewalsView } from '../../shared/wire/clients.ts';
import { timelineAt } from '../cursor/routes-now.ts';
import { Fact } from '../inspector/Fact.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, durationText, secondsText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** How a client renewed its leases lately, and the pauses that several of its locks share. */
export function ClientRenewals({ renewals }: { renewals: RenewalsView }) {
  const { clients, time } = useWords();
  const texts = clients.renewals;
  const { from, longestMs, leastLeftMs, pauses } = renewals;
  const length = (ms: number | null) => (ms === null ? clients.noneSeen : durationText(ms, time));
  return (
    <section className="client-part" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {renewals.renewals === 0 ? (
        <p className="quiet">{texts.none(secondsText(redisTime(from)))}</p>
      ) : (
        <dl className="facts is-row client-renewals">
          <Fact name={texts.count}>{texts.since(countText(renewals.renewals), secondsText(redisTime(from)))}</Fact>
          <Fact name={texts.late}>{countText(renewals.late)}</Fact>
          <Fact name={texts.longest}>{length(longestMs)}</Fact>
          <Fact name={texts.leastLeft}>{length(leastLeftMs)}</Fact>
          <Fact name={texts.expired}>{countText(renewals.expired)}</Fact>
        </dl>
      )}
      {pauses.length > 0 && (
        <>
          <p>{texts.pausesWhy}</p>
          <PlainTable
            label={texts.pauses}
            boxLabel={texts.pauses}
            heads={[texts.pauseFrom, texts.pauseLength, texts.locks]}
            more={0}
          >
            {pauses.map((pause) => (
              <tr key={pause.seq}>
                <td>
                  <Link to={timelineAt({ seq: pause.seq, at: redisTime(pause.to) }, '')}>
                    {secondsText(redisTime(pause.from))}
                  </Link>
                </td>
                <td>{durationText((pause.to - pause.from) / 1000, time)}</td>
                <td>{countText(pause.locks)}</td>
              </tr>
            ))}
          </PlainTable>
        </>
      )}
    </section>
  );
}
