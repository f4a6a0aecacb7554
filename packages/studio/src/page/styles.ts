/** The styles of the page, but those of its boards; the layers stand first. */
import './layers.css';
import './tokens.css';
import './parts.css';
import './page.css';
import './stake.css';
import './sheet.css';
import './win.css';
import './own-bets.css';
import './acts.css';
import './panel.css';
import './top.css';
