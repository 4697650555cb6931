import { type Theme, themeCookie } from './theme';

/** Switches the page immediately and stores the choice, so that the next first paint has it. */
export function chooseTheme(theme: Theme): void {
  const { documentElement } = document;
  if (theme === 'system') delete documentElement.dataset.theme;
  else documentElement.dataset.theme = theme;
  const age = theme === 'system' ? 0 : 31_536_000;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
}
