import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';
import { totalOf } from '../script/tally.ts';

/** How many waiters slept, attempted and acquired at the last release, and at all releases so far. */
export function TallyTable() {
  const { tally } = useStageView().picture;
  const words = useWords().several.tally;
  const last = tally?.rounds.at(-1);
  if (!tally || !last) return null;
  const total = totalOf(tally);
  return (
    <table className="stage-tally">
      <caption>{words.title}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{words.asleep}</th>
          <th scope="col">{words.asked}</th>
          <th scope="col">{words.won}</th>
          <th scope="col">{words.forNothing}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{words.release(String(total.releases))}</th>
          <td>{last.asleep}</td>
          <td>{last.asked}</td>
          <td>{last.won}</td>
          <td>{last.asked - last.won}</td>
        </tr>
        <tr>
          <th scope="row">{words.inAll}</th>
          <td />
          <td>{total.asked}</td>
          <td>{total.won}</td>
          <td>{total.asked - total.won}</td>
        </tr>
      </tbody>
    </table>
  );
}
