/**
 * The order of the sheets that every page stands on, the sign-in first of all: of two rules of one weight the later counts. What is
 * drawn inside follows in client-styles.ts; a screen's own is beside it.
 */
import './layers.css';
import './tokens.css';
import './colours.css';
import './base.css';
import './always.css';
import './controls.module.css';
import './button.module.css';
import './field.module.css';
import './tabs.module.css';
import './checkbox.module.css';
import './shell.module.css';
import './header.module.css';
import './account-menu.module.css';
import './panel.module.css';
import './wallet.module.css';
import './notice-bar.module.css';
import './popover.module.css';
import './footer.module.css';
import './side-nav.module.css';
import './top-bar.module.css';
import './turf.module.css';
import './overlay.module.css';
import './toast.module.css';
import './auth.module.css';
import './login.module.css';
