import { type RefObject, useEffect, useRef, useState } from 'react';

/** An element's current width, CSS px; 0 before it is measured. */
export function useWidth<Host extends HTMLElement>(): [RefObject<Host | null>, number] {
  const ref = useRef<Host>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const host = ref.current;
    if (!host) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(host.clientWidth)));
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
