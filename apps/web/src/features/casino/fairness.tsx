import { CALLS, type CardResult, type CardRound } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../api/api.ts';
import { copyText } from '../../platform/copy.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconCheck, IconX } from '../../ui/icons.ts';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { IconCopy, IconRosetteDiscountCheck, IconShieldCheck } from './icons.ts';
import { type Check, checkRound } from './verify.ts';
import controlsCss from '../../ui/controls.module.css';
import css from './table.module.css';

/** Fairness beside the table: the hash of the round that runs, and a way to check the last one. */
export function Fairness({
  code,
  round,
  last,
  onLast,
  onHow,
}: {
  code: string;
  round: CardRound;
  last: CardResult | undefined;
  onLast: (result: CardResult) => void;
  onHow: () => void;
}) {
  return (
    <Panel
      title={t`Fairness`}
      flush={false}
      end={
        <Chip>
          <Icon of={IconShieldCheck} size={14} />
          {round.serverSeed === null ? t`Shown before the deal` : t`Seed published`}
        </Chip>
      }
    >
      <div className={css.fair}>
        <HashBox label={t`Seed hash, round ${{ number: round.roundNo }}`} value={round.commit} />
        <HashBox
          label={
            round.serverSeed === null
              ? t`Seed, published when the round ends`
              : t`Seed, round ${{ number: round.roundNo }}`
          }
          value={round.serverSeed ?? ''}
        />
        <HashBox label={t`Public seed and round`} value={`${round.clientSeed} : ${round.nonce}`} />
        <p className={cx('fs-12 t3', css.part)}>
          {t`Hash, public seed and number are fixed before betting opens, and with them every card. When the round ends the seed is published; press Verify and your browser deals the round again.`}
        </p>
        <details className={css.details}>
          <summary>{t`Your own word in the seed`}</summary>
          <OwnWord code={code} round={round} />
        </details>
        <div className="row g-4 wrap">
          <Button
            size="sm"
            icon={IconRosetteDiscountCheck}
            disabled={!last}
            onClick={last ? () => onLast(last) : undefined}
          >
            {t`Verify last round`}
          </Button>
          <Button kind="ghost" size="sm" onClick={onHow}>
            {t`How it works`}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/**
 * The player's own word in the public seed of the next round: the secret seeds are fixed long before, so the house cannot
 * have chosen one to go with it, and words are closed before betting opens, so nobody puts one in that goes with the bets.
 * The form stays from round to round, with what was typed: nothing under it moves.
 */
function OwnWord({ code, round }: { code: string; round: CardRound }) {
  const [word, setWord] = useState('');
  const [answer, setAnswer] = useState<{ mid: string; error?: string } | null>(null);
  const takes = round.phase !== 'IDLE';
  const { mid, words, roundNo } = round;
  const { error } = answer?.mid === mid ? answer : {};
  const sent = answer?.mid === mid && !error;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api(CALLS.casino.clientSeed, { body: { type: code, mid, seed: word.trim() } }, { quiet: true });
      setAnswer({ mid });
    } catch (error) {
      setAnswer({ mid, error: error instanceof ApiError ? error.message : t`That did not work. Try again.` });
    }
  };
  const list = t`In this round’s public seed: ${{ words: words.join(', ') }}`;
  return (
    <form className={css.fair} onSubmit={(event) => void send(event)}>
      <Field
        label={t`Your own word in the next round’s seed`}
        help={
          sent ? (
            t`It is in, and shown here with round ${{ number: roundNo + 1 }}.`
          ) : words.length > 0 ? (
            <span className={cx('clip', css.words)} title={list}>
              {list}
            </span>
          ) : (
            t`Optional, up to 64 characters. Closed before betting opens.`
          )
        }
        error={error}
      >
        <TextInput value={word} maxLength={64} autoComplete="off" onChange={(event) => setWord(event.target.value)} />
      </Field>
      <Button size="sm" type="submit" disabled={!takes || word.trim() === ''}>
        {sent ? t`Change my word` : t`Put my word in`}
      </Button>
    </form>
  );
}

/** A hash or seed with its own copy button. */
export function HashBox({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className={controlsCss.label}>{label}</div>
      <div className={css.hash}>
        <span className={cx(css.mono, 'grow clip')} title={value}>
          {value || '\u2013'}
        </span>
        <IconButton
          icon={IconCopy}
          label={t`Copy: ${label}`}
          size={15}
          small
          disabled={value === ''}
          onClick={() => void copyText(value)}
        />
      </div>
    </div>
  );
}

/** Seeds of a finished round, and the check in this browser. */
export function Proof({ code, round, win }: { code: string; round: CardRound; win: string }) {
  const [check, setCheck] = useState<Check | null>(null);
  return (
    <div className={css.fair}>
      <HashBox label={t`Seed hash, shown before the deal`} value={round.commit} />
      <HashBox label={t`Seed, published after the round`} value={round.serverSeed ?? ''} />
      <HashBox label={t`Public seed`} value={round.clientSeed} />
      {round.words.length > 0 && (
        <p className={cx('fs-12 t2', css.part)}>
          {t`Made of ${{ seed: round.baseSeed }}, the public seed of the round before, and the words of players: ${{ words: round.words.join(', ') }}.`}
        </p>
      )}
      <HashBox label={t`Number of the round`} value={String(round.nonce)} />
      <div className="row g-4">
        <Button
          kind="pri"
          icon={IconRosetteDiscountCheck}
          disabled={round.serverSeed === null}
          onClick={() => void checkRound(code, round, win).then(setCheck)}
        >
          {t`Verify in this browser`}
        </Button>
        {round.serverSeed === null && <span className="fs-12 t3">{t`The seed is not published yet.`}</span>}
      </div>
      <div role="status">{check && <Verdict check={check} />}</div>
    </div>
  );
}

function Verdict({ check }: { check: Check }) {
  const lines: Array<[boolean, string, string]> = [
    [
      check.commitHolds,
      t`The seed has the hash that was shown before the deal`,
      t`The seed does not have the hash that was shown`,
    ],
    [
      check.wordsHold,
      t`The public seed is that of the round before with the words of players`,
      t`The public seed is not made of the words shown`,
    ],
    [check.cardsHold, t`The seeds deal exactly these cards in this order`, t`The seeds deal other cards`],
    [check.resultHolds, t`The cards make this result`, t`The cards make another result`],
  ];
  if (check.sameAsSeen !== null) {
    lines.unshift([
      check.sameAsSeen,
      t`The hash is the one this browser was shown while bets were open`,
      t`The hash is not the one this browser was shown while bets were open`,
    ]);
  }
  return (
    <Note {...(check.ok ? {} : { tone: 'err' as const })} icon={IconShieldCheck}>
      <b>{check.ok ? t`This round was dealt as promised.` : t`This round does not check out. Please report it.`}</b>
      <ul className={css.list}>
        {lines.map(([good, yes, no]) => (
          <li key={yes} className={good ? 'is-ok' : 'is-bad'}>
            <Icon of={good ? IconCheck : IconX} size={14} /> {good ? yes : no}
          </li>
        ))}
      </ul>
      <span className="fs-12 t3">{t`Checked on this device, without asking the server.`}</span>
    </Note>
  );
}
