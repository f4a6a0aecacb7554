import { cloneElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { type Compiled, filled, type Values, wordsOf } from './language.ts';

interface Props {
  id: string;
  message?: Compiled;
  values?: Values;
  /** The elements within the message, by the numbers of their tags. */
  components?: Readonly<Record<string, ReactElement>>;
}

/** What the macro `Trans` becomes. Values are put in after the tags have been read: a name with a `<` in it stays text. */
export function Trans({ id, message, values, components = {} }: Props): ReactNode {
  const held: unknown[] = [];
  const hold = (value: unknown) => `\uE000${held.push(value) - 1}\uE000`;
  const draw = (text: string): ReactNode[] => {
    const drawn: ReactNode[] = [];
    let at = 0;
    for (const found of text.matchAll(/<(\w+)>(.*?)<\/\1>|<(\w+)\/>|\uE000(\d+)\uE000/gs)) {
      const [all, tag, inside, alone, value] = found;
      const element = components[tag ?? alone ?? ''];
      const children = inside === undefined ? [] : draw(inside);
      drawn.push(text.slice(at, found.index));
      drawn.push(
        value !== undefined || !element ? (
          <Fragment key={at}>{value === undefined ? children : (held[Number(value)] as ReactNode)}</Fragment>
        ) : (
          cloneElement(element, { key: at }, ...children)
        ),
      );
      at = found.index + all.length;
    }
    drawn.push(text.slice(at));
    return drawn;
  };
  return draw(filled(wordsOf(id, message), values, hold));
}
