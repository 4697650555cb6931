import { Fragment, type ReactNode } from 'react';
import { UntrustedText, withIndex } from '../ui/display/untrusted-text';

/** Several lines of third-party text, with invisible characters revealed. */
export function UntrustedLines({ text }: { text: string }): ReactNode {
  return (
    <span className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
      {withIndex(text.split(/\r?\n/)).map(({ item: line, index }) => (
        <Fragment key={index}>
          {index > 0 ? '\n' : null}
          <UntrustedText text={line} />
        </Fragment>
      ))}
    </span>
  );
}
