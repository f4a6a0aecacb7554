import { GROUPS, LOOKS, type Look, type Part, type Say, type Setting, STUDIO } from './parts.ts';

const PLAIN: Setting = { theme: 'dark', density: 'comfortable', dir: 'ltr', words: 'plain', language: 'en' };
const CHOICES = {
  theme: ['dark', 'light'],
  density: ['comfortable', 'compact'],
  dir: ['ltr', 'rtl'],
  words: ['plain', 'long'],
  language: ['en', 'hi', 'bn', 'ta', 'ur'],
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

/** All parts and boards with the address of each of their pictures. */
export function Index() {
  return (
    <main className="gal">
      <h1>Parts</h1>
      {Object.entries(GROUPS).map(([group, parts]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {parts.map(({ name, over, also = [], looks = ['dark', 'light', ...also] }) => (
              <Pictured
                key={name}
                name={name}
                of={over ? 'over' : 'part'}
                looks={looks}
                at={(look) => address(name, LOOKS[look])}
              />
            ))}
          </ul>
        </section>
      ))}
      <h2>Boards of the studio</h2>
      <ul>
        {STUDIO.map(({ name, address: at, whole, looks = ['dark'] }) => (
          <Pictured
            key={name}
            name={name}
            of={whole ? 'frame' : 'board'}
            looks={looks}
            at={(look) => `${at}&${new URLSearchParams(LOOKS[look])}`}
          />
        ))}
      </ul>
    </main>
  );
}

/** What e2e/pictures.ts photographs, and how, stands in its links. */
function Pictured(props: {
  name: string;
  of: 'part' | 'over' | 'board' | 'frame';
  looks: readonly Look[];
  at: (look: Look) => string;
}) {
  const { name, of, looks, at } = props;
  return (
    <li>
      <a className="link" href={at('dark')}>
        {name}
      </a>
      {looks.map((look) => (
        <a key={look} className="t3" href={at(look)} data-picture={`${name}-${look}`} data-of={of} data-look={look}>
          {look}
        </a>
      ))}
    </li>
  );
}

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
