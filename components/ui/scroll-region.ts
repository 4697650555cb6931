export interface ScrollRegionProps {
  role: 'group';
  'aria-label': string;
  tabIndex: 0;
}

/**
 * Makes a frame that scrolls reachable by keyboard (WCAG 2.1.1) and names it. Spread onto the scrolling element. A group and
 * not a region: regions are landmarks, which need names of their own, and a conversation has many tables and code blocks.
 */
export function scrollRegion(label: string): ScrollRegionProps {
  return { role: 'group', 'aria-label': label, tabIndex: 0 };
}
