import type { ReactNode } from 'react';

/** "PARLEY" in signal flags; decorative. */
export function FlagsLogo({ className }: { className?: string }): ReactNode {
  return (
    <svg aria-hidden="true" className={className} focusable="false" viewBox="0 0 164 24">
      <g className="fill-flag-blue">
        <path d="M0 0h24v24H0z" />
        <path d="M40 0h12l-7 12 7 12H40z" />
        <path d="M112 0h24v12h-24z" />
      </g>
      <g className="fill-white">
        <path d="M8 8h8v8H8z" />
        <path d="M28 0h12v24H28z" />
      </g>
      <g className="fill-flag-red">
        <path d="M56 0h24v24H56z" />
        <path d="M112 12h24v12h-24z" />
        <path d="M140 0h24v24h-24z" />
      </g>
      <g className="fill-signal">
        <path d="M65 0h6v9h9v6h-9v9h-6v-9h-9V9h9z" />
        <path d="M84 0h12v12H84zM96 12h12v12H96z" />
        <path d="M140 0h6l-6 6zM152 0h6l-18 18v-6zM164 0v6l-18 18h-6zM164 12v6l-6 6h-6z" />
      </g>
      <g className="fill-flag-black">
        <path d="M96 0h12v12H96zM84 12h12v12H84z" />
      </g>
    </svg>
  );
}
