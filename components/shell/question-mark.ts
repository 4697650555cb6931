import { useCallback, useState } from 'react';

/** Kept in the browser: a single-character shortcut that speech input could trigger must have an off switch (WCAG 2.1.4). */
const settingName = 'parley.question-mark';

/** True if a single ? opens the keyboard shortcuts. */
export function isQuestionMarkOn(): boolean {
  try {
    return localStorage.getItem(settingName) !== 'off';
  } catch {
    return true;
  }
}

/** The setting, and a function that changes it. */
export function useQuestionMark(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(isQuestionMarkOn);
  const set = useCallback((next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.removeItem(settingName);
      else localStorage.setItem(settingName, 'off');
    } catch {
      // Disabled storage: it stays on in other tabs.
    }
  }, []);
  return [isOn, set];
}
