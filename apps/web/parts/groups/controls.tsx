import { Button, IconButton } from '../../src/ui/button.tsx';
import { CashoutButton } from '../../src/ui/cash-out-face.tsx';
import { Checkbox, RadioCard } from '../../src/ui/checkbox.tsx';
import { DateInput } from '../../src/ui/date-input.tsx';
import { Field, NumberInput, PasswordInput, SelectInput, TextInput } from '../../src/ui/field.tsx';
import { IconCheck, IconLock, IconSearch, IconX } from '../../src/ui/icons.ts';
import { StakeButtons, StakeInput, Stepper } from '../../src/ui/stepper.tsx';
import { Switch } from '../../src/ui/switch.tsx';
import { Choice, Segmented, Tabs } from '../../src/ui/tabs.tsx';
import type { Part } from '../parts.ts';

const nothing = () => undefined;
const KINDS = ['pri', 'sec', 'ghost', 'back', 'lay', 'danger', 'dangerline'] as const;
const STAKES = [10, 25, 100, 500, 1000, 5000, 10_000, 50_000];
const TABS = { open: 'Open bets', past: 'Settled', voided: 'Void' };

export const CONTROLS: readonly Part[] = [
  {
    name: 'button',
    also: ['rtl', 'hover', 'focus'],
    states: {
      ...Object.fromEntries(
        KINDS.map((kind) => [kind, (say: (word: string) => string) => <Button kind={kind}>{say('Place bet')}</Button>]),
      ),
      small: (say) => <Button size="sm">{say('Try again')}</Button>,
      large: (say) => (
        <Button kind="pri" size="lg">
          {say('Login')}
        </Button>
      ),
      icon: (say) => <Button icon={IconCheck}>{say('Save')}</Button>,
      busy: (say) => (
        <Button kind="pri" busy>
          {say('Placing')}
        </Button>
      ),
      disabled: (say) => (
        <Button kind="pri" disabled>
          {say('Place bet')}
        </Button>
      ),
      'icon only': () => <IconButton icon={IconX} label="Close" />,
      'icon only, small': () => <IconButton icon={IconX} label="Close" size={15} small />,
      'icon only, disabled': () => <IconButton icon={IconX} label="Close" disabled />,
    },
  },
  {
    name: 'cashout-button',
    states: {
      'ready, profit': () => <CashoutButton minor={27_546} onPress={nothing} />,
      'ready, loss': () => <CashoutButton minor={-1_250} onPress={nothing} />,
      'not known yet': () => <CashoutButton minor={null} onPress={nothing} />,
      loading: () => <CashoutButton minor={null} state="reading" onPress={nothing} />,
      asks: () => <CashoutButton minor={27_546} state="ask" onPress={nothing} />,
      'price moved': () => <CashoutButton minor={25_100} state="moved" onPress={nothing} />,
      'on its way': () => <CashoutButton minor={27_546} state="busy" onPress={nothing} />,
      'closed, says why': () => <CashoutButton minor={null} state={{ off: 'Suspended' }} onPress={nothing} />,
      small: () => <CashoutButton minor={27_546} small onPress={nothing} />,
    },
  },
  {
    name: 'field',
    wide: true,
    also: ['rtl', 'focus'],
    states: {
      empty: (say) => (
        <Field label={say('Username')}>
          <TextInput placeholder="Username" />
        </Field>
      ),
      'filled, with an icon and help': (say) => (
        <Field label={say('Client name')} help={say('As on your statement.')}>
          <TextInput icon={IconSearch} defaultValue={say('alice')} />
        </Field>
      ),
      error: (say) => (
        <Field label={say('Stake')} error={say('Between 1.00 and 5,000.00.')}>
          <NumberInput defaultValue="99999999" />
        </Field>
      ),
      password: (say) => (
        <Field label={say('Password')}>
          <PasswordInput icon={IconLock} large defaultValue="secret" />
        </Field>
      ),
      choice: (say) => (
        <Field label={say('Sport')}>
          <SelectInput options={[{ value: 'cricket', label: say('Cricket') }]} defaultValue="cricket" />
        </Field>
      ),
      day: (say) => (
        <Field label={say('From')}>
          <DateInput value="2026-11-20" onChange={nothing} />
        </Field>
      ),
      'no day': (say) => (
        <Field label={say('To')}>
          <DateInput value="" onChange={nothing} />
        </Field>
      ),
      disabled: (say) => (
        <Field label={say('Username')}>
          <TextInput defaultValue="alice" disabled />
        </Field>
      ),
    },
  },
  {
    name: 'check',
    also: ['rtl'],
    states: {
      off: (say) => (
        <Checkbox checked={false} onChange={nothing}>
          {say('Average odds')}
        </Checkbox>
      ),
      on: (say) => (
        <Checkbox checked onChange={nothing}>
          {say('Average odds')}
        </Checkbox>
      ),
      disabled: (say) => (
        <Checkbox checked disabled onChange={nothing}>
          {say('Average odds')}
        </Checkbox>
      ),
      'switch off': (say) => (
        <Switch checked={false} onChange={nothing}>
          {say('One-click bets')}
        </Switch>
      ),
      'switch on': (say) => (
        <Switch checked onChange={nothing}>
          {say('One-click bets')}
        </Switch>
      ),
      'switch disabled': (say) => (
        <Switch checked disabled after onChange={nothing}>
          {say('One-click bets')}
        </Switch>
      ),
      'card off': (say) => (
        <RadioCard
          name="break"
          checked={false}
          onChange={nothing}
          title={say('24 hours')}
          note={say('A short break.')}
        />
      ),
      'card on': (say) => (
        <RadioCard name="break" checked onChange={nothing} title={say('7 days')} note={say('Ends by itself.')} />
      ),
    },
  },
  {
    name: 'tabs',
    wide: true,
    also: ['long', 'rtl', 'phone', 'hover'],
    states: {
      tabs: (say) => (
        <Tabs
          label="Bets"
          value="open"
          onChange={nothing}
          items={[
            { id: 'open', label: say('Open bets'), count: 12 },
            { id: 'past', label: say('Settled') },
          ]}
        />
      ),
      'over the whole width': () => <Tabs fill label="Bets" value="past" onChange={nothing} items={TABS} />,
      segmented: () => <Segmented label="Bets" value="voided" onChange={nothing} items={TABS} />,
      choice: (say) => <Choice label={say('Rows')} value="open" onChange={nothing} items={TABS} />,
    },
  },
  {
    name: 'stake',
    wide: true,
    states: {
      odds: () => <Stepper label="Odds" value="2.18" onChange={nothing} onStep={nothing} />,
      'odds that cannot change': () => <Stepper label="Odds" value="1.80" locked onChange={nothing} onStep={nothing} />,
      'odds refused': () => <Stepper label="Odds" value="0.9" invalid onChange={nothing} onStep={nothing} />,
      empty: () => <StakeInput value="" onChange={nothing} />,
      filled: () => <StakeInput value="1,000" lead onChange={nothing} />,
      error: () => <StakeInput value="9" error="At least 100.00." onChange={nothing} />,
      'on its way': () => <StakeInput value="1,000" disabled onChange={nothing} />,
      buttons: () => (
        <StakeButtons
          value={100}
          onPick={nothing}
          items={STAKES.map((value) => ({
            value,
            label: value.toLocaleString('en'),
            off: value > 10_000 ? 'Over the limit' : null,
          }))}
        />
      ),
      'buttons disabled': () => (
        <StakeButtons disabled onPick={nothing} items={STAKES.map((value) => ({ value, label: String(value) }))} />
      ),
    },
  },
];
