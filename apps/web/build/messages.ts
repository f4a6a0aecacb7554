import { basename, join } from 'node:path';
import { type NodePath, type PluginObj, transformSync, types } from '@babel/core';
import lingui from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';
import type { Compiled } from '../src/platform/language.ts';
import { CASINO, FEED, RULES, readCatalogue, SERVER_ONLY } from './catalogue.ts';

/** A message as it stands in a source: its id is made of the English text and the context. */
export interface Message {
  id: string;
  text: string;
  context?: string;
  /** For who translates it. */
  comment?: string;
  line: number;
}

const src = join(import.meta.dirname, '..', 'src').replaceAll('\\', '/');
const linguiConfig = makeConfig(
  {
    locales: ['en'],
    runtimeConfigModule: {
      i18n: [`${src}/platform/language.ts`, 'i18n'],
      Trans: [`${src}/platform/trans.tsx`, 'Trans'],
    },
  } as Parameters<typeof makeConfig>[0],
  { skipValidation: true },
);

/** A source after its macros; the English of each message stands in it already taken apart, so that no parser is loaded. */
export function withMessages(code: string, file: string) {
  const messages: Message[] = [];
  const done = transformSync(code, {
    filename: file,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    parserOpts: { plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'] },
    // Else a build for production drops contexts, and with them the keys that are made of them.
    plugins: [[lingui, { extract: true, stripMessageField: false, linguiConfig }], taken(messages)],
  });
  if (!done?.code) throw new Error(`${file} is empty.`);
  return { code: done.code, map: done.map, messages };
}

export const hasMessages = (code: string, file: string): boolean =>
  /\.tsx?$/.test(file) && /from '@lingui\/(core|react)\/macro'/.test(code);

/** Each message that the macros made: noted, and its text compiled. */
function taken(messages: Message[]): PluginObj {
  const compile = (path: NodePath<types.ObjectExpression>) => {
    if (!path.node.leadingComments?.some(({ value }) => value.trim() === 'i18n')) return;
    const field = (name: string) =>
      path.node.properties.find(
        (one): one is types.ObjectProperty => types.isObjectProperty(one) && types.isIdentifier(one.key, { name }),
      );
    const text = (name: string) => {
      const value = field(name)?.value;
      return types.isStringLiteral(value) ? value.value : undefined;
    };
    const [id, message, context, comment] = [text('id'), text('message'), text('context'), text('comment')];
    if (id === undefined || message === undefined) return;
    const line = path.findParent(({ node }) => !!node.loc)?.node.loc?.start.line ?? 0;
    messages.push({ id, text: message, ...(context && { context }), ...(comment && { comment }), line });
    const said = compiled(message);
    const key = keyOf({ id, text: message, context });
    const rest = key === said ? [] : [types.valueToNode(said)];
    const values = field('values')?.value as types.Expression | undefined;
    const call = path.parentPath;
    if (call.isCallExpression() && types.isMemberExpression(call.node.callee)) {
      if (!path.getFunctionParent())
        throw path.buildCodeFrameError(
          'Words are asked for while something is drawn: take `msg` here, and `say` it then.',
        );
      call.node.arguments = [types.stringLiteral(key), ...rest, ...(values ? [values] : [])];
      return;
    }
    field('id')!.value = types.stringLiteral(key);
    if (rest[0]) field('message')!.value = rest[0];
    path.node.properties = path.node.properties.filter(
      (one) => ![field('context'), field('comment'), rest[0] ? undefined : field('message')].includes(one as never),
    );
  };
  return { visitor: { Program: { exit: (program) => program.traverse({ ObjectExpression: compile }) } } };
}

/**
 * By what the client asks for a message: a text without values is its own key, so that nothing but the text is loaded;
 * others, and what one English says twice, have the id. The client knows texts of the card tables and of feeds by their
 * English alone (features/casino/vocabulary.ts, platform/named.ts).
 */
function keyOf({ id, text, context }: Pick<Message, 'id' | 'text'> & { context?: string | null | undefined }): string {
  if (context === CASINO || context === FEED) return `${context}:${text}`;
  const said = compiled(text);
  return typeof said === 'string' && !context ? said : id;
}

/** What the client reads of a message (platform/language.ts). Figures and times are formatted before they come into one. */
export function compiled(text: string): Compiled {
  const lean = (tokens: readonly unknown[]): Compiled => {
    const parts = tokens.map((token) => {
      if (!Array.isArray(token)) return String(token);
      const [name, kind, cases] = token as [string, string?, Record<string, unknown>?];
      if (!kind) return [name] as const;
      if (!cases || !['plural', 'selectordinal', 'select'].includes(kind))
        throw new Error(`"${text}": there is no ${kind} in messages.`);
      const own = Object.entries(cases).filter(([key, one]) => key !== 'offset' || one);
      return [
        name,
        kind,
        Object.fromEntries(own.map(([key, one]) => [key, key === 'offset' ? Number(one) : lean(one as [])])),
      ] as const;
    });
    return parts.length === 0
      ? ''
      : parts.length === 1 && typeof parts[0] === 'string' && parts[0] !== '#'
        ? parts[0]
        : parts;
  };
  return lean(compileMessageOrThrow(text));
}

/** Turns the macros of strings into messages, and the messages of a language into what is fetched of it: in development, in tests and in builds alike. */
export function spokenMessages(): Plugin {
  return {
    name: 'spoken-messages',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?')[0]!;
      if (id.endsWith('.po?rules')) return { code: rulesFile(code), map: null };
      if (file.endsWith('.po')) return { code: languageFile(basename(file, '.po'), code), map: null };
      if (!hasMessages(code, file)) return null;
      const { code: done, map } = withMessages(code, file);
      return { code: done, map: map as never };
    },
  };
}

/** Scripts that the page's own font has not: a font of theirs comes with the messages, and a letter by which it is asked for. */
const SCRIPTS: Readonly<Record<string, readonly [name: string, letter: string]>> = {
  hi: ['Devanagari', 'क'],
  mr: ['Devanagari', 'क'],
  bn: ['Bengali', 'ক'],
  ta: ['Tamil', 'க'],
  te: ['Telugu', 'క'],
  ur: ['Arabic', 'ک'],
};

function languageFile(language: string, po: string): string {
  const [name, letter] = SCRIPTS[language] ?? [];
  const messages = `export default ${JSON.stringify(translations(po))};`;
  if (!name || !letter) return messages;
  const font = JSON.stringify([`1em "Noto Sans ${name} Variable"`, letter]);
  return `import '@fontsource-variable/noto-sans-${name.toLowerCase()}/index.css';\nexport const font = ${font};\n${messages}`;
}

/** What the rules of the sports say, by their English: long, and read on one screen. */
function rulesFile(po: string): string {
  const ruled = Object.values(readCatalogue(po)).filter(
    ({ translation, context, obsolete }) => context === RULES && translation && !obsolete,
  );
  return `export default ${JSON.stringify(Object.fromEntries(ruled.map((one) => [one.message, one.translation])))};`;
}

/** By the keys of their messages; what is not translated, is no page's or one screen's alone is not there. */
function translations(po: string): Record<string, Compiled> {
  const said = Object.entries(readCatalogue(po)).filter(
    ([, { translation, context, obsolete }]) =>
      translation && !obsolete && context !== RULES && !SERVER_ONLY.includes(context),
  );
  return Object.fromEntries(
    said.map(([id, { message, translation, context }]) => [
      keyOf({ id, text: message!, context }),
      compiled(translation!),
    ]),
  );
}
