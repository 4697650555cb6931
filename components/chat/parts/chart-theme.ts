/** The style that distinguishes a series of a chart: by hue, and by form for color-blind readers. */
export interface SeriesStyle {
  /** Text color class, used by drawings as `currentColor`. */
  hue: string;
  /** Dash pattern of a line. */
  dashes: string | undefined;
  /** Bars are filled or outlined. */
  filled: boolean;
}

const styles: readonly SeriesStyle[] = [
  { hue: 'text-accent', dashes: undefined, filled: true },
  { hue: 'text-warn', dashes: '6 3', filled: false },
  { hue: 'text-good', dashes: '2 3', filled: true },
  { hue: 'text-danger', dashes: '8 3 2 3', filled: false },
  { hue: 'text-ink', dashes: '12 4', filled: true },
  { hue: 'text-muted', dashes: '4 4', filled: false },
];

const [firstStyle] = styles as readonly [SeriesStyle, ...SeriesStyle[]];

export function seriesStyle(index: number): SeriesStyle {
  return styles[index] ?? firstStyle;
}
