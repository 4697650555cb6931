import { useEffect, useState } from 'react';

/**
 * Returns the height of the on-screen keyboard above the window's lower edge, CSS px. Zero if the window itself shrinks
 * (`interactive-widget=resizes-content`), which some browsers do not support.
 */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);

  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    function measure(): void {
      if (!viewport) return;
      const covered = window.innerHeight - viewport.height - viewport.offsetTop;
      // A zoomed page also has a smaller visual viewport, and URL bars collapse.
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
