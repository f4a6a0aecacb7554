import type { Core } from './types.ts';

/** Tells each world what the house may lose (minor units, 0 for no bound), where that is not what it knows: one may be new. */
export async function boundHouse(core: Core, wanted: { marketMinor: number; eventMinor: number }): Promise<void> {
  for (const world of core.read.worlds()) {
    const { marketMinor, eventMinor } = core.read.houseLimits(world);
    if (marketMinor === wanted.marketMinor && eventMinor === wanted.eventMinor) continue;
    await core.submit({ world, actor: 'config', command: { type: 'house.limits', ...wanted } });
  }
}
