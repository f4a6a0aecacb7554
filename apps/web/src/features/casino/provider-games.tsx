import { CALLS, type ReplyOf } from '@fairgame/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/api.ts';
import { useCall } from '../../api/queries.ts';
import { useSession } from '../../session/hooks.ts';
import { Icon, type IconShape } from '../../ui/icon.tsx';
import { IconBroadcast } from '../../ui/icons.ts';
import { PHONE, useMedia } from '../../ui/media.ts';
import { Segmented, Strip } from '../../ui/tabs.tsx';
import { CATEGORY_ICONS } from './categories.ts';
import { IconLayoutGrid } from './icons.ts';

type Game = ReplyOf<typeof CALLS.provider.games>[string][string][number];

/** The games of the live providers, by provider, then category. Until a provider is connected it says so, decently. */
export function ProviderGames({ search, category }: { search: string; category: string | null }) {
  const games = useCall(CALLS.provider.games, {});
  const providers = useCall(CALLS.provider.providers, {});
  const [provider, setProvider] = useState('all');
  const names = providers.data?.length ? providers.data : Object.keys(games.data ?? {});
  const wanted = search.trim().toLowerCase();
  const groups = Object.entries(games.data ?? {}).filter(([name]) => provider === 'all' || name === provider);
  if (games.data && groups.every(([, byCategory]) => Object.keys(byCategory).length === 0))
    return <NotOpen category={category} />;
  return (
    <section className="stack lob" aria-label="Live games">
      {names.length > 1 && (
        <Segmented
          label="Provider"
          value={provider}
          onChange={setProvider}
          items={[{ id: 'all', label: 'All' }, ...names.map((name) => ({ id: name, label: name }))]}
        />
      )}
      {groups.map(([name, byCategory]) => (
        <section key={name} aria-label={name} className="stack lob">
          <h2 className="lob__h">{name}</h2>
          {Object.entries(byCategory)
            .filter(([one]) => category === null || one.toLowerCase() === category.toLowerCase())
            .map(([one, list]) => {
              const shown = list.filter((game) => wanted === '' || game.game_name.toLowerCase().includes(wanted));
              return shown.length === 0 ? null : (
                <div key={one} className="stack g-4">
                  <h3 className="t2">{one}</h3>
                  <div className="lobby">
                    {shown.map((game) => (
                      <GameTile key={game.game_id} game={game} />
                    ))}
                  </div>
                </div>
              );
            })}
        </section>
      ))}
    </section>
  );
}

function GameTile({ game }: { game: Game }) {
  const phone = useMedia(PHONE);
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const { url } = await api(CALLS.provider.launch, {
        body: {
          game_id: game.game_id,
          provider_name: game.provider_name,
          game_code: game.game_code,
          platform: phone ? 'mobile' : 'desktop',
        },
      });
      window.open(url, '_blank', 'noopener,noreferrer');
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="tile lob__game" disabled={busy || session?.isDemo} onClick={() => void open()}>
      <span className="tile__art">
        <img src={game.url_thumb} alt="" width={320} height={240} loading="lazy" referrerPolicy="no-referrer" />
      </span>
      <span className="tile__n">{game.game_name}</span>
      <span className="tile__c">{game.sub_provider_name || game.provider_name}</span>
    </button>
  );
}

const KINDS = Object.entries(CATEGORY_ICONS) as Array<[string, IconShape]>;

/** No provider is connected: what will stand here, told plainly, with the tables that are open below. */
function NotOpen({ category }: { category: string | null }) {
  const navigate = useNavigate();
  const named = KINDS.find(([name]) => name.toLowerCase() === category?.toLowerCase())?.[0];
  return (
    <section className="stack lob" aria-label="Live games">
      <Strip
        label="Categories of live games"
        value={named ?? 'all'}
        onChange={(id) =>
          void navigate(id === 'all' ? '/live-casino' : `/live-casino?category=${encodeURIComponent(id)}`)
        }
        items={[
          { id: 'all', label: 'All', icon: IconLayoutGrid },
          ...KINDS.map(([name, icon]) => ({ id: name, label: name, icon })),
        ]}
      />
      <div className="panel nopen">
        <div className="nopen__art" aria-hidden="true">
          {KINDS.map(([name, icon]) => (
            <span key={name} className={name === named ? 'is-on' : undefined}>
              <Icon of={icon} size={26} />
            </span>
          ))}
        </div>
        <div className="nopen__t">
          <h2 className="row g-4">
            <Icon of={IconBroadcast} size={20} />
            {named ? `${named} is not open yet` : 'Live games are not open yet'}
          </h2>
          <p className="t2">
            Games of outside studios open here once a provider is connected. Until then the tables below are dealt by
            this site, and every round can be checked.
          </p>
        </div>
      </div>
    </section>
  );
}
