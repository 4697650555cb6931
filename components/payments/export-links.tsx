import type { ReactNode } from 'react';
import { buttonClass } from '../ui/controls/button';
import { DownloadIcon } from '../ui/display/icons';

export interface ExportLinksProps {
  /** The endpoint of the page's rows. */
  api: string;
  /** The filter of the page, without its cursor. */
  query: URLSearchParams;
  formats: readonly ('csv' | 'json')[];
}

/** Exports all rows of the filter; plain links, so that the browser saves the response. */
export function ExportLinks({ api, query, formats }: ExportLinksProps): ReactNode {
  return formats.map((format) => (
    <a className={buttonClass({ size: 'sm' })} download href={`${api}?${withFormat(query, format)}`} key={format}>
      <DownloadIcon size={16} />
      {format.toUpperCase()}
    </a>
  ));
}

function withFormat(query: URLSearchParams, format: string): URLSearchParams {
  const longer = new URLSearchParams(query);
  longer.set('format', format);
  return longer;
}
