import { afterEach, describe, expect, it, vi } from 'vitest';
import { Signal } from '../src/platform/listeners.ts';
import { device, tab } from '../src/platform/storage.ts';
import { priceRule, setPriceRule } from '../src/slip/settings.ts';
import { onSlip } from '../src/slip/slip.ts';

describe('a signal', () => {
  it('tells each listener once, with what there is to tell, until it goes', () => {
    const signal = new Signal<[number, string]>();
    const heard: string[] = [];
    const off = signal.on((at, what) => heard.push(`${at} ${what}`));
    signal.tell(1, 'a');
    off();
    signal.tell(2, 'b');
    expect(heard).toEqual(['1 a']);
  });

  it('does not tell who went while it was telling, and tells who came the next time', () => {
    const signal = new Signal();
    const heard: string[] = [];
    signal.on(() => {
      heard.push('first');
      off();
      if (heard.length === 1) signal.on(() => heard.push('came'));
    });
    const off = signal.on(() => heard.push('went'));
    signal.tell();
    expect(heard).toEqual(['first']);
    signal.tell();
    expect(heard).toEqual(['first', 'first', 'came']);
  });
});

describe('what is kept in the browser', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is read as it was kept, and null takes it away', () => {
    device.keep('a', { b: [1] });
    tab.keepText('a', 'text');
    expect([device.value('a'), tab.text('a')]).toEqual([{ b: [1] }, 'text']);
    device.keep('a', null);
    expect([device.value('a'), localStorage.length]).toEqual([null, 0]);
  });

  it('is nothing where somebody else wrote what cannot be read', () => {
    localStorage.setItem('a', '{"b":');
    expect(device.value('a')).toBeNull();
  });

  it('a browser that forbids or is full keeps nothing, and what was chosen is chosen all the same', () => {
    for (const act of ['getItem', 'setItem', 'removeItem'] as const)
      vi.spyOn(Storage.prototype, act).mockImplementation(() => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      });
    device.keepText('a', 'text');
    device.keepText('a', null);
    expect([device.text('a'), device.value('a')]).toEqual([null, null]);
    const told = vi.fn();
    const off = onSlip(told);
    setPriceRule('better');
    off();
    expect([priceRule(), told.mock.calls.length]).toEqual(['better', 1]);
  });
});
