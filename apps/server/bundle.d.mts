export function bundle(programs: Readonly<Record<string, string>>, outdir: string): Promise<void>;
