/** The wire of programs: an exchange API in the format that bots and trading programs speak, and its mapping to the core. */
export * from './books.ts';
export * from './catalogue.ts';
export * from './cleared.ts';
export * from './enums.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './filter.ts';
export * from './given.ts';
export * from './identity.ts';
export * from './ids.ts';
export * from './lines.ts';
export * from './numbers.ts';
export * from './orders.ts';
export * from './requests.ts';
export * from './stream.ts';
export * from './weights.ts';
