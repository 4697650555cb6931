export interface ScrollRegionProps {
  role: 'group';
  'aria-label': string;
  tabIndex: 0;
}

/**
 * Makes a scrollable frame reachable by keyboard (WCAG 2.1.1) and names it. The result must be spread onto the
 * scrolling element. It is a group and not a region, because regions are landmarks, and a conversation has many tables
 * and code blocks.
 */
export function scrollRegion(label: string): ScrollRegionProps {
  return { role: 'group', 'aria-label': label, tabIndex: 0 };
}
