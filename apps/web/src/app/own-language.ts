import { CALLS, type Profile } from '@fairgame/contract';
import { useEffect } from 'react';
import { api, queryClient } from '../api/api.ts';
import { chooseLanguage } from '../platform/language.ts';
import type { Chosen } from '../platform/languages.ts';
import { OFFERED } from '../platform/offered.ts';

/** The account's language is spoken wherever the player signs in; an account without one leaves the browser's. */
export function useOwnLanguage(own: Profile['language'] | undefined): void {
  useEffect(() => {
    if (own && OFFERED.includes(own)) chooseLanguage(own).catch(() => undefined);
  }, [own]);
}

/** With the account; the profile that is held would call the former language back once the page is drawn anew. */
export function keepLanguage(to: Chosen): void {
  queryClient.setQueryData<Profile>([CALLS.account.profile.name, {}], (held) => held && { ...held, language: to });
  api(CALLS.account.saveLanguage, { body: { language: to } }, { quiet: true }).catch(() => undefined);
}
