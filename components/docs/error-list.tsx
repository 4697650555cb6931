import type { ReactNode } from 'react';
import { withIndex } from '../ui/display/untrusted-text';

export interface ErrorEntry {
  code: string;
  status: number;
  cause: string;
  remedy: string;
}

/** All codes with cause and remedy. `type` of a problem links to the code's anchor. */
export function ErrorList({ entries }: { entries: ErrorEntry[] }): ReactNode {
  return (
    <div className="mt-8 divide-y divide-line">
      {entries.map(({ code, status, cause, remedy }) => (
        <section className="py-5 target:bg-accent-soft" id={code} key={code}>
          <h2 className="flex flex-wrap items-baseline gap-x-3 font-semibold">
            <a className="font-mono hover:underline" href={`#${code}`}>
              {code}
            </a>
            <span className="font-mono text-sm font-normal text-muted">HTTP {status}</span>
          </h2>
          <p className="mt-1 max-w-prose">
            <Ticked text={cause} />
          </p>
          <p className="mt-1 max-w-prose text-muted">
            <Ticked text={remedy} />
          </p>
        </section>
      ))}
    </div>
  );
}

/** Text with words in backticks as code. */
export function Ticked({ text }: { text: string }): ReactNode {
  return withIndex(text.split('`')).map(({ index, item }) =>
    index % 2 === 1 ? (
      <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.875em] text-ink" key={index}>
        {item}
      </code>
    ) : (
      item
    ),
  );
}
