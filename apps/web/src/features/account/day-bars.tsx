import { formatDate, formatSigned } from '../../ui/format.ts';

/** Bars above and below zero per day and the running total over them. The table beside it holds the figures. */
export function DayBars({ days }: { days: ReadonlyArray<{ day: string; profitLoss: number }> }) {
  const W = 640;
  const H = 200;
  const PAD = 16;
  let sum = 0;
  const totals = days.map((day) => {
    sum += day.profitLoss;
    return sum;
  });
  const values = [0, ...days.map((day) => day.profitLoss), ...totals];
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1);
  const y = (v: number) => PAD + ((high - v) / (high - low)) * (H - PAD * 2);
  const slot = W / Math.max(1, days.length);
  const x = (at: number) => at * slot + slot / 2;
  const label = `Result per day from ${days[0]?.day ?? ''} to ${days.at(-1)?.day ?? ''}: ${days.map((day) => `${formatDate(Date.parse(day.day))} ${formatSigned(day.profitLoss)}`).join('; ')}`;
  return (
    <svg className="daybars" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={label}>
      <path className="zero" d={`M0 ${y(0)}H${W}`} />
      {days.map((day, at) => (
        <rect
          key={day.day}
          className={day.profitLoss < 0 ? 'neg' : 'pos'}
          x={x(at) - Math.min(10, slot / 3)}
          width={Math.min(20, (slot * 2) / 3)}
          y={Math.min(y(0), y(day.profitLoss))}
          height={Math.max(1, Math.abs(y(day.profitLoss) - y(0)))}
          rx="2"
        >
          <title>
            {day.day}: {formatSigned(day.profitLoss)}
          </title>
        </rect>
      ))}
      <path
        className="run"
        d={totals.map((total, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(total).toFixed(1)}`).join('')}
      />
    </svg>
  );
}
