import { CALLS, COUNT, type MatchItem, SPORT_KEYS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { useSearchParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { IconSearch, IconSearchOff } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EventRows } from './event-rows.tsx';
import { mergeMatches } from './merge.ts';
import panelCss from '../../ui/panel.module.css';
import css from './lists.module.css';

/** All events that have the words of the address in title, teams, runners or competition, with their prices, by sport. */
export function Screen() {
  const [query, setQuery] = useSearchParams();
  const asked = (query.get('q') ?? '').trim().slice(0, 100);
  useTitle(asked ? t`Search: ${asked}` : t`Search`);
  const enough = asked.length >= COUNT.searchChars;
  const list = useCall(
    CALLS.catalog.list,
    { query: { searchBy: 'title', keyword: asked, sort: 'match.startAt:ASC' } },
    { enabled: enough, refetchMs: 30_000, merge: mergeMatches },
  );
  const matches = list.data?.matches ?? [];
  return (
    <>
      <PageHead
        title={
          enough && list.data
            ? plural({ count: matches.length }, { one: `# event with “${asked}”`, other: `# events with “${asked}”` })
            : t`Search`
        }
      />
      {/* Another address, another text to begin with. */}
      <Words key={asked} asked={asked} onAsk={(q) => setQuery({ q })} />
      {!enough ? (
        <Nothing
          title={t`What are you looking for?`}
          words={t`Type three letters of a team, a runner or a competition.`}
        />
      ) : list.isError && !list.data ? (
        <ErrorNote title={t`The search did not work.`} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <section className={panelCss.panel} aria-label={t`Loading`}>
          <SkeletonRows rows={6} kind="list" />
        </section>
      ) : matches.length === 0 ? (
        <Nothing title={t`No real-time records found`} words={t`Try fewer letters or another name.`} />
      ) : (
        <EventRows groups={bySport(matches)} label={t`Events found`} />
      )}
    </>
  );
}

function Words({ asked, onAsk }: { asked: string; onAsk: (words: string) => void }) {
  const [text, setText] = useState(asked);
  return (
    <form
      className={css.words}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onAsk(text.trim());
      }}
    >
      <Field label={t`Event, team, runner or competition`} grow>
        <TextInput
          type="search"
          icon={IconSearch}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button kind="pri" type="submit">
        {t`Search`}
      </Button>
    </form>
  );
}

function Nothing({ title, words }: { title: string; words: string }) {
  return (
    <section className={panelCss.panel}>
      <EmptyState icon={IconSearchOff} title={title}>
        {words}
      </EmptyState>
    </section>
  );
}

const bySport = (matches: readonly MatchItem[]) =>
  SPORT_KEYS.map((sport) => ({ sport, matches: matches.filter((match) => match.matchType === sport) }));
