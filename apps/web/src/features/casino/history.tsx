import { CALLS, type CardResult, cardOddsText, PAGE } from '@fairgame/contract';
import { useMemo, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { sideLetter } from '../../betting/kinds.ts';
import { sideOf } from '../../betting/positions.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { formatDateTime, formatWhole } from '../../ui/format.ts';
import { IconArrowLeft, IconHistory } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { cardName, PlayingCard } from '../../ui/playing-card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { BadgeText, badgeClass, toneOf } from './badges.tsx';
import { factsOf } from './facts.ts';
import { Proof } from './fairness.tsx';
import { useRoundBets } from './round-bets.ts';
import { useRules } from './use-rules.ts';

interface Props {
  code: string;
  name: string;
  category: string;
  matchId: number;
  /** A round to open at once; null opens the list. */
  mid: string | null;
  onClose: () => void;
}

/** The rounds of a table by page, and each round with its cards, the player's bets and the proof (REP-06, REP-19). */
export function History({ code, name, category, matchId, mid, onClose }: Props) {
  const [open, setOpen] = useState(mid);
  return (
    <Modal
      open
      onClose={onClose}
      title={open === null ? `Rounds of ${name}` : name}
      width="l"
      head={
        open !== null && (
          <Button kind="ghost" size="sm" icon={IconArrowLeft} onClick={() => setOpen(null)}>
            All rounds
          </Button>
        )
      }
    >
      {open === null ? (
        <Rounds code={code} category={category} onOpen={setOpen} />
      ) : (
        <Round key={open} code={code} category={category} matchId={matchId} mid={open} />
      )}
    </Modal>
  );
}

function Rounds({ code, category, onOpen }: { code: string; category: string; onOpen: (mid: string) => void }) {
  const [page, setPage] = useState<number>(PAGE.first);
  const [by, setBy] = useState<'mid' | 'result'>('result');
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const { data, isError, isPending, isFetching, refetch } = useCall(
    CALLS.casino.report,
    {
      params: { type: code },
      query: {
        page: String(page),
        limit: String(PAGE.cardReport),
        ...(asked === '' ? {} : { searchBy: by, keyword: asked }),
      },
    },
    { keep: true },
  );
  const columns: Column<CardResult>[] = [
    {
      id: 'badge',
      head: 'Result',
      card: 'tag',
      cell: (row) => (
        <span className={badgeClass(toneOf(code, category, row.badge))} aria-hidden="true">
          <BadgeText badge={row.badge} />
        </span>
      ),
    },
    {
      id: 'text',
      head: 'In words',
      card: 'title',
      wrap: true,
      cell: (row) => (
        <button type="button" className="link" onClick={() => onOpen(row.mid)}>
          {row.text || 'Open the round'}
        </button>
      ),
    },
    { id: 'round', head: 'Round', numeric: true, card: 'amount', cell: (row) => row.roundNo },
    { id: 'date', head: 'Time', card: 'meta', cell: (row) => formatDateTime(Date.parse(row.createdAt)) },
  ];
  return (
    <div className="stack g-5">
      <form
        className="row g-4 wrap"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
          setPage(PAGE.first);
        }}
      >
        <SelectInput
          aria-label="Search in"
          value={by}
          onChange={(event) => setBy(event.target.value as 'mid' | 'result')}
        >
          <option value="result">Result</option>
          <option value="mid">Round id</option>
        </SelectInput>
        <TextInput
          aria-label="Search for"
          value={text}
          maxLength={60}
          placeholder="Search"
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">Search</Button>
      </form>
      {isError && (
        <ErrorNote title="The rounds did not load." onRetry={() => void refetch()}>
          Nothing was changed.
        </ErrorNote>
      )}
      {isPending && <SkeletonRows rows={8} kind="table" />}
      {data && (
        <>
          <DataTable
            caption="Rounds, newest first"
            columns={columns}
            rows={data.rows}
            rowKey={(row) => row.mid}
            onRow={(row) => onOpen(row.mid)}
            busy={isFetching}
            empty={<EmptyState icon={IconHistory} title="No rounds found" />}
          />
          <Pagination page={page} limit={PAGE.cardReport} total={data.total} onPage={setPage} />
        </>
      )}
    </div>
  );
}

function Round({ code, category, matchId, mid }: { code: string; category: string; matchId: number; mid: string }) {
  const { data, isError, error, isPending, refetch } = useCall(CALLS.casino.resultDetail, { query: { mid } });
  const { rows, netMinor } = useRoundBets(matchId, data?.round.betId ?? 0);
  const { rules } = useRules();
  const info = useMemo(() => (rules?.isTableCode(code) ? rules.describe(code) : null), [rules, code]);
  if (isError) {
    return (
      <ErrorNote title="The round did not load." onRetry={() => void refetch()}>
        {error.message}
      </ErrorNote>
    );
  }
  if (isPending || !data || !rules || !info) return <SkeletonRows rows={6} kind="table" />;
  const facts = factsOf(rules.gameOf(info.code), { ...data.round, phase: 'RESULT' });
  return (
    <div className="stack g-6">
      <div className="row g-5">
        <span className={badgeClass(toneOf(code, category, data.result.badge))} aria-hidden="true">
          <BadgeText badge={data.result.badge} />
        </span>
        <div className="grow">
          <h3>Round {data.result.roundNo}</h3>
          <p className="t2">{facts.result?.words ?? data.result.text}</p>
          <p className="t3 fs-12">
            {formatDateTime(Date.parse(data.result.createdAt))}, id {mid}
          </p>
        </div>
      </div>
      <ul className="hist__s">
        {info.seats.map((seat, index) => {
          const hand = facts.hands[index] ?? [];
          if (hand.length === 0) return null;
          return (
            <li key={seat.id} className={facts.result?.winners.includes(index) ? 'is-win' : undefined}>
              <b>{seat.name}</b>
              <span className="hist__c">
                {hand.map(({ code: card, at }) =>
                  cardName(card) ? (
                    <PlayingCard key={at} card={card} width={34} />
                  ) : (
                    <span key={at} className="num">
                      {card}
                    </span>
                  ),
                )}
              </span>
              <span className="t3 fs-12">{facts.notes[index]}</span>
            </li>
          );
        })}
      </ul>
      {rows.length > 0 && (
        <section aria-label="Your bets in this round">
          <h3 className="row between">
            Your bets
            {netMinor !== null && <SignedMoney minor={netMinor} />}
          </h3>
          <ul className="hist__b">
            {rows.map((bet) => (
              <li key={bet.id}>
                <span className="grow">
                  {sideLetter(bet.kind, sideOf(bet)) === 'L' ? 'Lay' : 'Back'} {bet.teamName}
                </span>
                <span className="num t2">
                  {bet.line === null ? cardOddsText(bet.odds) : `${bet.line} at ${bet.odds}`}
                </span>
                <span className="num">{formatWhole(bet.matched)}</span>
                <SignedMoney minor={bet.profitLoss} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Proof code={code} round={data.round} win={data.result.win} />
    </div>
  );
}
