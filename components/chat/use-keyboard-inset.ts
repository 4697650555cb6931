import { useEffect, useState } from 'react';

/**
 * How much of the window's lower edge a phone's keyboard covers, CSS px. Zero where the window itself gets smaller
 * (`interactive-widget=resizes-content`); browsers that do not know that lay the keyboard over the page.
 */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);

  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    function measure(): void {
      if (!viewport) return;
      const covered = window.innerHeight - viewport.height - viewport.offsetTop;
      // A page that is zoomed in shows less of itself as well, and address bars come and go.
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
