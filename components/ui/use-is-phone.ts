import { useSyncExternalStore } from 'react';

/** The same condition as the variant `sheet` in globals.css. */
const phone = '(width < 40rem)';

/** True in a window as narrow as a phone's, where dialogs and menus are sheets; false on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone, () => false);
}

function isPhone(): boolean {
  return window.matchMedia(phone).matches;
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
