/** Rules with what every bet returns, and how a round can be checked. */
import { useId, useState } from 'react';
import type { AnyGame, ReturnRow } from '../game.ts';
import type { SessionView } from '../wire.ts';
import { Refused } from './api.ts';
import { amount } from './board.ts';
import type { Next, Play } from './play.ts';
import { Sheet } from './sheet.tsx';
import actsCss from './acts.module.css';
import css from './sheet.module.css';

/** 970123 millionths -> "97.01 %", never rounded up. */
const percent = (ppm: number) => `${(Math.floor(ppm / 100) / 100).toFixed(2)} %`;

function how(row: ReturnRow): string {
  if (row.how === 'exact') return 'exact';
  return row.errorPpm ? `simulated, ± ${(row.errorPpm / 10_000).toFixed(2)} %` : 'simulated';
}

export function RulesSheet(props: { rules: AnyGame; session: SessionView; onClose: () => void }) {
  const { rules, session } = props;
  const [rows] = useState(() => rules.returns());
  const most = Math.min(rules.maxStakeMinor, session.maxStakeMinor);
  return (
    <Sheet title={`Rules of ${rules.name}`} onClose={props.onClose}>
      {rules.rules.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <h3>What comes back on average</h3>
      <table className={css.returns}>
        <thead>
          <tr>
            <th scope="col">Bet</th>
            <th scope="col">Return to player</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.bet}>
              <th scope="row">{row.bet}</th>
              <td>
                {percent(row.ppm)} <small>{how(row)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.quiet}>
        Part of all stakes over very many rounds. A single round or evening can end far above or below it. Past rounds
        do not change the next one.
      </p>
      <h3>Stakes and pace</h3>
      <p>
        From {amount(rules.minStakeMinor, 'needed')} to {amount(most, 'needed')} {session.currency} a round.{' '}
        {rules.kind === 'solo'
          ? `A new round starts ${(rules.cycleMs / 1000).toLocaleString('en')} seconds after the last one at the earliest.`
          : `Bets are taken for ${Math.round(rules.betMs / 1000)} seconds, then the round runs for everyone.`}{' '}
        Every round is started by hand.
      </p>
      <p className={css.quiet}>
        If the connection drops, the round is played to its end once and shown when you come back. A fault in the game
        makes its round void and returns the stake.
      </p>
    </Sheet>
  );
}

export function FairSheet(props: { play: Play; next: Next; onClose: () => void; onHistory: () => void }) {
  const { play, next } = props;
  const solo = play.rules.kind === 'solo';
  return (
    <Sheet title="Fairness" onClose={props.onClose}>
      <p>
        {solo
          ? 'Before each round the game fixes a secret server seed and shows its hash. The result is drawn from that seed, your own seed and the number of the round, and nothing else. After the round the server seed is shown, so that anyone can check it.'
          : 'Before bets are taken the game fixes a secret server seed and shows its hash. When betting ends, the seeds of those who bet make the public seed. The result is drawn from both and the number of the round, and nothing else. After the round the server seed is shown, so that anyone can check it.'}
      </p>
      {next.table && (
        <>
          <h3>This round</h3>
          <Facts
            rows={[
              ['Hash of the server seed (SHA-256)', next.table.commit],
              ['Number of the round', String(next.table.nonce)],
              ['Public seed, final when betting ends', next.table.seed],
            ]}
          />
        </>
      )}
      <h3>Next round</h3>
      <Facts
        rows={[
          ['Hash of the server seed (SHA-256)', next.commit],
          ['Number of the round', String(next.nonce)],
        ]}
      />
      <SeedForm play={play} seed={next.clientSeed} />
      <h3>Check a round</h3>
      <p>Open any of your last rounds: it shows the seeds and is played again here, in your own browser.</p>
      <button type="button" className={actsCss.act} onClick={props.onHistory}>
        Last rounds
      </button>
    </Sheet>
  );
}

function SeedForm({ play, seed }: { play: Play; seed: string }) {
  const id = useId();
  const [text, setText] = useState(seed);
  const [word, setWord] = useState<{ ok: boolean; text: string } | null>(null);
  const keep = async () => {
    try {
      const reply = await play.api.seed(text);
      // The commitments of a shared game are those of its table, whoever changes his own seed.
      play.onNext({ clientSeed: reply.clientSeed, ...(play.rules.kind === 'solo' && reply.next) });
      setWord({ ok: true, text: 'Your seed is used from the next round on.' });
    } catch (error) {
      setWord({ ok: false, text: error instanceof Refused ? error.error.text : 'There was no answer. Try again.' });
    }
  };
  return (
    <div className={css.seedForm}>
      <label htmlFor={id}>Your own seed, up to 64 characters</label>
      <div>
        {/* No form: a frame in a sandbox submits none. */}
        <input
          id={id}
          value={text}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && text !== seed) void keep();
          }}
        />
        <button type="button" className={actsCss.act} disabled={text === seed} onClick={() => void keep()}>
          Use
        </button>
      </div>
      {word && (
        <p role="status" data-ok={word.ok}>
          {word.text}
        </p>
      )}
    </div>
  );
}

/** Names and long values; a press selects a value whole. */
export function Facts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={css.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
