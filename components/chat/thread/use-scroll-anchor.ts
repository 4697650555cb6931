import { useEffect } from 'react';

interface Anchor {
  /** The first visible message. */
  message: Element;
  /** Height of the content above it, px. */
  contentAbove: number;
  scrollTop: number;
}

/**
 * Keeps the message that is being read in position while content above it appears or changes height, because not all
 * browsers have scroll anchoring, and none at the very top. A reader who follows stays at the end instead, because a
 * correction upwards would count as scrolling away. The messages are in the frame's first child.
 */
export function useScrollAnchor(
  scrollRef: { readonly current: HTMLElement | null },
  following: { readonly isAtBottom: boolean },
): void {
  useEffect(() => {
    const frame = scrollRef.current;
    const content = frame?.firstElementChild;
    if (!frame || !content) return;
    let anchor: Anchor | null = null;
    const recordAnchor = (): void => {
      anchor = firstVisible(frame, content);
    };
    const restore = (): void => {
      // If the scroll position has also changed, the browser did this itself, or the scroll was intentional.
      if (!anchor?.message.isConnected || frame.scrollTop !== anchor.scrollTop) {
        recordAnchor();
        return;
      }
      if (following.isAtBottom && document.getSelection()?.isCollapsed !== false) {
        frame.scrollTop = frame.scrollHeight;
        recordAnchor();
        return;
      }
      const shift = heightAbove(frame, anchor.message) - anchor.contentAbove;
      if (Math.abs(shift) < 1) return;
      frame.scrollTop += shift;
      anchor = anchorOf(frame, anchor.message);
    };
    // The scroll by `restore` also fires an event, and the anchor stays the same, because content above it may now be
    // visible.
    const onScroll = (): void => {
      if (frame.scrollTop !== anchor?.scrollTop) recordAnchor();
    };
    recordAnchor();
    frame.addEventListener('scroll', onScroll, { passive: true });
    // Runs synchronously on commit, while the recorded position of a scrolling reader is still correct.
    const mutationObserver = new MutationObserver(restore);
    mutationObserver.observe(content, { childList: true, subtree: true });
    // Handles all other changes before paint, such as an image that was loaded.
    const resizeObserver = new ResizeObserver(restore);
    resizeObserver.observe(content);
    return () => {
      frame.removeEventListener('scroll', onScroll);
      mutationObserver.disconnect();
      resizeObserver.disconnect();
    };
  }, [scrollRef, following]);
}

function firstVisible(frame: HTMLElement, content: Element): Anchor | null {
  const { top } = frame.getBoundingClientRect();
  const messages = [...content.querySelectorAll(':scope > [data-task]')];
  const message = messages.find((one) => one.getBoundingClientRect().bottom > top);
  return message ? anchorOf(frame, message) : null;
}

function anchorOf(frame: HTMLElement, message: Element): Anchor {
  return { message, contentAbove: heightAbove(frame, message), scrollTop: frame.scrollTop };
}

function heightAbove(frame: HTMLElement, message: Element): number {
  return message.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop;
}
