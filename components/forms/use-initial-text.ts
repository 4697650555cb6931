import { type RefObject, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/**
 * Takes over text typed before hydration. React leaves it in the field, but its state does not contain it, so the next
 * update would remove it.
 */
export function usePrehydrationValue(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  take: (text: string) => void,
): void {
  const takeText = useEffectEvent(take);
  useLayoutEffect(() => {
    const element = field.current;
    if (element && element.value !== element.defaultValue) takeText(element.value);
  }, [field]);
}

/**
 * Initial value of a text area: `first`, or what the user typed before hydration. React overwrites a text area that was
 * rendered non-empty, so its value must be read earlier; inputs are left alone.
 */
export function useInitialText(id: string, first: string): string {
  // React calls the server snapshot only during hydration and on the server.
  const current = useSyncExternalStore(
    neverChanges,
    () => first,
    () => (first === '' ? first : (writtenInto(id) ?? first)),
  );
  const [initial] = useState(current);
  return initial;
}

function neverChanges(): () => void {
  return () => undefined;
}

function writtenInto(id: string): string | null {
  if (typeof document === 'undefined') return null;
  const field = document.getElementById(id);
  return field instanceof HTMLTextAreaElement ? field.value : null;
}
