import { useEffect, useState } from 'react';

/**
 * The height of the on-screen keyboard over the window's lower edge, CSS px. Zero if the window itself shrinks
 * (`interactive-widget=resizes-content`); browsers without support overlay the keyboard.
 */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);

  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    function measure(): void {
      if (!viewport) return;
      const covered = window.innerHeight - viewport.height - viewport.offsetTop;
      // A zoomed page has a smaller visual viewport as well, and URL bars collapse.
      setInset(viewport.scale > 1.01 || covered < 80 ? 0 : Math.round(covered));
    }
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
    };
  }, []);

  return inset;
}
