import { existsSync, readFileSync } from 'node:fs';

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads settings by name and by kind; what is wrong is collected in `problems`, so that all of it can be told at once. */
export interface Settings {
  readonly problems: string[];
  /** Trimmed; from the file that NAME_FILE names, where it does. Undefined when absent or empty. */
  value: (name: string) => string | undefined;
  number: (name: string, fallback: number, min: number, max: number) => number;
  choice: <T extends string>(name: string, fallback: T, allowed: readonly T[]) => T;
  onOff: (name: string, fallback: boolean) => boolean;
  /** With commas between. */
  list: (name: string) => string[];
  origin: (name: string, schemes: string[]) => string | undefined;
}

/** Where a site listens unless it is told, and where its commands look for it. */
export const PORTS = { players: 3000, operators: 3001 };

export function readSettings(env: Env): Settings {
  const problems: string[] = [];
  const value = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (file) {
      if (existsSync(file)) return readFileSync(file, 'utf8').trim() || undefined;
      problems.push(`${name}_FILE names a file that is not there`);
    }
    return env[name]?.trim() || undefined;
  };
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const text = value(name);
    if (text === undefined) return fallback;
    const parsed = Number(text);
    if (!Number.isFinite(parsed) || parsed < min || parsed > max) problems.push(`${name} must be ${min} to ${max}`);
    return parsed;
  };
  const choice = <T extends string>(name: string, fallback: T, allowed: readonly T[]): T => {
    const text = value(name) ?? fallback;
    if (!allowed.includes(text as T)) problems.push(`${name} must be one of ${allowed.join(', ')}`);
    return text as T;
  };
  const onOff = (name: string, fallback: boolean): boolean =>
    choice(name, fallback ? 'on' : 'off', ['on', 'off']) === 'on';
  const list = (name: string): string[] =>
    (value(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  const origin = (name: string, schemes: string[]): string | undefined => {
    const text = value(name);
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !schemes.includes(url.protocol) || url.pathname !== '/') problems.push(`${name} must be an origin`);
    return url?.origin;
  };
  return { problems, value, number, choice, onOff, list, origin };
}
