/** Direction of imports between rooms (ARCHITECTURE.md): one way only, and only through a room's door. */
const server = 'apps/server/src';
const rooms =
  '(alerts|auth|account|catalog|bets|racing|casino|providers|programs|protection|operator|live|feed|ops|push)';
// Rooms of the client from the floor up: each may import only what stands before it here.
const web = 'apps/web/src';
const floors = ['platform', 'session', 'api', 'sign-in', 'live', 'slip', 'betting', 'features', 'app'];
const webLayers = [
  ...floors.slice(0, -1).map((room, at) => ({
    name: `web-one-way-from-${room}`,
    severity: 'error',
    from: { path: `^${web}/${room}/` },
    to: { path: `^${web}/(${floors.slice(at + 1).join('|')}${at < floors.indexOf('betting') ? '|ui' : ''})/` },
  })),
  {
    // `platform` and `ui` are libraries: each file of theirs is a part with its own name, and none stands for the others.
    name: 'web-room-through-its-door',
    severity: 'error',
    from: { path: `^${web}/([^/]+)/` },
    to: {
      path: `^${web}/(session|api|sign-in|live|slip|betting)/`,
      pathNot: [`^${web}/$1/`, `^${web}/([^/]+)/\\1\\.ts$`],
    },
  },
  {
    // A feature is entered by its screens, which the tables of routes and windows load when they are wanted.
    name: 'web-feature-through-its-screens',
    severity: 'error',
    from: { path: `^${web}/app/`, pathNot: `^${web}/app/(routes|modals|player-care|entrance)[.]tsx$` },
    to: { path: `^${web}/features/` },
  },
  {
    name: 'web-screens-are-loaded-late',
    severity: 'error',
    from: { path: `^${web}/app/` },
    to: {
      path: `^${web}/features/`,
      // The names of the tables are part of the addresses; the entrance is the sign-in, itself loaded late.
      pathNot: `^${web}/features/(casino/tables[.]ts|login/sign-in[.]tsx)$`,
      dependencyTypesNot: ['dynamic-import', 'type-only'],
    },
  },
  {
    name: 'web-ui-only-draws',
    severity: 'error',
    from: { path: `^${web}/ui/` },
    to: { path: `^${web}/(?!(ui|platform)/)` },
  },
];
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contract-imports-nothing',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(packages/(?!contract)|apps/)' },
    },
    {
      name: 'domain-imports-contract-only',
      severity: 'error',
      from: { path: '^packages/(exchange|casino)/' },
      to: { path: '^(apps/|packages/(?!contract/|exchange/|casino/))' },
    },
    {
      name: 'wire-of-programs-imports-the-domain-only',
      severity: 'error',
      from: { path: '^packages/exchange-api/' },
      to: { path: '^(apps/|packages/(?!contract/|exchange/|exchange-api/))' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^packages/(exchange|casino|exchange-api)/src' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'games-are-pure',
      severity: 'error',
      from: { path: '^packages/studio/src/(rules/|game[.]ts|studio[.]ts)' },
      to: {
        path: '^(apps/|packages/(?!studio/src/(rules/|game[.]ts|wire[.]ts)|casino/))',
        dependencyTypesNot: ['npm'],
      },
    },
    {
      name: 'boards-draw-only',
      severity: 'error',
      from: { path: '^packages/studio/src/(boards|page)/' },
      to: { path: '^(apps/|packages/studio/src/host/)' },
    },
    {
      // What the page offers a board, and nothing else of it.
      name: 'studio-board-through-the-doors-of-the-page',
      severity: 'error',
      from: { path: '^packages/studio/src/boards/' },
      to: { path: '^packages/studio/src/page/', pathNot: 'page/((board|cx)[.]ts|parts[.]tsx)$' },
    },
    {
      // Rules and boards are libraries, a game a file: the list of each is what others read.
      name: 'studio-games-by-their-lists',
      severity: 'error',
      from: { path: '^packages/studio/src/(host|page)/', pathNot: 'page/boards[.]ts$' },
      to: { path: '^packages/studio/src/(rules|boards)/' },
    },
    {
      name: 'providers-are-others',
      severity: 'error',
      // The programs of the providers and the site know each other by the wire alone.
      from: { path: '^(packages/studio|apps/provider-[ab])/' },
      to: { path: '^(apps/(server|web)|packages/exchange)/' },
    },
    {
      name: 'site-does-not-know-the-studio',
      severity: 'error',
      from: { path: '^apps/(server|web)/src/' },
      to: { path: '^(packages/studio|apps/provider-[ab])/' },
    },
    { name: 'web-and-server-apart', severity: 'error', from: { path: '^apps/web' }, to: { path: '^apps/server' } },
    { name: 'server-and-web-apart', severity: 'error', from: { path: '^apps/server' }, to: { path: '^apps/web' } },
    {
      name: 'package-through-its-door',
      severity: 'error',
      // Benches measure bare parts too, and the gallery draws them.
      from: { pathNot: '^(packages|bench|apps/web/parts)/' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot:
          '^packages/(contract/src/contract|exchange/src/exchange|casino/src/casino|exchange-api/src/exchange-api|studio/src/studio|studio/src/host/host)[.]ts$',
      },
    },
    {
      name: 'server-room-through-its-door',
      severity: 'error',
      // `app` puts the rooms together, from all of their parts.
      from: { path: `^${server}/([^/]+)/`, pathNot: `^${server}/app/` },
      to: { path: `^${server}/${rooms}/`, pathNot: [`^${server}/$1/`, `^${server}/([^/]+)/\\1\\.ts$`] },
    },
    {
      name: 'server-bus-through-its-door',
      severity: 'error',
      from: { path: `^${server}/`, pathNot: `^${server}/bus/` },
      to: { path: `^${server}/bus/`, pathNot: `^${server}/bus/bus[.]ts$` },
    },
    {
      name: 'server-core-looks-down-only',
      severity: 'error',
      from: { path: `^${server}/(core|ledger|http|db|bus)/` },
      to: { path: `^${server}/${rooms}/` },
    },
    {
      name: 'server-db-is-the-floor',
      severity: 'error',
      from: { path: `^${server}/db/` },
      to: { path: `^${server}/(?!db/)` },
    },
    {
      name: 'features-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    ...webLayers,
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['[.]d[.]m?ts$', 'test/', 'sw/sw[.]ts$', '[.]config[.]ts$', '[.]mjs$', 'vite-env'],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(node_modules|dist|data|public)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
