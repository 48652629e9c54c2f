// Sets the theme before the first paint; web/choices/theme.ts keeps it from then on.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('lockscope.theme');
  } catch {
    // storage is not allowed here: the system's theme is used
  }
  const link = new URLSearchParams(location.search);
  if (link.get('embed') === '1') choice = link.get('theme') ?? choice;
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
