import { type RefObject, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/**
 * Copies text typed before hydration into the state. React leaves it in the field but not in its state, so the next
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
 * Returns the initial value of a text area: `first`, or the text that the user typed before hydration. React overwrites
 * a text area that was rendered with text, so its value must be read earlier; it does not overwrite inputs.
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
