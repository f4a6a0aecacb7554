import type { BoardProps } from '../board.ts';

/** Ball By Ball: the pitch from above and what the delivery came to. */
export function Board({ facts, round, ring }: BoardProps) {
  const over = facts.result;
  const rolling = round.phase === 'DEALING';
  const text = over ? over.text.split('|')[0]! : rolling ? 'The ball is on its way' : 'Next delivery';
  const mark = over ? markOf(over.text) : null;
  return (
    <div className="bbb">
      <svg className="bbb__p" viewBox="0 0 320 150" aria-hidden="true">
        <path d="M120 150L138 8h44l18 142z" fill="#c3a873" opacity=".85" />
        <path d="M112 34h96M98 128h124" stroke="#fff" strokeOpacity=".75" strokeWidth="2" />
        <g fill="#f2e2b8">
          <path d="M148 8h5v26h-5zM157.500 8h5v26h-5zM167 8h5v26h-5z" />
        </g>
        <circle
          className={rolling ? 'bbb__ball is-on' : 'bbb__ball'}
          cx="160"
          cy={over ? 40 : 120}
          r="7"
          fill="#b92a33"
          stroke="#f5e6cf"
        />
      </svg>
      <div className="bbb__m">
        {ring}
        <div className="bbb__o" role="status">
          {mark && (
            <span className={`bbb__r${mark === 'W' ? ' is-w' : mark === '4' || mark === '6' ? ' is-4' : ''}`}>
              {mark}
            </span>
          )}
          <b>{text}</b>
        </div>
      </div>
    </div>
  );
}

/** "4 runs" -> 4, a wicket -> W, an extra -> E. */
function markOf(text: string): string {
  const runs = /^(\d) run/.exec(text)?.[1];
  if (runs !== undefined) return runs;
  return /caught|bowled|lbw|run out|stumped|other/i.test(text) ? 'W' : 'E';
}
