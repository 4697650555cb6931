import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface LazyRenderProps {
  /** Rendered initially, wherever it is. */
  eager: boolean;
  /** The task id, exposed for lookup in the DOM. */
  taskId: string | null;
  children: ReactNode;
}

/** Distance from the viewport at which children are rendered, and their assumed height until then. */
const margin = '1500px 0px';
const estimatedHeight = 180;

/**
 * Renders its children while they are near the viewport and keeps their height otherwise, so that the cost of a
 * conversation does not grow with its length. Children with the focus or a selection stay.
 */
export function LazyRender({ eager, taskId, children }: LazyRenderProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(eager);
  const height = useRef(estimatedHeight);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setIsNear(true);
        else if (!isInUse(element)) {
          height.current = entry.boundingClientRect.height || height.current;
          setIsNear(false);
        }
      },
      { root: element.closest('[role="log"]'), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      className="relative"
      data-task={taskId ?? undefined}
      ref={frame}
      style={isNear ? undefined : { height: height.current }}
    >
      {isNear ? children : null}
    </div>
  );
}

function isInUse(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
