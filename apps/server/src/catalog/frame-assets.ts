/** Script and style of the frame pages, as they are sent. Plain browser code: everything is set as text, never as markup. */

export const FRAME_CSS = `
html, body { margin: 0; height: 100%; background: #0b0f0d; color: #f3f0ea; font: 14px/1.35 system-ui, sans-serif; }
main { position: relative; display: flex; flex-direction: column; height: 100%; box-sizing: border-box; }
p { margin: 0; }
#title { font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; padding: 10px 14px 0; }
#field { width: 100%; flex: 1; min-height: 0; display: block; }
#lines { display: grid; gap: 2px; padding: 8px 14px; font-variant-numeric: tabular-nums; }
#lines .big { font-size: 18px; font-weight: 600; }
#lines .dim { color: #b4bdb7; }
#lines .bar { display: flex; gap: 8px; flex-wrap: wrap; }
#late { color: #b4bdb7; font-size: 12px; padding: 0 14px 8px; }
[data-kind="score"] #field { display: none; }
#lines:empty { display: none !important; }
[data-kind="tv"] #field { background: linear-gradient(#0e1a26 41%, #256b3c 41%); }
[data-kind="tv"] #lines { position: absolute; top: 8px; left: 8px; max-width: calc(100% - 40px); padding: 4px 9px;
  border-radius: 4px; background: rgba(4, 7, 5, 0.78); font-size: 11px; gap: 0; }
[data-kind="tv"] #lines .big { font-size: 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
/* In a small frame the page around it names the match and says how late the picture is. */
[data-kind="tv"] #title, [data-kind="tv"] #late, [data-kind="tv"] #lines .bar { display: none; }
@media (min-width: 520px) and (min-height: 320px) {
  [data-kind="tv"] #lines { top: 44px; left: 14px; font-size: 14px; padding: 8px 14px; gap: 2px; }
  [data-kind="tv"] #lines .big { font-size: 18px; }
  [data-kind="tv"] #title, [data-kind="tv"] #late { display: block; position: absolute; z-index: 1; text-shadow: 0 1px 3px #000; }
  [data-kind="tv"] #late { bottom: 0; }
  [data-kind="tv"] #lines .bar { display: flex; }
  [data-kind="tv"] #late[hidden] { display: none; }
}
text { font: 600 13px system-ui, sans-serif; fill: #fff; }
text.small { font-size: 11px; font-weight: 500; fill: #f3f0ea; }
@media (max-width: 519px) { text.small { font-size: 19px; } text.run { font-size: 14px; } text.wide { display: none; } }
.dark { paint-order: stroke; stroke: #07130cb0; stroke-width: 3px; }
`;

export const FRAME_JS = String.raw`'use strict';
const kind = document.body.dataset.kind;
const id = location.pathname.split('/').pop();
const field = document.getElementById('field');
const lines = document.getElementById('lines');
document.getElementById('late').hidden = kind !== 'tv';

function shape(name, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key of Object.keys(attributes)) node.setAttribute(key, String(attributes[key]));
  if (text !== undefined) node.textContent = text;
  field.append(node);
}
function line(text, className) {
  if (!text) return;
  const node = document.createElement('p');
  node.textContent = text;
  if (className) node.className = className;
  lines.append(node);
}
const overs = (balls) => Math.floor(balls / 6) + '.' + (balls % 6);
const clip = (text, length) => (text.length > length ? text.slice(0, length - 1) + '\u2026' : text);

// Sky, stands with their crowd, lamps, boards, and mown ground: what every field stands in.
function ground(lamps, green, dark) {
  shape('rect', { x: 0, y: 0, width: 640, height: 150, fill: '#0e1a26' });
  shape('path', { d: 'M0 78Q320 46 640 78V142H0Z', fill: '#1d2a35' });
  shape('path', { d: 'M0 104Q320 78 640 104V142H0Z', fill: '#263744' });
  const crowd = ['#5d7386', '#8c6f5a', '#77808a', '#a3655f', '#4f6f8f'];
  for (let n = 0; n < 260; n++) {
    const x = (n * 149) % 640;
    const rise = 30 * (1 - Math.pow((x - 320) / 320, 2));
    shape('circle', { cx: x, cy: 88 - rise + ((n * n * 7 + n * 13) % 46), r: 1.6, fill: crowd[n % 5], opacity: 0.75 });
  }
  if (lamps) for (const x of [96, 544]) {
    shape('rect', { x: x - 1.5, y: 34, width: 3, height: 66, fill: '#33424d' });
    shape('circle', { cx: x, cy: 26, r: 34, fill: '#fff6d8', opacity: 0.1 });
    for (const dy of [0, 8]) for (const dx of [-12, -4, 4, 12]) shape('circle', { cx: x + dx, cy: 20 + dy, r: 3, fill: '#fffbe9' });
  }
  const boards = ['#1c5fa8', '#b04a3c', '#e0a93f', '#2f7d57', '#6a4fa0'];
  for (let n = 0; n < 8; n++) shape('rect', { x: n * 80, y: 136, width: 80, height: 14, fill: boards[n % 5], opacity: 0.85 });
  shape('rect', { x: 0, y: 149, width: 640, height: 211, fill: green });
  for (let n = -3; n < 4; n++) shape('path', { d: 'M' + (320 + n * 70) + ' 149h35L' + (320 + n * 230 + 115) + ' 360h-115Z', fill: dark });
}
// A figure by the point it stands on; nearer ones are bigger.
function man(x, y, colour) {
  const size = 0.55 + ((y - 150) / 210) * 0.75;
  shape('ellipse', { cx: x + 3 * size, cy: y, rx: 7 * size, ry: 2 * size, fill: '#04140b', opacity: 0.45 });
  shape('path', { d: 'M' + (x - 3 * size) + ' ' + y + 'l' + 1.4 * size + ' ' + -11 * size + 'h' + 3.2 * size + 'l' + 1.4 * size + ' ' + 11 * size + 'z', fill: '#e9ecef' });
  shape('rect', { x: x - 4 * size, y: y - 21 * size, width: 8 * size, height: 11 * size, rx: 2.5 * size, fill: colour });
  shape('circle', { cx: x, cy: y - 24 * size, r: 3.2 * size, fill: '#caa182' });
}
function label(x, y, text, anchor, more) {
  shape('text', { x: x, y: y, 'text-anchor': anchor || 'middle', class: 'small dark ' + (more || '') }, text);
}

function cricket(score) {
  ground(true, '#256b3c', '#1f5f35');
  shape('ellipse', { cx: 320, cy: 262, rx: 306, ry: 106, fill: 'none', stroke: '#ffffff66', 'stroke-width': 1.5 });
  shape('path', { d: 'M292 190h56l28 146H264Z', fill: '#c8ab74' });
  shape('path', { d: 'M284 204h72M272 318h96', stroke: '#ffffffcc', 'stroke-width': 1.5 });
  for (const [y, h, w] of [[200, 12, 2], [322, 22, 3]]) for (const n of [-1, 0, 1]) shape('rect', { x: 320 + n * w * 2.4 - w / 2, y: y - h, width: w, height: h, fill: '#f5efe0' });
  for (const [x, y] of [[120, 232], [204, 186], [436, 184], [540, 246], [92, 296], [566, 312], [236, 262]]) man(x, y, '#3f7fc4');
  man(338, 330, '#d9a22f');
  man(350, 210, '#d9a22f');
  const striker = score.batters.find((one) => one.onStrike);
  const other = score.batters.find((one) => !one.onStrike);
  const bowler = score.bowlers[0];
  man(300, score.ballRunning ? 216 : 186, '#3f7fc4');
  if (score.ballRunning) shape('circle', { cx: 322, cy: 262, r: 4, fill: '#e5484d' });
  if (striker) label(392, 326, clip(striker.name, 18) + ' ' + striker.runs + '*', 'start');
  if (other) label(374, 204, clip(other.name, 18) + ' ' + other.runs, 'start');
  if (bowler) label(268, 184, clip(bowler.name, 18) + ' ' + bowler.wickets + '/' + bowler.runs, 'end');
}
function cricketLines(score) {
  // On the picture stands the innings that is played; the board shows them all.
  const shownInnings = kind === 'tv' ? score.innings.filter((_, at) => at === score.battingIndex) : score.innings;
  for (const one of shownInnings) line(one.team + ' ' + one.runs + '/' + one.wickets + (one.declared ? 'd' : '') + ' (' + overs(one.balls) + ')', 'big');
  line(score.line);
  if (kind === 'tv' || !score.innings.length) return;
  const rate = (name, perOver) => (Number(perOver) > 0 ? name + ' ' + perOver : '');
  line([rate('CRR', score.currentRunRate), rate('RRR', score.requiredRunRate)].filter(Boolean).join('  '), 'dim');
}

function football(score) {
  ground(true, '#2a7342', '#23663a');
  // The near touchline is the wide one.
  shape('path', { d: 'M120 172h400l104 168H16Z', fill: 'none', stroke: '#ffffffaa', 'stroke-width': 1.6 });
  shape('path', { d: 'M320 172v168', stroke: '#ffffffaa', 'stroke-width': 1.6 });
  shape('ellipse', { cx: 320, cy: 250, rx: 66, ry: 27, fill: 'none', stroke: '#ffffffaa', 'stroke-width': 1.6 });
  shape('path', { d: 'M101 203h62l-42 84H49ZM539 203h-62l42 84h72Z', fill: 'none', stroke: '#ffffffaa', 'stroke-width': 1.6 });
  shape('path', { d: 'M84 206v-22M62 262v-26M84 184L62 236M556 206v-22M578 262v-26M556 184l22 52', stroke: '#fff', 'stroke-width': 2 });
  const last = score.events.filter((one) => one.kind === 'goal' || one.kind === 'penalty').pop();
  const goal = last && score.minute - last.minute < 2;
  const x = goal ? (last.side === 'home' ? 560 : 80) : 320 + Math.sin(score.minute) * 160;
  const y = goal ? 246 : 252 + Math.cos(score.minute * 1.7) * 52;
  const men = [[-150, -46], [-120, 34], [-64, -12], [-40, 58], [36, -50], [66, 18], [120, -30], [146, 52]];
  men.map(([dx, dy], at) => [320 + dx + (x - 320) * 0.45, Math.min(334, Math.max(184, 256 + dy + Math.sin(score.minute + at) * 10)), at])
    .concat([[x - 9, y, 2], [112, 246, 0], [528, 246, 1]])
    .sort((a, b) => a[1] - b[1])
    .forEach(([mx, my, at]) => man(mx, my, at % 2 === 0 ? '#7a5bd6' : '#2f86d6'));
  shape('circle', { cx: x, cy: y, r: 4, fill: '#fff', stroke: '#10271a' });
  score.events.slice(-3).forEach((one, at) => label(at * 200 + 120, 354, one.minute + "' " + one.kind + ' ' + clip(one.player, 16), 'middle', 'wide'));
}
function footballLines(score) {
  line(score.home + ' ' + score.homeGoals + ' - ' + score.awayGoals + ' ' + score.away, 'big');
  line(score.phase === 'NS' ? 'Not started' : score.phase === 'HT' || score.phase === 'FT' ? score.phase : score.clock + "'", 'dim');
}

function tennis(score) {
  ground(false, '#1f5f8f', '#1f5f8f');
  shape('path', { d: 'M206 168h228l116 172H90Z', fill: '#2a76b3', stroke: '#fff', 'stroke-width': 2 });
  shape('path', { d: 'M232 168L130 340M408 168l102 172M216 196h208M168 288h304M320 196v92', fill: 'none', stroke: '#ffffffd0', 'stroke-width': 1.6 });
  shape('path', { d: 'M168 244h304v-20H168Z', fill: '#ffffff22', stroke: '#fff', 'stroke-width': 1.4 });
  man(score.server === 1 ? 352 : 300, 176, '#d65b5b');
  man(score.server === 0 ? 366 : 286, 334, '#f0f0f0');
  shape('circle', { cx: score.server === 0 ? 354 : 344, cy: score.server === 0 ? 300 : 180, r: 4, fill: '#d7f205' });
  label(320, 164, clip(score.players[1] || '', 22));
  label(320, 354, clip(score.players[0] || '', 22));
}
function tennisLines(score) {
  score.players.forEach((name, at) => line((score.server === at ? '\u25CF ' : '') + name + '  ' + score.sets.map((set) => set[at]).join(' ') + '  ' + score.points[at], 'big'));
  line(score.line, 'dim');
}

function race(score, data) {
  const colours = new Map(data.silks.map((one) => [one.id, one.body]));
  const dogs = score.sport === 'greyHound';
  ground(!dogs ? false : true, dogs ? '#b08d5e' : '#2a7342', dogs ? '#a78456' : '#23663a');
  shape('path', { d: 'M0 158h640', stroke: '#fff', 'stroke-width': 3 });
  for (let x = 10; x < 640; x += 42) shape('path', { d: 'M' + x + ' 158v12', stroke: '#ffffffb0', 'stroke-width': 2 });
  shape('path', { d: 'M604 158v196M612 158v196', stroke: '#fff', 'stroke-width': 3, 'stroke-dasharray': '8 8' });
  const rows = score.order.slice(0, 14);
  const height = 180 / Math.max(6, rows.length);
  rows.slice().sort((a, b) => a.clothNumber - b.clothNumber).forEach((one, at) => {
    const y = 170 + height * (at + 0.5);
    const x = 30 + (one.share / 1000) * 570;
    const r = Math.min(11, height * 0.48);
    shape('ellipse', { cx: x, cy: y + r, rx: r * 1.2, ry: r * 0.3, fill: '#04140b', opacity: 0.4 });
    shape('circle', { cx: x, cy: y, r: r, fill: colours.get(one.runnerId) || '#888', stroke: '#fff', 'stroke-width': 1.5 });
    const left = x > 420;
    label(left ? x - r - 6 : x + r + 6, y + 4, one.clothNumber + ' ' + clip(one.name, 22), left ? 'end' : 'start', 'run');
  });
}
const stages = { PARADING: 'Parading', GOINGDOWN: 'Going down', ATTHEPOST: 'At the post', PHOTOGRAPH: 'Photograph', FINISHED: 'Finished', RESULT: 'Result', WEIGHEDIN: 'Weighed in' };
function raceLines(score) {
  line(score.progress === 'OFF' ? score.remaining + ' m to go' : stages[score.progress] || 'Before the start', 'big');
  line(score.order.slice(0, 4).map((one, at) => at + 1 + '. ' + one.name).join(' \u00B7 '), 'dim');
}

const drawings = {
  cricket: [cricket, cricketLines],
  football: [football, footballLines],
  tennis: [tennis, tennisLines],
  horseRacing: [race, raceLines],
  greyHound: [race, raceLines],
};
let shown = '';
function draw(data) {
  const text = JSON.stringify(data);
  if (text === shown) return;
  shown = text;
  document.getElementById('title').textContent = data.title + ' \u00B7 ' + data.competition;
  field.replaceChildren();
  lines.replaceChildren();
  const score = data.score;
  const drawing = score && drawings[score.sport];
  if (drawing) {
    if (kind === 'tv') drawing[0](score, data);
    drawing[1](score);
  } else {
    const waits = data.startAt > Date.now();
    if (kind === 'tv') ground(true, '#256b3c', '#1f5f35');
    shape('text', { x: 320, y: 250, 'text-anchor': 'middle', class: 'dark' }, waits ? 'Starts ' + new Date(data.startAt).toLocaleString() : (score && score.line) || data.title);
    line(waits ? 'Starts ' + new Date(data.startAt).toLocaleString() : (score && score.line) || '');
  }
  if (data.over) line('This event is over.', 'dim');
  else if (data.chances.length) line(data.chances.map((one) => one.name + ' ' + one.percent + ' %').join(' \u00B7 '), 'dim bar');
}
async function turn() {
  try {
    const answer = await fetch('/frame/data/' + encodeURIComponent(id) + '?kind=' + kind, { cache: 'no-store' });
    if (answer.ok) draw(await answer.json());
    else if (answer.status === 404) document.getElementById('title').textContent = 'This event is not on the site any more.';
  } catch {
    // The network is away; the next turn tries again.
  }
  setTimeout(turn, document.hidden ? 5000 : 1000);
}
turn();
`;
