import type { Kept } from './session-rows.ts';

/** The sessions this process holds in memory, found by token, by id and by user. */
export class HeldSessions {
  private readonly byHash = new Map<string, Kept>();
  private readonly byId = new Map<string, Kept>();
  private readonly byUser = new Map<number, Set<Kept>>();

  ofToken(tokenHash: string): Kept | undefined {
    return this.byHash.get(tokenHash);
  }

  get(id: string): Kept | undefined {
    return this.byId.get(id);
  }

  ofUser(userId: number): Kept[] {
    return [...(this.byUser.get(userId) ?? [])];
  }

  all(): Kept[] {
    return [...this.byId.values()];
  }

  add(kept: Kept): void {
    this.byHash.set(kept.tokenHash, kept);
    this.byId.set(kept.sessionId, kept);
    const mine = this.byUser.get(kept.userId) ?? new Set();
    mine.add(kept);
    this.byUser.set(kept.userId, mine);
  }

  /** Ends those that are held; gives their ids by user. */
  letGo(ids: readonly string[]): Map<number, string[]> {
    const byUser = new Map<number, string[]>();
    for (const id of ids) {
      const kept = this.byId.get(id);
      if (!kept) continue;
      kept.ended = true;
      this.byId.delete(id);
      this.byHash.delete(kept.tokenHash);
      const mine = this.byUser.get(kept.userId);
      mine?.delete(kept);
      if (mine?.size === 0) this.byUser.delete(kept.userId);
      byUser.set(kept.userId, [...(byUser.get(kept.userId) ?? []), id]);
    }
    return byUser;
  }
}
