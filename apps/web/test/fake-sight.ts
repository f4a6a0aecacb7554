import { vi } from 'vitest';

/** What is in sight is the test's to say. */
type Told = (entries: Array<{ target: Element; isIntersecting: boolean }>) => void;
const observed = new Map<Element, Told>();
class Sight {
  readonly #told: Told;
  constructor(told: Told) {
    this.#told = told;
  }
  observe(element: Element) {
    observed.set(element, this.#told);
  }
  unobserve(element: Element) {
    observed.delete(element);
  }
}
vi.stubGlobal('IntersectionObserver', Sight);

export const see = (element: Element, isIntersecting: boolean): void =>
  observed.get(element)!([{ target: element, isIntersecting }]);
