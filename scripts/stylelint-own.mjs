/** Rules of this house that stylelint has none for: a file has one subject, and no rule outlives what it was written for. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import stylelint from 'stylelint';
import ts from 'typescript';
import { isState, isWord } from './class-names.mjs';

const root = join(import.meta.dirname, '..');
const { createPlugin, utils } = stylelint;

/** Where classes are named that the styles of a place may speak of. */
const PLACES = ['apps/web', 'packages/studio'];
const MODULE = '.module.css';

function lines(most) {
  return (sheet, result) => {
    const count = sheet.source.input.css.trimEnd().split('\n').length;
    if (count <= most) return;
    const message = `${count} lines, at most ${most}: part it by what it styles.`;
    utils.report({ result, ruleName: 'fairgame/lines', message, node: sheet });
  };
}

const under = (folder, kind) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(folder, file));

/** The names a sheet is asked for by the programs that import it: whole (`css.head`), or by their beginning (css[`is${x}`]). */
class Asked {
  #names = new Set();
  #beginnings = new Set();
  add(name) {
    this.#names.add(name);
  }
  addBeginning(beginning) {
    this.#beginnings.add(beginning);
  }
  has(name) {
    return this.#names.has(name) || [...this.#beginnings].some((beginning) => name.startsWith(beginning));
  }
  get names() {
    return [...this.#names];
  }
}

/** What the programs of a place say of classes: words in their texts, and names asked of modules by the path of the sheet. */
function namesIn(place) {
  const words = new Asked();
  const modules = new Map();
  const take = (text) => {
    for (const word of text.split(/[^\w-]+/)) words.add(word);
  };
  const read = (file) => {
    const sheets = new Map();
    const walk = (node) => {
      if (ts.isImportDeclaration(node)) {
        const to = node.moduleSpecifier.text;
        if (!to.endsWith(MODULE) || !node.importClause?.name) return;
        const path = join(dirname(file), to);
        if (!modules.has(path)) modules.set(path, new Asked());
        sheets.set(node.importClause.name.text, modules.get(path));
      } else if (ts.isPropertyAccessExpression(node)) sheets.get(node.expression.getText())?.add(node.name.text);
      else if (ts.isElementAccessExpression(node)) ask(sheets.get(node.expression.getText()), node.argumentExpression);
      else if (ts.isStringLiteralLike(node)) take(node.text);
      else if (ts.isTemplateExpression(node)) {
        for (const part of [node.head, ...node.templateSpans.map((span) => span.literal)]) {
          take(part.text);
          const open = /[\w-]+[-_]$/.exec(part.text)?.[0];
          if (open) words.addBeginning(open);
        }
      }
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  };
  for (const file of under(join(place, 'src'), /\.tsx?$/)) read(file);
  take(readFileSync(join(place, 'index.html'), 'utf8'));
  const classes = new Map(
    under(join(place, 'src'), /\.module\.css$/).map((file) => [
      basename(file, MODULE),
      classesIn(readFileSync(file, 'utf8')),
    ]),
  );
  return { words, modules, classes };
}

/** A computed name may be any that begins so; without a beginning it may be each of them. */
function ask(sheet, name) {
  if (!sheet) return;
  if (ts.isStringLiteralLike(name)) sheet.add(name.text);
  else sheet.addBeginning(ts.isTemplateExpression(name) ? name.head.text : '');
}

const CLASS = /\.([a-zA-Z][\w-]*)/g;
const classesIn = (text) => new Set([...text.matchAll(CLASS)].map(([, name]) => name));

const asked = new Map();

function used(place) {
  if (!asked.has(place)) asked.set(place, namesIn(join(root, place)));
  return asked.get(place);
}

/** Why a class of a sheet is of no use to anybody; null: it is. */
function useless(name, file, place, { words, modules, classes }) {
  const path = join(root, file);
  const [sheet, part] = name.split('__');
  if (!file.endsWith(MODULE) || isState(name) || isWord(name, file))
    return words.has(name) || part !== undefined ? null : `Nothing in ${place} has the class "${name}".`;
  if (part !== undefined) return classes.get(sheet)?.has(part) ? null : `${sheet}${MODULE} has no class "${part}".`;
  return modules.get(path)?.has(name) ? null : `No program asks ${basename(file)} for "${name}".`;
}

function classUsed() {
  return (sheet, result) => {
    const file = relative(root, sheet.source.input.file).replaceAll('\\', '/');
    const place = PLACES.find((one) => file.startsWith(`${one}/`));
    if (!place) return;
    const report = (node, message, word) =>
      utils.report({ result, ruleName: 'fairgame/class-used', message, node, ...(word && { word }) });
    const here = used(place);
    const has = new Set();
    sheet.walkRules((rule) => {
      for (const name of classesIn(rule.selector)) {
        has.add(name);
        const why = useless(name, file, place, here);
        if (why) report(rule, why, `.${name}`);
      }
    });
    const wanted = here.modules.get(join(root, file))?.names ?? [];
    for (const name of wanted) if (!has.has(name)) report(sheet, `A program asks for "${name}", which is not here.`);
  };
}

/** A state says how a part is at the moment, a word of base.css is every part's: without the part it would style all of the page. */
function stateAlone() {
  return (sheet, result) => {
    if (!sheet.source.input.file.endsWith(MODULE)) return;
    sheet.walkRules((rule) => {
      for (const selector of rule.selectors) {
        const names = [...classesIn(selector)];
        const every = (name) => isState(name) || isWord(name, sheet.source.input.file);
        if (names.length === 0 || !names.every(every) || /(^|[\s>+~(])[a-z]/.test(selector)) continue;
        const message = `"${selector}" styles every part that is so.`;
        utils.report({ result, ruleName: 'fairgame/state-alone', message, node: rule });
      }
    });
  };
}

/** What is no module belongs to the whole page, and stands on the list. */
function moduleOnly(plain) {
  return (sheet, result) => {
    const file = relative(root, sheet.source.input.file).replaceAll('\\', '/');
    if (file.endsWith(MODULE) || plain.some((one) => file.startsWith(one))) return;
    const message = 'The styles of a part are a *.module.css beside it.';
    utils.report({ result, ruleName: 'fairgame/module-only', message, node: sheet });
  };
}

export default [
  createPlugin('fairgame/lines', Object.assign(lines, { ruleName: 'fairgame/lines', messages: {} })),
  createPlugin('fairgame/class-used', Object.assign(classUsed, { ruleName: 'fairgame/class-used', messages: {} })),
  createPlugin('fairgame/state-alone', Object.assign(stateAlone, { ruleName: 'fairgame/state-alone', messages: {} })),
  createPlugin('fairgame/module-only', Object.assign(moduleOnly, { ruleName: 'fairgame/module-only', messages: {} })),
];
