import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface NearViewProps {
  /** Drawn from the beginning, wherever it stands. */
  eager: boolean;
  /** The task that this is of, to be found by. */
  taskId: string | null;
  children: ReactNode;
}

/** How far from the window something is drawn already, and how high it is taken to be until it was drawn once. */
const margin = '1500px 0px';
const guessedHeight = 180;

/**
 * Draws its children while they are near the window and keeps their place when they are not, so that a conversation of any
 * length costs what a window shows. What has the focus or a part of the selection stays.
 */
export function NearView({ eager, taskId, children }: NearViewProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(eager);
  const height = useRef(guessedHeight);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setNear(true);
        else if (!isInUse(element)) {
          height.current = entry.boundingClientRect.height || height.current;
          setNear(false);
        }
      },
      { root: element.closest('[role="log"]'), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div data-task={taskId ?? undefined} ref={frame} style={near ? undefined : { height: height.current }}>
      {near ? children : null}
    </div>
  );
}

function isInUse(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
