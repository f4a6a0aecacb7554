import { GROUPS, LOOKS, type Look, type Part, type Say, type Setting } from './parts.ts';

const PLAIN: Setting = { theme: 'dark', density: 'comfortable', dir: 'ltr', words: 'plain' };
const CHOICES = {
  theme: ['dark', 'light'],
  density: ['comfortable', 'compact'],
  dir: ['ltr', 'rtl'],
  words: ['plain', 'long'],
} as const satisfies { [Name in keyof Setting]: readonly Setting[Name][] };

/** The setting that an address asks for; what it does not name, or names wrongly, is as usual. */
export function settingOf(query: URLSearchParams): Setting {
  const chosen = Object.entries(CHOICES).map(([name, values]) => [
    name,
    (values as readonly string[]).find((value) => value === query.get(name)) ?? PLAIN[name as keyof Setting],
  ]);
  return Object.fromEntries(chosen) as unknown as Setting;
}

const address = (part: string, setting: Partial<Setting>) => `?${new URLSearchParams({ part, ...setting })}`;

/** All parts with the address of each of their pictures. */
export function Index() {
  return (
    <main className="gal">
      <h1>Parts</h1>
      {Object.entries(GROUPS).map(([group, parts]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {parts.map((part) => (
              <li key={part.name}>
                <a className="link" href={address(part.name, {})}>
                  {part.name}
                </a>
                {looksOf(part).map((look) => (
                  <a
                    key={look}
                    className="t3"
                    href={address(part.name, LOOKS[look])}
                    data-picture={`${part.name}-${look}`}
                    data-over={part.over}
                    data-phone={look === 'phone' || undefined}
                  >
                    {look}
                  </a>
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}

const looksOf = (part: Part): readonly Look[] => ['dark', 'light', ...(part.also ?? [])];

/** One part in all its states, with switches above. */
export function Gallery({ part, setting }: { part: Part; setting: Setting }) {
  const say: Say = setting.words === 'long' ? longer : (word) => word;
  const states = Object.entries(part.states);
  if (part.over) return states.map(([, draw]) => draw(say));
  return (
    <>
      <nav className="gal__bar" aria-label="Settings">
        <a className="link" href="/">
          All parts
        </a>
        {Object.entries(CHOICES).map(([name, values]) => (
          <span key={name}>
            {name}
            {values.map((value) => (
              <a
                key={value}
                className={setting[name as keyof Setting] === value ? undefined : 'link'}
                href={address(part.name, { ...setting, [name]: value })}
              >
                {value}
              </a>
            ))}
          </span>
        ))}
      </nav>
      <main className={part.wide ? 'gal__p gal__p--wide' : 'gal__p'} data-part={part.name}>
        {states.map(([name, draw]) => (
          <section key={name}>
            <h2>{name}</h2>
            {draw(say)}
          </section>
        ))}
      </main>
    </>
  );
}

/** As words of other languages are: twice as long, and with no place to break. */
function longer(word: string): string {
  return `${word} Donaudampfschifffahrtsgesellschaft`;
}
