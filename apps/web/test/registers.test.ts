import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { setTablePrefs, tablePrefs } from '../src/features/casino/table-prefs.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';

/**
 * What a module keeps outlives the screen, and a player: in features and betting each register is forgotten at sign-out, in
 * the file that keeps it, or says that it is not a player's.
 */
const SRC = join(import.meta.dirname, '../src');
const SAYS = /Not a player's: \S/;

/** The module's registers that neither forget themselves nor say why not. */
function unforgotten(text: string): string[] {
  const source = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const functions = new Map<string, ts.Node>();
  const forgets: ts.Node[] = [];
  const registers: string[] = [];
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) functions.set(statement.name.text, statement);
    const call =
      ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression) && statement.expression;
    if (call && call.expression.getText() === 'perPlayer') forgets.push(...call.arguments);
    if (!ts.isVariableStatement(statement)) continue;
    const said = SAYS.test(text.slice(statement.pos, statement.getStart()));
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
        functions.set(name.getText(), initializer);
      if (statement.declarationList.flags & ts.NodeFlags.Let && !said) registers.push(name.getText());
    }
  }
  const written = new Set<string>();
  const walked = new Set<ts.Node>();
  const walk = (node: ts.Node): void => {
    if (walked.has(node)) return;
    walked.add(node);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      written.add(node.left.getText());
    // What it calls, and a function that is named in place of one.
    if (ts.isIdentifier(node) && functions.has(node.text)) walk(functions.get(node.text)!);
    ts.forEachChild(node, walk);
  };
  forgets.forEach(walk);
  return registers.filter((name) => !written.has(name));
}

describe('what modules keep', () => {
  const files = ['features', 'betting'].flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(room, name)),
  );

  it('is forgotten at sign-out, or is not a player’s and says so', () => {
    expect(files.length).toBeGreaterThan(100);
    const left = files.flatMap((file) =>
      unforgotten(readFileSync(join(SRC, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    expect(left).toEqual([]);
  });

  it('placing at a press ends with the player who armed it; how the tables are on this device stays', () => {
    setTablePrefs({ atOnce: true, asks: true });
    forgetPlayer();
    expect(tablePrefs()).toMatchObject({ atOnce: false, asks: true });
    setTablePrefs({ asks: false });
  });

  it.each([
    ['is never forgotten', 'let held = 1;', ['held']],
    ['has only words about something else', '/** The newest. */\nlet held = 1;', ['held']],
    ['is left out of the forgetting', 'let a = 1;\nlet b = 2;\nperPlayer(() => {\n  a = 0;\n});', ['b']],
    ['is forgotten', 'let held = 1;\nperPlayer(() => {\n  held = 0;\n});', []],
    [
      'is forgotten by a function that is called',
      'let held = 1;\nperPlayer(() => put(0));\nfunction put(to) {\n  held = to;\n}',
      [],
    ],
    [
      'is forgotten by a function that is named',
      'let held = 1;\nperPlayer(clear);\nconst clear = () => { held = 0; };',
      [],
    ],
    ['says whose it is', "/** Not a player's: the page's own. */\nlet held = 1;", []],
    ['is of a function, not of the module', 'function f() {\n  let held = 1;\n  return held;\n}', []],
  ])('a register that %s is told', (_, text, told) => {
    expect(unforgotten(text)).toEqual(told);
  });
});
