import css from './market.module.css';

const PAIRS = [
  ['#1f6fb8', '#155288'],
  ['#c79a1e', '#8f6d10'],
  ['#2f8a57', '#1d5f3b'],
  ['#a5406a', '#7a2b4e'],
  ['#6b4fa8', '#4a3580'],
  ['#c2502f', '#8f371d'],
  ['#3f7f8f', '#275763'],
  ['#5d6675', '#3f4654'],
] as const;
const SHIELD = 'M13 1.2l10 3.2v7.6c0 6.3-4.3 10.7-10 12.8C7.3 22.7 3 18.3 3 12V4.4z';

/**
 * A team's shield with its letters. The colours follow from the name, so that a team keeps them everywhere. Without a name an
 * empty outline holds the place.
 */
export function Crest({ code, name = code, size = 26 }: { code: string; name?: string | null; size?: number }) {
  if (name === null)
    return (
      <svg className={css.crest} width={size} height={size} viewBox="0 0 26 26" aria-hidden="true">
        <path d={SHIELD} fill="none" stroke="var(--line-2)" strokeDasharray="2 2" />
      </svg>
    );
  const [left, right] = PAIRS[hash(name) % PAIRS.length]!;
  return (
    <svg className={css.crest} width={size} height={size} viewBox="0 0 26 26" aria-hidden="true">
      <path d={SHIELD} fill={left} />
      <path d="M13 1.2l10 3.2v7.6c0 6.3-4.3 10.7-10 12.8z" fill={right} opacity=".85" />
      <text x="13" y="15.6" textAnchor="middle" fontSize="7.6" fontWeight="720" fill="#fff" letterSpacing=".02em">
        {code}
      </text>
    </svg>
  );
}

/** Three letters of a name: of one word its first three, of more their initials. */
export function crestCode(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(' ')
    .filter(Boolean);
  const code = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '');
  return code.slice(0, 3).toUpperCase();
}

function hash(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0;
  return sum;
}
