/**
 * Passwords that guessers try first. A list of whole passwords only knows what it lists; this one knows what they are made
 * of: a common word or name (also in digits-for-letters spelling) with digits and signs around it, keyboard walks,
 * sequences, repetitions, dates. Tested against the words of `WORDS` and the site's own.
 */
const WORDS = new Set(
  `password passwort contrasena senha parola passw passwd letmein welcome willkommen bienvenue login signin access admin
  administrator root user guest default changeme temp temporary secret test testing tester demo sample master superuser
  manager support service system server computer internet network website google facebook twitter instagram youtube amazon
  microsoft windows apple iphone android samsung nokia linux ubuntu oracle database qwerty qwertz azerty dvorak asdf zxcv
  iloveyou loveyou iloveme lovely love lover darling sweetheart honey baby babygirl babyboy princess prince queen king angel
  angels heaven jesus christ godisgood blessed faith hope grace bible church allah krishna shiva ganesh buddha
  dragon monkey tiger lion eagle panther wolf bear horse dolphin shark butterfly flower sunflower rainbow sunshine
  moonlight starlight star stars moon earth summer winter spring autumn january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday football soccer cricket
  tennis basketball baseball hockey golf rugby boxing racing horseracing cricketer footballer worldcup champion champions
  winner winners victory lucky luckyseven jackpot casino poker roulette blackjack betting bets gamble gambler money cash
  million millionaire dollar dollars euro bitcoin crypto gold golden silver diamond platinum liverpool arsenal chelsea
  manchester united barcelona madrid realmadrid juventus bayern milan inter ajax celtic rangers everton tottenham mumbai
  chennai delhi kolkata bangalore india indian indians pakistan bangladesh england australia brazil brasil germany france
  london paris berlin newyork america american yankees cowboys lakers steelers superman batman spiderman ironman hulk
  avengers starwars skywalker darthvader pokemon pikachu mario zelda minecraft fortnite matrix matrixreloaded thunder
  lightning storm shadow ghost ninja samurai warrior knight pirate wizard magic hunter killer sniper soldier ranger
  mustang ferrari porsche mercedes lamborghini toyota honda yamaha harley corvette chevrolet michael jordan jennifer jessica
  michelle ashley amanda daniel andrew joshua matthew anthony thomas robert william james charlie george harry oliver jack
  samantha nicole elizabeth sarah maria sophie emma anna laura alexander alexandra christopher christian david john peter
  patrick richard steven kevin brian jason justin brandon tyler austin hannah rachel rebecca maggie molly bailey buster
  rocky max sandy ginger pepper cookie chocolate cheese banana orange apple cherry strawberry peanut coffee whiskey guitar
  music rockstar metallica nirvana eminem beatles blink slipknot freedom forever always friends friendship family mother
  father daddy mommy brother sister familyfirst whatever nothing something anything trustno letmesee opensesame abracadabra
  hello helloworld goodbye goodmorning myspace mypassword yourpassword thepassword newpassword oldpassword mysecret
  sexy sexygirl hottie cutie player playboy gangster fuckyou fuckme asshole bitch bastard shit bullshit killme
  computer1 phoenix mercury jupiter saturn neptune apollo zeus athena hercules achilles spartan trojan viking
  sachin tendulkar dhoni kohli virat rohit gayle messi ronaldo neymar zidane federer nadal djokovic schumacher hamilton`
    .split(/\s+/)
    .filter(Boolean),
);
const SITE_WORDS = ['fairgame', 'exchange', 'sportsbook', 'bookmaker'];
const WALKS = [
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
];
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
};

/** Whether a password is one of those, or is built from the player's own name. Takes the normalised password. */
export function isCommon(password: string, userName: string): boolean {
  const lower = password.toLowerCase();
  const own = userName.toLowerCase();
  const letters = lower.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const unleeted = Array.from(lower, (char) => LEET[char] ?? char).join('');
  const cores = [lower, letters, unleeted, unleeted.replace(/^[^a-z]+|[^a-z]+$/g, ''), unleetTrimmed(lower)];
  if (cores.some((core) => isListed(core) || isListed(core.replace(/[\s._-]/g, '')))) return true;
  if (own.length >= 3 && cores.some((core) => core === own || strip(core) === own || core === own + own)) return true;
  if (SITE_WORDS.some((word) => cores.some((core) => strip(core) === word || core.startsWith(word)))) return true;
  return isRepeated(lower) || isSequence(lower) || isWalks(lower) || isDate(lower);
}

const strip = (text: string): string => text.replace(/[^a-z]/g, '');

/** "p4ssw0rd2024!" is first cut at its tail of digits and signs, then read as letters. */
function unleetTrimmed(lower: string): string {
  const trimmed = lower.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
  return Array.from(trimmed, (char) => LEET[char] ?? char).join('');
}

function isListed(core: string): boolean {
  if (WORDS.has(core)) return true;
  // Two listed words, or one twice.
  for (let cut = 3; cut <= core.length - 3; cut++) {
    if (WORDS.has(core.slice(0, cut)) && WORDS.has(core.slice(cut))) return true;
  }
  return false;
}

function isRepeated(text: string): boolean {
  for (let size = 1; size <= 4; size++) {
    const unit = text.slice(0, size);
    if (text.length >= 2 * size && unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return new Set(text).size <= 2;
}

function isSequence(text: string): boolean {
  const steps = new Set<number>();
  for (let i = 1; i < text.length; i++) steps.add(text.charCodeAt(i) - text.charCodeAt(i - 1));
  return steps.size === 1 && Math.abs([...steps][0]!) <= 2;
}

/** Made of runs of four or more keys along a row, a column or the alphabet, forwards or backwards, with at most three keys beside them. */
function isWalks(text: string): boolean {
  let covered = 0;
  let at = 0;
  while (at < text.length) {
    let longest = 0;
    for (const walk of WALKS) {
      const back = Array.from(walk).reverse().join('');
      for (const way of [walk, back]) {
        let size = text.length - at;
        while (size >= 4 && !way.includes(text.slice(at, at + size))) size -= 1;
        if (size >= 4) longest = Math.max(longest, size);
      }
    }
    covered += longest;
    at += longest === 0 ? 1 : longest;
  }
  return covered > 0 && text.length - covered <= 3;
}

function isDate(text: string): boolean {
  return /^\d{8}$/.test(text) && (/^(19|20)\d{2}(0[1-9]|1[0-2])/.test(text) || /(19|20)\d{2}$/.test(text));
}
