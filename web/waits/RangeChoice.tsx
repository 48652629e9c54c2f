import { SpanForm } from '../range/SpanForm.tsx';
import { Segments } from '../ui/Segments.tsx';
import { type ChosenRange, isSpan, parseMinutes, RANGE_MINUTES, spanOf } from '../url/range.ts';
import { useWords } from '../words/language.ts';

type RangeChoiceProps = {
  label: string;
  value: ChosenRange;
  /** Where the last minutes end: at the cursor, or now. */
  end: number;
  isAtCursor: boolean;
  onChange: (value: ChosenRange) => void;
};

const OWN = 'own';

/** Chooses the range to compare with: the last minutes, or any two instants. */
export function RangeChoice({ label, value, end, isAtCursor, onChange }: RangeChoiceProps) {
  const { range } = useWords();
  const choose = (option: string) => {
    const minutes = parseMinutes(option);
    if (minutes !== null) onChange(minutes);
    else if (!isSpan(value)) onChange(spanOf(value, end));
  };
  return (
    <div className="waits-range-choice">
      <span className="waits-label" aria-hidden="true">
        {label}
      </span>
      <Segments
        label={label}
        value={isSpan(value) ? OWN : String(value)}
        options={[
          ...RANGE_MINUTES.map((each) => ({
            value: String(each),
            label: isAtCursor ? range.before(each) : range.last(each),
          })),
          { value: OWN, label: range.own },
        ]}
        onChange={choose}
      />
      {isSpan(value) && <SpanForm label={label} span={value} onChange={onChange} />}
    </div>
  );
}
