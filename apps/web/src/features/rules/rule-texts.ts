import { useEffect, useState } from 'react';
import { language } from '../../platform/language.ts';

type Texts = Readonly<Record<string, string>>;

/** The rules of the sports in the other languages, each a file of its own: too long for what every page loads. */
const files: Readonly<Partial<Record<string, () => Promise<Texts>>>> = import.meta.glob<Texts>(
  '../../../languages/*.po',
  {
    query: '?rules',
    import: 'default',
  },
);
const NONE: Texts = {};

/** The texts in the language of the page by their English; null while they come. What cannot be fetched is English. */
export function useRuleTexts(): Texts | null {
  const load = files[`../../../languages/${language()}.po`];
  const [texts, setTexts] = useState<Texts | null>(load ? null : NONE);
  useEffect(() => {
    let here = true;
    load?.().then(
      (found) => here && setTexts(found),
      () => here && setTexts(NONE),
    );
    return () => {
      here = false;
    };
  }, [load]);
  return texts;
}
