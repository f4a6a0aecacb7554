/**
 * What keeps styles from colliding and from going their own way. Colours stand in token files, widths in media.css by name;
 * sides are start and end, so that a page can be read from the right; only `always.css` may win by force.
 */
const COLOUR_FUNCTIONS = ['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch'];

/** Drawn things: their colours and places belong to one drawing and are not mirrored. May only shrink. */
const ART = [
  'apps/web/src/features/casino/live/game-art.module.css',
  ...['slots', 'wheel-show', 'chicken-road', 'skyward', 'comet', 'number-drop', 'roulette', 'card-table', 'dice'].map(
    (board) => `packages/studio/src/boards/${board}*.css`,
  ),
];

/** Sheets of the whole page, or folders of them; their classes are words of every part. May only shrink. */
const PLAIN = [
  ...['layers', 'media', 'tokens', 'base'].map((name) => `packages/studio/src/page/${name}.css`),
  ...['layers', 'media', 'tokens', 'colours', 'base', 'always', 'density'].map((name) => `apps/web/src/ui/${name}.css`),
  'apps/web/src/features/casino/tokens.css',
];

/** Four lengths of which the second and the fourth differ. */
const UNEVEN = String.raw`/^(?:[^\s()]|\([^)]*\))+ ((?:[^\s()]|\([^)]*\))+) (?:[^\s()]|\([^)]*\))+ (?!\1$)\S+$/`;
const SIDES = ['/^(left|right)$/'];

/** @type {import('stylelint').Config} */
export default {
  plugins: ['./scripts/stylelint-own.mjs'],
  reportNeedlessDisables: true,
  rules: {
    'fairgame/lines': 300,
    'fairgame/class-used': true,
    'fairgame/state-alone': true,
    'fairgame/module-only': [PLAIN],
    'at-rule-disallowed-list': ['import'],
    'color-named': 'never',
    'color-no-hex': true,
    'function-disallowed-list': COLOUR_FUNCTIONS,
    'declaration-no-important': true,
    'media-feature-name-disallowed-list': ['width', 'min-width', 'max-width', 'device-width'],
    'property-disallowed-list': [
      'right',
      '/^(margin|padding|border|scroll-margin|scroll-padding)-(left|right)/',
      '/^border-(top|bottom)-(left|right)-radius$/',
    ],
    'declaration-property-value-disallowed-list': {
      // The middle is the middle from either side.
      left: ['/^(?!50%$)/'],
      'text-align': SIDES,
      float: SIDES,
      clear: SIDES,
      '/^(margin|padding|inset|border-width|border-color|border-style)$/': [UNEVEN],
    },
  },
  overrides: [
    {
      files: ['**/tokens.css', '**/colours.css', ...ART],
      rules: { 'color-no-hex': null, 'color-named': null, 'function-disallowed-list': null },
    },
    { files: ART, rules: { 'property-disallowed-list': null, 'declaration-property-value-disallowed-list': null } },
    { files: ['**/media.css'], rules: { 'media-feature-name-disallowed-list': null } },
    { files: ['**/always.css'], rules: { 'declaration-no-important': null } },
  ],
};
