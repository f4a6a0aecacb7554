import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Screen } from '../src/features/rules/rules.tsx';
import { chooseLanguage } from '../src/platform/language.ts';
import { settle } from './settle.ts';
import { clear, serve, show } from './trading.tsx';

const line = (text: string) => ({ text, color: 'none' });
const VOID = 'If the over is not completed, the bet is void.';
const OWN = 'Our house has a rule of its own.';
beforeEach(() => {
  serve({
    '/rules': [
      { sportName: 'Cricket', rules: [{ category: 'Fancy', description: [line(VOID)] }] },
      { sportName: 'Tennis', rules: [{ category: 'Match', description: [line(OWN)] }] },
    ],
  });
});
afterEach(async () => {
  clear();
  await chooseLanguage('en');
});

test('the rules are read in the language of the page or as they were written, and say which of them counts', async () => {
  await chooseLanguage('hi');
  show(<Screen />);
  await settle();
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual(['क्रिकेट', 'टेनिस']);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('फैंसी');
  expect(screen.getByText('ओवर पूरा न हो तो बेट रद्द है।')).toBeTruthy();
  expect(screen.getByText(/^यह अनुवाद है।/)).toBeTruthy();
  const choice = screen.getByRole('combobox', { name: 'भाषा' });
  expect([...choice.children].map((one) => one.textContent)).toEqual(['हिन्दी', 'English']);
  await userEvent.selectOptions(choice, 'en');
  expect(screen.getByText(VOID).closest('[lang]')?.getAttribute('lang')).toBe('en');
  expect(screen.queryByText(/^यह अनुवाद है।/)).toBeNull();
});

test('what the operator wrote himself stands in English, and says so', async () => {
  await chooseLanguage('ur');
  show(<Screen />);
  await settle();
  await userEvent.click((await screen.findAllByRole('tab'))[1]!);
  const text = await screen.findByText(OWN);
  expect([text.lang, text.dir]).toEqual(['en', 'ltr']);
  expect(screen.getByText(/انگریزی/, { selector: '.toast__note *' })).toBeTruthy();
});

test('in English there is nothing to choose and nothing to note', async () => {
  show(<Screen />);
  await settle();
  expect((await screen.findByText(VOID)).lang).toBe('');
  expect([...screen.getByRole('combobox', { name: 'Language' }).children].map((one) => one.textContent)).toEqual([
    'English',
  ]);
  expect(document.querySelector('.toast__note')).toBeNull();
});
