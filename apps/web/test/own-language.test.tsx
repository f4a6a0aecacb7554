import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { useOwnLanguage } from '../src/app/own-language.ts';
import { chooseLanguage, language } from '../src/platform/language.ts';
import { LanguageChoice } from '../src/ui/language-choice.tsx';

// As it stands once two of them are whole.
vi.mock('../src/platform/offered.ts', () => ({ OFFERED: ['en', 'ur'] }));
afterEach(() => chooseLanguage('en'));

function Player({ own }: { own: 'ur' | 'hi' | null }) {
  useOwnLanguage(own);
  return null;
}

test('the choice names each language by its own name, and the page speaks what is chosen', async () => {
  const told: string[] = [];
  render(<LanguageChoice onChosen={(to) => told.push(to)} />);
  expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual(['English', 'اردو']);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'ur');
  expect(told).toEqual(['ur']);
  await vi.waitFor(() => expect(document.documentElement.dir).toBe('rtl'));
  expect([language(), localStorage.getItem('language')]).toEqual(['ur', 'ur']);
});

test('the account’s language is spoken where it is offered; an account without one leaves the browser’s', async () => {
  const { rerender } = render(<Player own={null} />);
  await act(() => chooseLanguage('es'));
  rerender(<Player own="hi" />);
  await new Promise((resolve) => setTimeout(resolve));
  expect(language()).toBe('es');
  rerender(<Player own="ur" />);
  await vi.waitFor(() => expect(language()).toBe('ur'));
});
