import type { ReactNode } from 'react';
import { buttonClass } from './button';

interface DownloadLinksProps<Format extends string> {
  formats: readonly Format[];
  /** The address of the file without the extension. */
  path: string;
  /** The name of the link for screen readers; `format` is in capital letters. */
  label: (format: string) => string;
}

/** Links that download a file in each of its formats. */
export function DownloadLinks<Format extends string>({ formats, path, label }: DownloadLinksProps<Format>): ReactNode {
  return (
    <span className="flex flex-wrap gap-2">
      {formats.map((format) => (
        <a
          aria-label={label(format.toUpperCase())}
          className={buttonClass({ size: 'sm' })}
          download
          href={`${path}.${format}`}
          key={format}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}
