/** Script and style of the frame pages, as they are sent. Plain browser code: everything is set as text, never as markup. */

export const FRAME_CSS = `
html, body { margin: 0; height: 100%; background: #0d1117; color: #e6edf3; font: 14px/1.35 system-ui, sans-serif; }
main { display: flex; flex-direction: column; height: 100%; box-sizing: border-box; padding: 6px 8px; gap: 4px; }
p { margin: 0; }
#title { font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
#field { flex: 1; min-height: 0; width: 100%; }
[data-kind="score"] #field { display: none; }
#lines { display: grid; gap: 2px; font-variant-numeric: tabular-nums; }
#lines .big { font-size: 18px; font-weight: 600; }
#lines .dim { color: #9da7b3; }
#lines .bar { display: flex; gap: 8px; flex-wrap: wrap; }
#late { color: #9da7b3; font-size: 12px; }
text { font: 600 15px system-ui, sans-serif; fill: #fff; }
text.small { font-size: 12px; font-weight: 400; fill: #d0d7de; }
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

function cricket(score) {
  shape('ellipse', { cx: 320, cy: 180, rx: 300, ry: 165, fill: '#1f6f3a' });
  shape('ellipse', { cx: 320, cy: 180, rx: 150, ry: 95, fill: 'none', stroke: '#ffffff55', 'stroke-dasharray': '6 6' });
  shape('rect', { x: 302, y: 110, width: 36, height: 140, fill: '#c8a86b' });
  for (const y of [118, 242]) for (const x of [314, 320, 326]) shape('rect', { x: x - 1, y: y - 6, width: 2, height: 12, fill: '#fff' });
  const striker = score.batters.find((one) => one.onStrike);
  const other = score.batters.find((one) => !one.onStrike);
  shape('circle', { cx: 332, cy: 232, r: 6, fill: '#ffd33d' });
  shape('circle', { cx: 332, cy: 128, r: 6, fill: '#ffd33d' });
  if (striker) shape('text', { x: 346, y: 237 }, clip(striker.name, 18) + ' ' + striker.runs + '* (' + striker.balls + ')');
  if (other) shape('text', { x: 346, y: 133 }, clip(other.name, 18) + ' ' + other.runs + ' (' + other.balls + ')');
  const bowler = score.bowlers[0];
  if (bowler) shape('text', { x: 294, y: 106, 'text-anchor': 'end' }, clip(bowler.name, 18) + ' ' + bowler.wickets + '/' + bowler.runs);
  if (score.ballRunning) shape('circle', { cx: 320, cy: 150, r: 5, fill: '#f85149' });
  const over = score.overs[0];
  if (over) over.balls.forEach((ball, at) => {
    const fill = ball === 'W' ? '#da3633' : ball === '4' ? '#1f6feb' : ball === '6' ? '#8957e5' : '#30363d';
    shape('circle', { cx: 40 + at * 34, cy: 335, r: 14, fill: fill });
    shape('text', { x: 40 + at * 34, y: 340, 'text-anchor': 'middle', class: 'small' }, ball);
  });
}
function cricketLines(score) {
  for (const one of score.innings) line(one.team + ' ' + one.runs + '/' + one.wickets + (one.declared ? 'd' : '') + ' (' + overs(one.balls) + ')', 'big');
  line(score.line);
  const rates = 'CRR ' + score.currentRunRate + (score.requiredRunRate ? '  RRR ' + score.requiredRunRate : '');
  if (score.innings.length) line(rates, 'dim');
}

function football(score) {
  shape('rect', { x: 20, y: 20, width: 600, height: 320, fill: '#1f6f3a', stroke: '#ffffffaa' });
  shape('line', { x1: 320, y1: 20, x2: 320, y2: 340, stroke: '#ffffffaa' });
  shape('circle', { cx: 320, cy: 180, r: 48, fill: 'none', stroke: '#ffffffaa' });
  for (const x of [20, 530]) shape('rect', { x: x, y: 100, width: 90, height: 160, fill: 'none', stroke: '#ffffffaa' });
  shape('text', { x: 170, y: 80, 'text-anchor': 'middle' }, clip(score.home, 22));
  shape('text', { x: 470, y: 80, 'text-anchor': 'middle' }, clip(score.away, 22));
  const last = score.events.filter((one) => one.kind === 'goal' || one.kind === 'penalty').pop();
  const side = last && score.minute - last.minute < 2 ? (last.side === 'home' ? 600 : 40) : 320 + Math.sin(score.minute) * 180;
  shape('circle', { cx: side, cy: 180 + Math.cos(score.minute * 1.7) * 60, r: 6, fill: '#fff' });
  shape('text', { x: 320, y: 190, 'text-anchor': 'middle' }, score.homeGoals + ' - ' + score.awayGoals);
  score.events.slice(-5).forEach((one, at) => {
    const x = one.side === 'home' ? 40 : 600;
    shape('text', { x: x, y: 260 + at * 16, 'text-anchor': one.side === 'home' ? 'start' : 'end', class: 'small' }, one.minute + "' " + one.kind + ' ' + clip(one.player, 20));
  });
}
function footballLines(score) {
  line(score.home + ' ' + score.homeGoals + ' - ' + score.awayGoals + ' ' + score.away, 'big');
  line(score.phase === 'NS' ? 'Not started' : score.phase === 'HT' || score.phase === 'FT' ? score.phase : score.clock + "'", 'dim');
}

function tennis(score) {
  shape('rect', { x: 60, y: 40, width: 520, height: 280, fill: '#2463a8', stroke: '#fff' });
  shape('rect', { x: 60, y: 75, width: 520, height: 210, fill: 'none', stroke: '#fff' });
  shape('line', { x1: 320, y1: 30, x2: 320, y2: 330, stroke: '#fff', 'stroke-width': 3 });
  shape('line', { x1: 190, y1: 180, x2: 450, y2: 180, stroke: '#fff' });
  for (const x of [190, 450]) shape('line', { x1: x, y1: 75, x2: x, y2: 285, stroke: '#fff' });
  shape('text', { x: 75, y: 186 }, clip(score.players[0] || '', 18));
  shape('text', { x: 565, y: 186, 'text-anchor': 'end' }, clip(score.players[1] || '', 18));
  shape('circle', { cx: score.server === 0 ? 70 : 570, cy: 150, r: 6, fill: '#d7f205' });
  shape('text', { x: 190, y: 60, 'text-anchor': 'middle' }, score.points[0]);
  shape('text', { x: 450, y: 60, 'text-anchor': 'middle' }, score.points[1]);
}
function tennisLines(score) {
  score.players.forEach((name, at) => line((score.server === at ? '\u25CF ' : '') + name + '  ' + score.sets.map((set) => set[at]).join(' ') + '  ' + score.points[at], 'big'));
  line(score.line, 'dim');
}

function race(score, data) {
  const colours = new Map(data.silks.map((one) => [one.id, one.body]));
  const rows = score.order.slice(0, 14);
  const height = 320 / Math.max(6, rows.length);
  shape('rect', { x: 20, y: 16, width: 600, height: 328, fill: score.sport === 'greyHound' ? '#a9845a' : '#1f6f3a' });
  shape('line', { x1: 600, y1: 16, x2: 600, y2: 344, stroke: '#fff', 'stroke-width': 3 });
  const sorted = rows.slice().sort((a, b) => a.clothNumber - b.clothNumber);
  sorted.forEach((one, at) => {
    const y = 22 + height * (at + 0.5);
    const x = 36 + (one.share / 1000) * 556;
    shape('line', { x1: 24, y1: y, x2: 600, y2: y, stroke: '#ffffff22' });
    shape('circle', { cx: x, cy: y, r: Math.min(11, height * 0.45), fill: colours.get(one.runnerId) || '#888', stroke: '#fff' });
    const left = x > 420;
    shape('text', { x: left ? x - 16 : x + 16, y: y + 4, 'text-anchor': left ? 'end' : 'start', class: 'small' }, one.clothNumber + ' ' + clip(one.name, 22));
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
    shape('text', { x: 320, y: 180, 'text-anchor': 'middle' }, waits ? 'Starts ' + new Date(data.startAt).toLocaleString() : (score && score.line) || data.title);
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
