import type { ReactNode } from 'react';

export const starPath = 'M8 1.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L8 12l-4.2 2.2.8-4.7L1.2 6.2l4.7-.7z';

/** One star before a rating, as large as its text; a drawing, since not every font has the letter. Decorative. */
export function StarIcon(): ReactNode {
  return (
    <svg
      aria-hidden="true"
      className="me-0.5 inline-block size-[0.9em] fill-star align-[-0.05em]"
      focusable="false"
      viewBox="0 0 16 16"
    >
      <path d={starPath} />
    </svg>
  );
}
