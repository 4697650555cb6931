import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

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
