/** Rules of this house that stylelint has none for: a file has one subject, and no rule outlives what it was written for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import stylelint from 'stylelint';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const { createPlugin, utils } = stylelint;

/** Where classes are named that the styles of a place may speak of. */
const PLACES = ['apps/web', 'packages/studio'];

function lines(most) {
  return (sheet, result) => {
    const count = sheet.source.input.css.trimEnd().split('\n').length;
    if (count <= most) return;
    const message = `${count} lines, at most ${most}: part it by what it styles.`;
    utils.report({ result, ruleName: 'fairgame/lines', message, node: sheet });
  };
}

/** Words in the texts of a program, and the beginnings of words whose end is computed (`tag--${state}`, `tag__${part}`). */
function namesIn(place) {
  const words = new Set();
  const beginnings = new Set();
  const take = (text) => {
    for (const word of text.split(/[^\w-]+/)) words.add(word);
  };
  const walk = (node) => {
    if (ts.isStringLiteralLike(node)) take(node.text);
    else if (ts.isTemplateExpression(node)) {
      for (const part of [node.head, ...node.templateSpans.map((span) => span.literal)]) {
        take(part.text);
        const open = /[\w-]+[-_]$/.exec(part.text)?.[0];
        if (open) beginnings.add(open);
      }
    }
    ts.forEachChild(node, walk);
  };
  for (const file of readdirSync(join(place, 'src'), { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(file))
      walk(ts.createSourceFile(file, readFileSync(join(place, 'src', file), 'utf8'), ts.ScriptTarget.Latest, true));
  take(readFileSync(join(place, 'index.html'), 'utf8'));
  return (name) => words.has(name) || [...beginnings].some((beginning) => name.startsWith(beginning));
}

const asked = new Map();

function used(place) {
  if (!asked.has(place)) asked.set(place, namesIn(join(root, place)));
  return asked.get(place);
}

function classUsed() {
  return (sheet, result) => {
    const file = relative(root, sheet.source.input.file).replaceAll('\\', '/');
    const place = PLACES.find((one) => file.startsWith(`${one}/`));
    if (!place) return;
    sheet.walkRules((rule) => {
      for (const [, name] of rule.selector.matchAll(/\.([a-zA-Z][\w-]*)/g)) {
        if (used(place)(name)) continue;
        const message = `Nothing in ${place} has the class "${name}".`;
        utils.report({ result, ruleName: 'fairgame/class-used', message, node: rule, word: `.${name}` });
      }
    });
  };
}

export default [
  createPlugin('fairgame/lines', Object.assign(lines, { ruleName: 'fairgame/lines', messages: {} })),
  createPlugin('fairgame/class-used', Object.assign(classUsed, { ruleName: 'fairgame/class-used', messages: {} })),
];
