/** The commands: which call each makes, in which order its words stand, and what cannot be read from the contract. */
import { readFileSync } from 'node:fs';
import { type AnyCall, CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { levels, needed, Usage, whole, wholes } from './fields.ts';
import { PLAYED_OPTIONS, playedOf, RESULT_OPTIONS, resultOf } from './played.ts';

/** Options of a command that are no field of its call, by flag. */
export type Own = Readonly<Record<string, string | boolean | undefined>>;

export interface CommandSpec {
  readonly name: string;
  readonly group: string;
  readonly call: AnyCall;
  /** Fields that stand without a flag, in order. One in brackets may be left out; one with dots takes all words left. */
  readonly args?: readonly string[];
  /** Names of fields that are not made of the contract's. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields that this command always sets. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Options beside the fields: `--name` or `--name VALUE`, and what they are. */
  readonly own?: Readonly<Record<string, string>>;
  /** Fields made of those options. Throws Usage. */
  readonly fill?: (own: Own) => Record<string, unknown>;
  readonly example: string;
}

const { protection, provider, bets } = CALLS;
const operator = OPERATOR_CALLS;

export const COMMANDS: readonly CommandSpec[] = [
  { name: 'whoami', group: 'You', call: operator.me, example: 'whoami --as paula' },
  {
    name: 'enrol',
    group: 'You',
    call: operator.enrol,
    example: 'enrol (then put the secret into an authenticator app)',
  },
  {
    name: 'confirm',
    group: 'You',
    call: operator.confirm,
    args: ['code'],
    example: 'confirm 123456 --new-password "four words nobody says"',
  },
  {
    name: 'password',
    group: 'You',
    call: operator.changePassword,
    example: 'password --old-password "..." --new-password "four words nobody says" --code 123456',
  },
  { name: 'sign-out', group: 'You', call: operator.signOut, example: 'sign-out' },
  { name: 'requests', group: 'Two people', call: operator.requests, example: 'requests' },
  {
    name: 'request',
    group: 'Two people',
    call: operator.request,
    args: ['id'],
    example: 'request 7 (what it would change now; the last line is what approve needs)',
  },
  {
    name: 'approve',
    group: 'Two people',
    call: operator.approve,
    args: ['id'],
    example: 'approve 7 --seen 0f3c9a7714d2be55 --as ada',
  },
  {
    name: 'refuse',
    group: 'Two people',
    call: operator.refuse,
    args: ['id'],
    example: 'refuse 7 --reason "wrong player"',
  },
  { name: 'people', group: 'People', call: operator.people, example: 'people' },
  {
    name: 'add-person',
    group: 'People',
    call: operator.addPerson,
    args: ['userName'],
    example: 'add-person frieda --reason "new in payments"',
  },
  {
    name: 'set-roles',
    group: 'People',
    call: operator.setRoles,
    args: ['userName', 'roles'],
    example: 'set-roles frieda payments,support --reason "new in payments"',
  },
  ...(['shut-out', 'let-in'] as const).map((name) => ({
    name,
    group: 'People',
    call: operator.setPerson,
    args: ['userName'],
    fixed: { active: name === 'let-in' },
    example: `${name} frieda --reason "a laptop was lost"`,
  })),
  {
    name: 'reset-person',
    group: 'People',
    call: operator.resetPerson,
    args: ['userName'],
    example: 'reset-person frieda --reason "phone lost, seen in person"',
  },
  {
    name: 'create-player',
    group: 'Players',
    call: operator.createPlayer,
    args: ['userName'],
    flags: { ageVerified: 'age' },
    own: { '--keep-password': 'the first password need not be changed' },
    fill: (own) => ({ forceChangePassword: !own.keepPassword }),
    example: 'create-player anna --credit 100.00 --currency EUR --age yes',
  },
  {
    name: 'credit',
    group: 'Players',
    call: operator.credit,
    args: ['userName', 'amountMinor'],
    example: 'credit anna -25.00 --kind withdrawal --reason "paid out by bank"',
  },
  {
    name: 'withdraw',
    group: 'Money',
    call: operator.addWithdrawal,
    args: ['userName', 'amountMinor'],
    example: 'withdraw anna 25.00 --reason "asked on the phone"',
  },
  { name: 'withdrawals', group: 'Money', call: operator.withdrawals, example: 'withdrawals' },
  {
    name: 'decide-withdrawal',
    group: 'Money',
    call: operator.decideWithdrawal,
    args: ['id', 'to'],
    example: 'decide-withdrawal 12 approved --evidence "passport seen" --reason "bank transfer 8812"',
  },
  {
    name: 'bonus',
    group: 'Money',
    call: operator.addBonus,
    args: ['userName', 'amountMinor'],
    example: 'bonus anna 10.00 --reason "autumn offer"',
  },
  {
    name: 'move-bonus',
    group: 'Money',
    call: operator.moveBonus,
    args: ['id', 'to'],
    example: 'move-bonus 13 forfeited --take 4.00 --reason "wagered on systems"',
  },
  { name: 'payments', group: 'Money', call: operator.payments, args: ['userName'], example: 'payments anna' },
  ...(['block', 'unblock'] as const).map((name) => ({
    name,
    group: 'Players',
    call: operator.block,
    args: ['userName'],
    fixed: { on: name === 'block' },
    own: { '--betting': 'its betting only, not the account' },
    fill: (own: Own) => ({ what: own.betting ? 'betting' : 'account' }),
    example: `${name} anna --betting --reason "asked for it"`,
  })),
  {
    name: 'force-logout',
    group: 'Players',
    call: operator.forceLogout,
    args: ['[userName]'],
    own: { '--all': 'every player' },
    fill: (own) => (own.all ? { userName: undefined } : {}),
    example: 'force-logout anna --reason "lost device"',
  },
  {
    name: 'reset-password',
    group: 'Players',
    call: operator.resetPassword,
    args: ['userName'],
    example: 'reset-password anna --reason "forgotten, identity checked"',
  },
  {
    name: 'unlock',
    group: 'Players',
    call: operator.unlock,
    args: ['userName'],
    example: 'unlock anna --reason "called, identity checked"',
  },
  { name: 'shorts', group: 'Players', call: operator.shorts, example: 'shorts' },
  {
    name: 'release-hold',
    group: 'Players',
    call: operator.releaseHold,
    args: ['userName'],
    example: 'release-hold anna --market 9131 --reason "she pays by Friday"',
  },
  {
    name: 'write-off',
    group: 'Players',
    call: operator.writeOff,
    args: ['userName', 'amountMinor'],
    example: 'write-off anna 60.00 --reason "our mistake"',
  },
  { name: 'player', group: 'Players', call: operator.player, args: ['userName'], example: 'player anna' },
  {
    name: 'set-state',
    group: 'Players',
    call: protection.operatorState,
    args: ['userName', 'state'],
    example: 'set-state anna frozen --reason "documents asked for"',
  },
  {
    name: 'protect',
    group: 'Players',
    call: protection.operatorSettings,
    args: ['userName'],
    flags: { sessionMinutes: 'minutes', ageVerified: 'age' },
    example: 'protect anna --age yes --minutes 120 --reason "passport seen"',
  },
  {
    name: 'revoke',
    group: 'Players',
    call: protection.operatorRevoke,
    args: ['userName'],
    example: 'revoke anna --reason "asked on the phone, period is over"',
  },
  {
    name: 'add-match',
    group: 'Events and markets',
    call: operator.addMatch,
    flags: { matchType: 'sport', competitionName: 'competition', startAt: 'start' },
    example:
      'add-match --sport cricket --title "Reds v Blues" --competition Cup --start 2026-12-01T10:00:00Z --teams "Reds,Blues"',
  },
  {
    name: 'add-session',
    group: 'Events and markets',
    call: operator.addSession,
    args: ['matchId', 'name'],
    example: 'add-session 9001 "6 over runs Reds" --kind session',
  },
  {
    name: 'quote',
    group: 'Events and markets',
    call: operator.quote,
    args: ['betId', 'runnerId'],
    own: {
      '--back LEVELS': 'what can be backed: 2.00:100.00,1.99:50.00 (rates: whole numbers without a dot)',
      '--lay LEVELS': 'what can be laid',
    },
    fill: (own) => ({ back: levels(own.back as string | undefined), lay: levels(own.lay as string | undefined) }),
    example: 'quote 9101 9201 --back 2.00:100.00 --lay 2.02:100.00',
  },
  ...(['suspend', 'resume'] as const).map((name) => ({
    name,
    group: 'Events and markets',
    call: operator[name],
    example: `${name} --match 9001 --reason "rain"`,
  })),
  {
    name: 'declare',
    group: 'Events and markets',
    call: operator.declare,
    args: ['betId'],
    own: RESULT_OPTIONS,
    fill: (own) => ({ result: resultOf(own) }),
    example: 'declare 9101 --winner 9201',
  },
  {
    name: 'judge',
    group: 'Events and markets',
    call: operator.judge,
    args: ['betId'],
    own: { ...PLAYED_OPTIONS, ...RESULT_OPTIONS },
    fill: (own) => ({ played: playedOf(own) }),
    example: 'judge 9103 --rule overSession --over 20 --bowled 17 --score 131 --reason "rain, match abandoned"',
  },
  { name: 'judgements', group: 'Events and markets', call: operator.judgements, example: 'judgements' },
  {
    name: 'move-start',
    group: 'Events and markets',
    call: operator.moveStart,
    args: ['matchId'],
    flags: { startAt: 'start' },
    example: 'move-start 9002 --start 2026-12-04T15:00:00Z --reason "frozen pitch"',
  },
  { name: 'feed', group: 'Feed', call: operator.feed, example: 'feed' },
  {
    name: 'confirm-price',
    group: 'Feed',
    call: operator.confirmPrice,
    args: ['betId'],
    example: 'confirm-price 9101 --reason "red card, price is right"',
  },
  {
    name: 'void-forsaken',
    group: 'Feed',
    call: operator.voidForsaken,
    args: ['betIds'],
    example: 'void-forsaken 9101,9102 --reason "match abandoned, source gone"',
  },
  {
    name: 'quarantine',
    group: 'Feed',
    call: operator.quarantine,
    example: 'quarantine --limit 20',
  },
  {
    name: 'undeclare',
    group: 'Events and markets',
    call: operator.undeclare,
    args: ['betId'],
    example: 'undeclare 9101 --reason "scorecard corrected"',
  },
  {
    name: 'remove-runner',
    group: 'Events and markets',
    call: operator.removeRunner,
    args: ['betId', 'runnerId'],
    example: 'remove-runner 9131 9241 --factor 1250 --reason "withdrawn at the start" (12.50 %)',
  },
  {
    name: 'reinstate-runner',
    group: 'Events and markets',
    call: operator.reinstateRunner,
    args: ['betId', 'runnerId'],
    example: 'reinstate-runner 9131 9241 --factor 1250 --reason "runs after all"',
  },
  {
    name: 'delete-bet',
    group: 'Events and markets',
    call: operator.deleteBet,
    args: ['ids'],
    example: 'delete-bet 501,502 --reason "palpable error"',
  },
  {
    name: 'delete-race-bets',
    group: 'Events and markets',
    call: bets.deleteRaceBets,
    own: { '--race ID': 'the race', '--bets IDS': 'its bets', '--reason TEXT': 'why' },
    fill: (own) => ({
      data: {
        matchId: whole(needed(own, 'race')),
        betIds: wholes(needed(own, 'bets')),
        deleteReason: needed(own, 'reason'),
      },
    }),
    example: 'delete-race-bets --race 9004 --bets 501,502 --reason "started early"',
  },
  {
    name: 'set-reason',
    group: 'Events and markets',
    call: operator.deleteReason,
    args: ['ids'],
    example: 'set-reason 501 --reason "price was a slip"',
  },
  {
    name: 'set-marquee',
    group: 'Texts and clients',
    call: operator.marquee,
    args: ['value...'],
    example: 'set-marquee Reserve day on Monday --type banner1',
  },
  {
    name: 'set-rules',
    group: 'Texts and clients',
    call: operator.rules,
    own: { '--file PATH': 'JSON: {"sportName", "rules": [{"category", "description": [{"text", "color"}]}]}' },
    fill: (own) => rulesIn(needed(own, 'file')),
    example: 'set-rules --file cricket.json',
  },
  {
    name: 'refresh-all',
    group: 'Texts and clients',
    call: operator.refreshAll,
    example: 'refresh-all --reason "new version"',
  },
  {
    name: 'copy-database',
    group: 'Backups',
    call: operator.copyDatabase,
    example: 'copy-database',
  },
  {
    name: 'backup-made',
    group: 'Backups',
    call: operator.backupMade,
    example: 'backup-made --at 2026-11-19T02:10:00Z --seq 812345',
  },
  { name: 'audit', group: 'Audit', call: operator.audit, example: 'audit --limit 50' },
  {
    name: 'reconcile',
    group: 'Live casino',
    call: provider.reconcile,
    example: 'reconcile --day 2026-11-19 (UTC; yesterday where not said; ends with 1 where anything differs)',
  },
  { name: 'open-rounds', group: 'Live casino', call: provider.openRounds, example: 'open-rounds --hours 24' },
  {
    name: 'void-round',
    group: 'Live casino',
    call: provider.voidRound,
    args: ['provider', 'userId', 'round'],
    example: 'void-round a 102 r-77 --reason "open for 14 days"',
  },
  { name: 'held', group: 'Live casino', call: provider.held, example: 'held' },
  {
    name: 'decide-held',
    group: 'Live casino',
    call: provider.decideHeld,
    args: ['provider', 'txId', 'pay'],
    example: 'decide-held a tx-77 yes --reason "jackpot confirmed by the provider"',
  },
];

function rulesIn(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Usage(`${path} is no file of rules: ${(error as Error).message}`);
  }
}
