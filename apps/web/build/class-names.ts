import { join } from 'node:path';
import type { ESTree, Plugin } from 'vite';
import { scopedName } from '../../../scripts/class-names.mjs';

const SHEET = '.module.css';

/**
 * Writes the names of classes where programs ask for them (`css.head` becomes "panel__head"): a table of all names of each
 * sheet would be loaded with it, a twentieth of the script. Built only; in development and in tests the tables are asked.
 */
export function writtenClassNames(): Plugin {
  return {
    name: 'written-class-names',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (id.endsWith(SHEET)) return { code: 'export default ""', map: null, moduleSideEffects: 'no-treeshake' };
      if (!/\.tsx?$/.test(id) || !code.includes(SHEET)) return null;
      const parts: string[] = [];
      let at = 0;
      for (const { start, end, text } of edits(this.parse(code), code, id)) {
        parts.push(code.slice(at, start), text);
        at = end;
      }
      return { code: parts.join('') + code.slice(at), map: null };
    },
  };
}

type Edit = { start: number; end: number; text: string };

/** What stands in the place of each question for a name, in the order of the program. */
function edits(program: ESTree.Program, code: string, id: string): Edit[] {
  const sheets = new Map<string, string>();
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || !node.source.value.endsWith(SHEET)) continue;
    const [name] = node.specifiers;
    if (name) sheets.set(name.local.name, join(id, '..', node.source.value));
  }
  const found: Edit[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    else if (isNode(node)) {
      const sheet =
        node.type === 'MemberExpression' && node.object.type === 'Identifier' && sheets.get(node.object.name);
      if (sheet) found.push({ start: node.start, end: node.end, text: nameOf(node, sheet, code) });
      else for (const part of Object.values(node)) walk(part);
    }
  };
  walk(program.body);
  return found.sort((a, b) => a.start - b.start);
}

function nameOf({ computed, property }: ESTree.MemberExpression, sheet: string, code: string): string {
  if (!computed && property.type === 'Identifier') return JSON.stringify(scopedName(property.name, sheet));
  return `(${JSON.stringify(scopedName('', sheet))} + (${code.slice(property.start, property.end)}))`;
}

const isNode = (value: unknown): value is ESTree.Node => typeof value === 'object' && value !== null && 'type' in value;
