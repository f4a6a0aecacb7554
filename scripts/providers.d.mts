/** Types of providers.mjs for the browser tests and benches. */
type Each<T> = Partial<Record<'a' | 'b', T>>;

export interface DemoProviders {
  /** Settings for the site's own environment. */
  env: Record<string, string>;
  ready: Promise<Array<{ name: string; url: string; ready: boolean }>>;
  stop(): Promise<unknown>;
}

export function wantsDemoProviders(env: NodeJS.ProcessEnv): boolean;
export function dataFolder(root: string, env: NodeJS.ProcessEnv): string;
export function startProviders(options: {
  root: string;
  data: string;
  operatorUrl: string;
  sites: string[];
  env?: NodeJS.ProcessEnv;
  ports?: Each<number>;
  /** CHAOS of each program. */
  chaos?: Each<string>;
  commands?: Each<string[]>;
}): DemoProviders;
