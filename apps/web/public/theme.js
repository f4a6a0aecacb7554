// Runs before the first paint, so that a light page never flashes dark. A file and not inline: the page's CSP allows no inline script.
(() => {
  var stored = null;
  var density = null;
  try {
    stored = localStorage.getItem('theme');
    density = localStorage.getItem('density');
  } catch {
    // storage may be forbidden: stay dark
  }
  if (density === 'compact') document.documentElement.dataset.density = density;
  var theme = stored === 'light' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  var meta = document.querySelector('meta[name="theme-color"]');
  if (meta) meta.setAttribute('content', theme === 'light' ? '#ffffff' : '#191714');
})();
