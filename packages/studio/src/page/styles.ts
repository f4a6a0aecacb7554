/** What every part of the page stands on; the layers first. The styles of a part are beside it. */
import './layers.css';
import './tokens.css';
import './base.css';
