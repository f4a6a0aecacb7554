// Runs before the first paint, so that a light page never flashes dark. A file and not inline: the page's CSP allows no inline script.
(() => {
  var stored = null;
  var density = null;
  var language = null;
  try {
    stored = localStorage.getItem('theme');
    density = localStorage.getItem('density');
    language = localStorage.getItem('language');
  } catch {
    // storage may be forbidden: stay dark
  }
  if (density === 'compact') document.documentElement.dataset.density = density;
  // As in platform/languages.ts.
  if (!/^(hi|bn|ta|te|mr|pt-BR|es|ur|en-XA)$/.test(language ?? '')) language = 'en';
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ur' ? 'rtl' : 'ltr';
  var theme = stored === 'light' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  var meta = document.querySelector('meta[name="theme-color"]');
  if (meta) meta.setAttribute('content', theme === 'light' ? '#ffffff' : '#191714');

  // The files of the screen that the address will open are asked for now, not after the entry has run.
  var chunks = document.querySelector('meta[name="fairgame-chunks"]');
  var signedIn = false;
  try {
    signedIn = sessionStorage.getItem('jwtMaxUser') !== null;
  } catch {
    // storage may be forbidden: the sign-in comes
  }
  var path = location.pathname;
  var screens = ['entrance'];
  if (signedIn) {
    screens = ['app', 'shell'];
    if (path.startsWith('/game-detail/')) screens.push('event');
    else if (path.startsWith('/race/')) screens.push('race');
    else if (/^\/(home|sports|inPlay|other)?$/.test(path)) screens.push('home');
  } else if (
    // As in app/arrival.ts.
    /^\/(terms-and-conditions|responsible-gaming|videoPage|liveStream(Cricket(Int)?|Internal)?|scoreBoardPage)(\/|$)/.test(
      path,
    )
  )
    screens = ['app'];
  screens.push(language);
  var files = chunks?.content ? JSON.parse(chunks.content) : {};
  for (const screen of screens) {
    for (const file of files[screen] ?? []) {
      const link = document.createElement('link');
      const style = file.endsWith('.css');
      link.rel = style ? 'preload' : 'modulepreload';
      if (style) link.as = 'style';
      link.crossOrigin = '';
      // Behind what the first picture waits for.
      link.fetchPriority = 'low';
      link.href = file;
      document.head.append(link);
    }
  }

  // So are its first readings; the client takes their answers when its calls come to them (api/early.ts).
  if (signedIn) ask();
  function ask() {
    const token = sessionStorage.getItem('jwtMaxUser');
    if (sessionStorage.getItem('isAuthenticator') !== 'true') return;
    // Storage holds texts: 'false' is one too.
    if (sessionStorage.getItem('forceChangePassword') === 'true') return;
    const event = /^\/game-detail\/([A-Za-z]+)\/([1-9]\d{0,15})$/.exec(path);
    const main = event && ['cricket', 'football', 'tennis'].includes(event[1]);
    const paths = event
      ? [main ? `/api/match/${event[2]}` : `/api/match/other/${event[2]}`]
      : screens.includes('home')
        ? ['/api/match/list?sort=match.startAt%3AASC', '/api/expert/blinkingTabs']
        : [];
    const answers = new Map();
    for (const one of [...paths, '/api/user/profile']) {
      const headers = {
        'Cache-Control': 'no-cache',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        // A reload of the page's own accord is no sign of the player (session/acts.ts).
        ...(sessionStorage.getItem('fg.player.reloads') === null ? {} : { 'x-unattended': '1' }),
      };
      const answer = fetch(one, { headers, credentials: 'omit' });
      answer.catch(() => undefined);
      answers.set(one, answer);
    }
    globalThis.fairgameEarly = { token, answers };
  }
})();
