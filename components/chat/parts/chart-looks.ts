/** How the series of a chart differ: by hue, and by form for those who do not see hues. */
export interface SeriesLook {
  /** Class that sets the text colour, which drawings take up as `currentColor`. */
  hue: string;
  /** Dashes of a line. */
  dashes: string | undefined;
  /** Bars are filled, or drawn by their edge. */
  filled: boolean;
}

const looks: readonly SeriesLook[] = [
  { hue: 'text-accent', dashes: undefined, filled: true },
  { hue: 'text-warn', dashes: '6 3', filled: false },
  { hue: 'text-good', dashes: '2 3', filled: true },
  { hue: 'text-danger', dashes: '8 3 2 3', filled: false },
  { hue: 'text-ink', dashes: '12 4', filled: true },
  { hue: 'text-muted', dashes: '4 4', filled: false },
];

const [firstLook] = looks as readonly [SeriesLook, ...SeriesLook[]];

export function lookOf(place: number): SeriesLook {
  return looks[place] ?? firstLook;
}
