import { describe, expect, it } from 'vitest';
import { ACCOUNT_MENU, accountEntries } from '../src/app/account-menu-data.ts';
import { splitNotices } from '../src/app/shell-data.ts';
import { say, type Words } from '../src/platform/language.ts';
import { EVENT_TYPES, eventPath, typePath } from '../src/platform/links.ts';
import { SPORTS, sportName } from '../src/platform/sports.ts';

const labels = (list: ReadonlyArray<{ label: Words }>) => list.map((entry) => say(entry.label));
const places = (list: ReadonlyArray<{ label: Words; to?: string }>) =>
  list.map((entry) => [say(entry.label), entry.to]);

describe('account menu', () => {
  it('[MNU-10] keeps the order of the specification', () => {
    expect(labels(ACCOUNT_MENU)).toEqual([
      'Account Statement',
      'Current Bet',
      'Live Casino Bets',
      'Set Button Values',
      'Security Auth Verification',
      'Change Password',
      'Rules',
      'Balance',
      'Exposure',
    ]);
  });

  it('[MNU-01] [MNU-02] [MNU-03] [MNU-05] [MNU-06] leads to the account screens', () => {
    expect(places(ACCOUNT_MENU.filter((entry) => entry.to !== undefined))).toEqual([
      ['Account Statement', '/account-statement'],
      ['Current Bet', '/unsettled-bet'],
      ['Live Casino Bets', '/live-casino-bets'],
      ['Security Auth Verification', '/secure-auth'],
      ['Change Password', '/change-password'],
    ]);
  });

  it('[MNU-04] [MNU-07] opens modals for stake buttons and rules', () => {
    expect(ACCOUNT_MENU.filter((entry) => entry.modal).map((entry) => [say(entry.label), entry.modal])).toEqual([
      ['Set Button Values', 'buttons'],
      ['Rules', 'rules'],
    ]);
  });

  it('[MNU-08] [MNU-09] shows Rules, Balance and Exposure on a phone only, the figures without a link', () => {
    const phone = labels(accountEntries({ demo: false, mobile: true }));
    const desktop = labels(accountEntries({ demo: false, mobile: false }));
    for (const label of ['Rules', 'Balance', 'Exposure']) {
      expect(phone).toContain(label);
      expect(desktop).not.toContain(label);
    }
    for (const entry of ACCOUNT_MENU.filter((one) => one.figure)) {
      expect(entry.to).toBeUndefined();
      expect(entry.modal).toBeUndefined();
    }
  });

  it('[DEM-01] [DEM-02] [DEM-03] leaves a demo player six entries', () => {
    expect(labels(accountEntries({ demo: true, mobile: true }))).toEqual([
      'Account Statement',
      'Current Bet',
      'Set Button Values',
      'Rules',
      'Balance',
      'Exposure',
    ]);
    const desktop = labels(accountEntries({ demo: true, mobile: false }));
    for (const label of ['Live Casino Bets', 'Security Auth Verification', 'Change Password'])
      expect(desktop).not.toContain(label);
  });

  it('leads to the reports that the specification leaves out of it, after its own entries', () => {
    const entries = accountEntries({ demo: false, mobile: true });
    expect(places(entries).slice(ACCOUNT_MENU.length, -1)).toEqual([
      ['Profit and loss', '/profit-loss'],
      ['Bet history', '/bet-history'],
      ['Order history', '/order-history'],
      ['Alerts', '/alerts'],
    ]);
  });

  it('[OPN-17] leads to player protection', () => {
    expect(accountEntries({ demo: false, mobile: false }).at(-1)?.to).toBe('/player-protection');
  });
});

describe('sidebar', () => {
  it('[SID-08] [CAR-41] holds 36 sports with an id each', () => {
    expect(SPORTS).toHaveLength(36);
    expect(new Set(SPORTS.map((sport) => sport.id)).size).toBe(36);
  });

  it('[SID-09] [SID-10] [SID-11] [SID-12] names them in order', () => {
    expect(SPORTS.map((sport) => say(sport.name).toLowerCase()).join(', ')).toBe(
      'politics, cricket, football, tennis, table tennis, badminton, esoccer, basketball, volleyball, ' +
        'snooker, ice hockey, e games, futsal, handball, kabaddi, golf, rugby league, boxing, ' +
        'beach volleyball, mixed martial arts, motogp, chess, cycling, motorbikes, athletics, basketball 3x3, sumo, ' +
        'virtual sports, motor sports, baseball, rugby union, darts, american football, soccer, esports, boat racing',
    );
  });

  it('[CAR-35] keeps the label GreyHound Racing for the key greyHound', () => {
    expect(sportName('greyHound')).toBe('GreyHound Racing');
    expect(sportName('unheardOf')).toBe('unheardOf');
  });
});

describe('links of events', () => {
  it('[SRC-09] [SRC-06] links races to /race', () => {
    expect(eventPath({ matchType: 'greyHound', id: 4 })).toBe('/race/4');
    expect(eventPath({ matchType: 'horseRacing', id: 5, beventId: '77' })).toBe('/race/5');
  });

  it('[SRC-09] [SRC-07] [SRC-08] links others to /game-detail, with the exchange id', () => {
    expect(eventPath({ matchType: 'football', id: 6, beventId: null })).toBe('/game-detail/football/6');
    expect(eventPath({ matchType: 'tennis', id: 7, beventId: '123' })).toBe('/game-detail/tennis/7?bid=123');
  });

  it('[SRC-09] adds no bid for cricket', () => {
    expect(eventPath({ matchType: 'cricket', id: 8, beventId: '123' })).toBe('/game-detail/cricket/8');
  });

  it('[NAV-20] [OPN-08] maps event types to their screens', () => {
    expect(EVENT_TYPES).toMatchObject({
      cricket: 'game-detail',
      politics: 'game-detail',
      horseRacing: 'race',
      greyHound: 'race',
    });
    expect(typePath('tableTennis')).toBe('/contact-admin/777');
    expect(typePath('volleyball')).toBe('/contact-admin/888');
    expect(typePath('lottery')).toBe('/contact-admin/1');
    expect(typePath('racing')).toBe('/contact-admin/98');
    expect(typePath('tembo')).toBe('/contact-admin/89');
    expect(typePath('curling')).toBe('/contact-admin/curling');
    expect(typePath('cricket')).toBe('/game-list/cricket');
  });
});

describe('notices', () => {
  it('[MQE-01] shows the text of the profile, one notice a line', () => {
    expect(splitNotices('One\n\n Two ')).toEqual(['One', 'Two']);
    expect(splitNotices('')).toEqual([]);
  });
});
