/** Expand first, contract later (CONTRIBUTING): a migration takes nothing away that another version may still use. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../src/db/migrations/', import.meta.url);
/** The rule came with this number. */
const SINCE = 60;
const TAKES_AWAY =
  /\b(DROP\s+(TABLE|FUNCTION|COLUMN|VIEW|TYPE)|RENAME\s+(TO|COLUMN)|ALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE|OR\s+REPLACE\s+FUNCTION)\b/i;
/** Said right above: why no version that can still run needs it. */
const SAID = /^--\s*contract:\s*\S.*/i;

/** Statements of a migration that take something away without a reason above them. */
function unsaid(sql: string): string[] {
  const found: string[] = [];
  let reason = false;
  for (const line of sql.split('\n')) {
    if (SAID.test(line)) reason = true;
    else if (!line.startsWith('--')) {
      if (TAKES_AWAY.test(line) && !reason) found.push(line.trim());
      if (line.trimEnd().endsWith(';') || line.trim() === '') reason = false;
    }
  }
  return found;
}

describe('migrations', () => {
  const files = readdirSync(FOLDER).filter((name) => Number(name.slice(0, 3)) >= SINCE);

  it.each(files.length > 0 ? files : ['none yet'])(
    '%s takes nothing away without saying why nobody needs it',
    (name) => {
      if (files.length > 0) expect(unsaid(readFileSync(new URL(name, FOLDER), 'utf8'))).toEqual([]);
    },
  );

  it('the rule sees what it is about', () => {
    expect(unsaid('DROP FUNCTION core_commit;')).toEqual(['DROP FUNCTION core_commit;']);
    expect(
      unsaid('-- contract: the leader alone calls it, and it leads before it migrates\nDROP FUNCTION core_commit;'),
    ).toEqual([]);
    expect(unsaid('-- contract: gone since 0.3\nDROP TABLE a;\nDROP TABLE b;')).toEqual(['DROP TABLE b;']);
    expect(unsaid('CREATE OR REPLACE FUNCTION core_commit_3() RETURNS void')).toHaveLength(1);
    expect(unsaid('ALTER TABLE a ADD COLUMN b int;\nCREATE FUNCTION core_commit_3() RETURNS void')).toEqual([]);
  });
});
