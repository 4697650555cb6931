import { type RefObject, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/**
 * Takes over what somebody wrote into a field before the page listened. React leaves it standing, knows nothing of it and
 * takes it away with the field's next change.
 */
export function useEarlyText(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  take: (text: string) => void,
): void {
  const hear = useEffectEvent(take);
  useLayoutEffect(() => {
    const element = field.current;
    if (element && element.value !== element.defaultValue) hear(element.value);
  }, [field]);
}

/**
 * What a text area begins with: `first`, or what somebody has made of it before the page listened. React writes its value
 * over a text area that did not come empty, so that one has to be read before; inputs it leaves alone.
 */
export function useFirstText(id: string, first: string): string {
  // The last of the three is asked only where a page of the server begins to listen, and by the server itself.
  const now = useSyncExternalStore(
    neverChanges,
    () => first,
    () => (first === '' ? first : (writtenInto(id) ?? first)),
  );
  const [begun] = useState(now);
  return begun;
}

function neverChanges(): () => void {
  return () => undefined;
}

function writtenInto(id: string): string | null {
  if (typeof document === 'undefined') return null;
  const field = document.getElementById(id);
  return field instanceof HTMLTextAreaElement ? field.value : null;
}
