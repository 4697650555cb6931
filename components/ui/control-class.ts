/** Shared style of text inputs, text areas and selects. 16 px text, so that phones do not zoom in. */
export const controlClass =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink transition-colors duration-100 ' +
  'hover:border-ink aria-invalid:border-danger aria-invalid:outline-danger ' +
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken';
