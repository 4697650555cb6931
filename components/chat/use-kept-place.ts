import { useEffect } from 'react';

interface Place {
  /** The first message in sight. */
  message: Element;
  /** How much stands above it, in px. */
  above: number;
  scrollTop: number;
}

/**
 * Keeps the message that is read where it is while what stands above it comes or changes its height: browsers without scroll
 * anchoring do not, and none does at the very top. The messages stand in the first child of the frame.
 */
export function useKeptPlace(scrollRef: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const frame = scrollRef.current;
    const content = frame?.firstElementChild;
    if (!frame || !content) return;
    let place: Place | null = null;
    const note = (): void => {
      place = firstInSight(frame, content);
    };
    const keep = (): void => {
      // Where the scroll has changed too, the browser has done this itself, or somebody is put elsewhere on purpose.
      if (!place?.message.isConnected || frame.scrollTop !== place.scrollTop) {
        note();
        return;
      }
      const moved = heightAbove(frame, place.message) - place.above;
      if (Math.abs(moved) < 1) return;
      frame.scrollTop += moved;
      place = placeOf(frame, place.message);
    };
    // The scroll that `keep` makes is heard of too, and then the same message counts: what came above it may be in sight.
    const onScroll = (): void => {
      if (frame.scrollTop !== place?.scrollTop) note();
    };
    note();
    frame.addEventListener('scroll', onScroll, { passive: true });
    // Hears of a commit at once, while who is scrolling just then still stands where they were noted.
    const commits = new MutationObserver(keep);
    commits.observe(content, { childList: true, subtree: true });
    // Hears of the rest, such as a picture that has come, before it is painted.
    const sizes = new ResizeObserver(keep);
    sizes.observe(content);
    return () => {
      frame.removeEventListener('scroll', onScroll);
      commits.disconnect();
      sizes.disconnect();
    };
  }, [scrollRef]);
}

function firstInSight(frame: HTMLElement, content: Element): Place | null {
  const { top } = frame.getBoundingClientRect();
  const messages = [...content.querySelectorAll(':scope > [data-task]')];
  const message = messages.find((one) => one.getBoundingClientRect().bottom > top);
  return message ? placeOf(frame, message) : null;
}

function placeOf(frame: HTMLElement, message: Element): Place {
  return { message, above: heightAbove(frame, message), scrollTop: frame.scrollTop };
}

function heightAbove(frame: HTMLElement, message: Element): number {
  return message.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop;
}
