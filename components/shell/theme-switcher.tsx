'use client';

import clsx from 'clsx';
import { type FormEvent, type ReactNode, useState } from 'react';
import { announce } from '../ui/announcer';
import { MoonIcon, SunIcon, SystemIcon } from '../ui/icons';
import { chooseTheme } from './choose-theme';
import { setTheme } from './set-theme';
import { type Theme, themeCookie, themeOf } from './theme';

const choices = [
  { theme: 'system', label: 'System theme', icon: SystemIcon },
  { theme: 'light', label: 'Light theme', icon: SunIcon },
  { theme: 'dark', label: 'Dark theme', icon: MoonIcon },
] as const;

/** Three buttons of a form: with JavaScript the page turns at once, without it the form is sent and the page comes back. */
export function ThemeSwitcher({ theme: initial }: { theme: Theme }): ReactNode {
  const [theme, setChosen] = useState(initial);

  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const chosen = themeOf(submitter?.getAttribute('value') ?? undefined);
    chooseTheme(chosen);
    setChosen(chosen);
    announce(`${choices.find((choice) => choice.theme === chosen)?.label} chosen.`);
  }

  return (
    <form
      action={setTheme}
      className="inline-flex gap-0.5 rounded-lg border border-line bg-surface p-0.5"
      onSubmit={choose}
    >
      {choices.map(({ theme: value, label, icon: Icon }) => (
        <button
          aria-label={label}
          aria-pressed={theme === value}
          className={clsx(
            'inline-flex size-8 items-center justify-center rounded-md border border-transparent touch:size-11',
            theme === value
              ? 'border-line-strong bg-sunken text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'
              : 'text-muted hover:text-ink',
          )}
          key={value}
          name={themeCookie}
          title={label}
          type="submit"
          value={value}
        >
          <Icon size={16} />
        </button>
      ))}
    </form>
  );
}
