'use server';

import { cookies } from 'next/headers';
import { themeCookie, themeOf } from './theme';

/** Keeps the choice of the theme form for a year. Only browsers without JavaScript come here. */
export async function setTheme(form: FormData): Promise<void> {
  const theme = themeOf(String(form.get(themeCookie)));
  const jar = await cookies();
  if (theme === 'system') jar.delete(themeCookie);
  else jar.set(themeCookie, theme, { maxAge: 31_536_000, path: '/', sameSite: 'lax' });
}
