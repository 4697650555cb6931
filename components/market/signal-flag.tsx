import type { ReactNode } from 'react';

export type Signal = 'G' | 'K' | 'C';

const drawings: Record<Signal, ReactNode> = {
  G: (
    <>
      <path className="fill-signal" d="M0 0h10v40H0zM20 0h10v40H20zM40 0h10v40H40z" />
      <path className="fill-flag-blue" d="M10 0h10v40H10zM30 0h10v40H30zM50 0h10v40H50z" />
    </>
  ),
  K: (
    <>
      <path className="fill-signal" d="M0 0h30v40H0z" />
      <path className="fill-flag-blue" d="M30 0h30v40H30z" />
    </>
  ),
  C: (
    <>
      <path className="fill-flag-blue" d="M0 0h60v8H0zM0 32h60v8H0z" />
      <path className="fill-white" d="M0 8h60v8H0zM0 24h60v8H0z" />
      <path className="fill-flag-red" d="M0 16h60v8H0z" />
    </>
  ),
};

/** A flag of the International Code of Signals: G asks for a pilot, K wants to talk, C agrees; decorative. */
export function SignalFlag({ signal, className }: { signal: Signal; className?: string }): ReactNode {
  return (
    <svg aria-hidden="true" className={className} focusable="false" height="40" viewBox="0 0 60 40" width="60">
      {drawings[signal]}
    </svg>
  );
}
